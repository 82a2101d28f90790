// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/resource_calibration.hpp"

#include <doctest/doctest.h>

#include <string>

#include "skein/lb/load_file.hpp"

using namespace skein::lb;

namespace {

const char* const platform = R"({"name": "here", "nodes": 1, "pes_per_node": 2, "node": {"latency_ns": 200},
  "moves": {"meeting_ns": 1e6, "collect_object_ns": 1e3, "object_ns": 5},
  "decision_ns": {"zoltan": 7}, "decision_element_ns": {"zoltan": 8},
  "together": {"element_ns": {"zoltan": 4e3, "scotch": 9}, "ns": {"zoltan": 2e6}, "level_ns": {"zoltan": 0},
               "pe_ns": {"zoltan": 1e6}, "pes": {"zoltan": 4, "scotch": 2}}})";

ResourceCalibration calibration_of(std::string_view strategy) {
  return parse_resource_calibration(platform, "here.platform", strategy);
}

std::string refusal(const std::string& text) {
  try {
    (void)parse_resource_calibration(text, "p.json", "zoltan");
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

ResourceModel model_of(const ResourceSamples& samples) { return fit_resources(samples); }

}  // namespace

TEST_CASE("resource calibration: a platform has curve g of a strategy, and what meeting takes") {
  const ResourceCalibration zoltan = calibration_of("zoltan");
  // 2 ms, 4 us an element divided by m, and 1 ms a PE.
  CHECK(zoltan.decision({.processes = 1, .work = 1000}) == doctest::Approx(0.007));
  CHECK(zoltan.decision({.processes = 4, .work = 1000}) == doctest::Approx(0.007));
  CHECK(zoltan.decision({.processes = 2, .work = 1000}) == doctest::Approx(0.006));
  CHECK(zoltan.most_deciding == 4);
  CHECK(zoltan.level_s == doctest::Approx(1e-3));
  CHECK(zoltan.object_s == doctest::Approx(1e-6));
  const ResourceCalibration greedy = calibration_of("greedy");
  CHECK(greedy.decision.is_zero());
  CHECK(greedy.most_deciding == 1);
  CHECK(greedy.level_s == doctest::Approx(1e-3));
}

TEST_CASE("resource calibration: what one PE takes is the job's, what several take by comparison") {
  // Alone 43 ms: 2 + 1 + 4 us of 10,000 elements. Two: 2 + 2 + 20 ms. Four: 2 + 4 + 10.
  const ResourceSamples samples{.step = {{{.processes = 8}, 0.1}}, .decision = {{{.processes = 1}, 0.043}}};
  ResourceModel model = model_of(samples);
  ResourceQuestion question{.processes = 8, .inline_divides = false};
  CHECK(calibrate(model, question, calibration_of("zoltan"), samples.decision));
  CHECK(question.graph == doctest::Approx(10000));
  CHECK(cost_of(model, question, Mode::Kind::inline_all, 0).decide_s == doctest::Approx(0.043));
  CHECK(cost_of(model, question, Mode::Kind::lazy, 2).decide_s == doctest::Approx(0.024));
  CHECK(cost_of(model, question, Mode::Kind::decoupled, 4).decide_s == doctest::Approx(0.016));
  // Eight PEs meet by three levels; of objects nothing is known.
  CHECK(cost_of(model, question, Mode::Kind::decoupled, 4).exchange_s == doctest::Approx(0.003));
}

TEST_CASE("resource calibration: a decision that is faster than any on the calibrated machine") {
  // There 3.004 ms of one element, alone; 4.002 of it by two.
  const ResourceSamples samples{.step = {{{.processes = 4}, 0.1}}, .decision = {{{.processes = 1}, 0.001}}};
  ResourceModel model = model_of(samples);
  ResourceQuestion question{.processes = 4, .loads = {1, 2, 3, 4}, .inline_divides = false};
  CHECK(calibrate(model, question, calibration_of("zoltan"), samples.decision));
  CHECK(cost_of(model, question, Mode::Kind::lazy, 1).decide_s == doctest::Approx(0.001));
  CHECK(cost_of(model, question, Mode::Kind::lazy, 2).decide_s == doctest::Approx(0.001 * 4.002 / 3.004));
  // Two levels, and four objects.
  CHECK(cost_of(model, question, Mode::Kind::inline_all, 0).exchange_s == doctest::Approx(0.002004));
}

TEST_CASE("resource calibration: what the job shows itself is not taken from elsewhere") {
  const ResourceSamples samples{.step = {{{.processes = 4}, 0.1}},
                                .decision = {{{.processes = 1}, 0.6}, {{.processes = 2}, 0.3}},
                                .parallel = true};
  ResourceModel model = model_of(samples);
  ResourceQuestion question{.processes = 4};
  CHECK_FALSE(calibrate(model, question, calibration_of("zoltan"), samples.decision));
  CHECK(cost_of(model, question, Mode::Kind::lazy, 3).decide_s == doctest::Approx(0.2));
  CHECK_FALSE(calibrate(model, question, calibration_of("greedy"), {}));
}

TEST_CASE("resource calibration: a file that is none is refused, with what it is to be") {
  CHECK(refusal("nothing") ==
        "p.json: the platform is no object, { ... }: it is to be a platform as skein "
        "calibrate writes it");
  CHECK(refusal("[1]").find("p.json: the platform is no object") == 0);
  CHECK(refusal(R"({"nodes": 1})").find("p.json: nothing is measured in it") == 0);
  CHECK(refusal(R"({"decision_ns": 3})").find("p.json: decision_ns is no object") == 0);
  CHECK(refusal(R"({"moves": {"meeting_ns": -1}})").find("p.json: moves.meeting_ns is no number") == 0);
  CHECK(refusal(R"({"together": {"ns": {"zoltan": "x"}}})").find("p.json: together.ns.zoltan is no number") ==
        0);
  CHECK_THROWS_AS((void)read_resource_calibration("/nonexistent/p", "zoltan"), FileError);
}
