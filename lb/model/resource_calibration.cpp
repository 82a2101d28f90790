// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/resource_calibration.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace skein::lb {
namespace {

bool is_of_one_number(std::span<const CurveSample> decisions) {
  return !decisions.empty() && std::ranges::all_of(decisions, [&](const CurveSample& each) {
    return each.at.processes == decisions.front().at.processes;
  });
}

/// g is linear in the work.
double work_that_takes(const Curve& g, double processes, double seconds) {
  const double one = g({.processes = processes, .work = 1});
  const double slope = g({.processes = processes, .work = 2}) - one;
  return slope > 0 ? std::max(1.0, 1 + (seconds - one) / slope) : 1;
}

Curve scaled(const Curve& curve, double factor) {
  std::vector<Curve::Part> parts = curve.parts();
  for (Curve::Part& part : parts) part.seconds *= factor;
  return Curve(std::move(parts));
}

}  // namespace

bool calibrate(ResourceModel& model, ResourceQuestion& question, const ResourceCalibration& calibration,
               std::span<const CurveSample> decisions) {
  const auto levels = static_cast<double>(std::bit_width(static_cast<std::uint64_t>(question.processes) - 1));
  const double exchange_s =
      calibration.level_s * levels + calibration.object_s * static_cast<double>(question.loads.size());
  if (exchange_s > 0) model.h = model.h_late = Curve({{Term::constant, exchange_s}});
  if (calibration.decision.is_zero() || !is_of_one_number(decisions)) return false;
  const double processes = decisions.front().at.processes;
  const double seconds = model.g({.processes = processes});
  question.graph = work_that_takes(calibration.decision, processes, seconds);
  // A job may take less than the calibrated machine takes for anything.
  const CurvePoint at{.processes = processes, .work = question.graph};
  model.g = scaled(calibration.decision, seconds / calibration.decision(at));
  return true;
}

}  // namespace skein::lb
