// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/resource_report.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <string>

#include "skein/lb/load_file.hpp"

using namespace skein::lb;

namespace {

// Two PEs, four sync points a step; they compute 12 s and 4 s, and then 9 s and 7 s.
const char* const report =
    R"({"job":{"version":1,"pes":2,"objects":"ranks"}}
{"step":1,"points":4,"busy_s":[12,4],"decide_s":3,"move_s":0.5,"imbalance_before_percent":50,"imbalance_after_percent":0,"late_decide_s":null}
{"step":2,"points":4,"busy_s":[9,7],"decide_s":5,"move_s":1.5,"imbalance_before_percent":46.41,"imbalance_after_percent":10,"object_count":3,"load_quantiles":[1,2,3]}
{"end":{"at_s":20}}
)";

ResourceReport learned_from(std::initializer_list<const char*> reports) {
  ResourceReports all;
  for (const char* const one : reports) all.parse(one, "r.json");
  return all.learned();
}

std::string refusal(const std::string& text) {
  try {
    ResourceReports().parse(text, "r.json");
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("resource report: what the steps of an earlier run say of the next one") {
  const ResourceReport learned = learned_from({report});
  const ResourceModel model = fit_resources(learned.samples);
  // 16 s on two PEs in four points, in both intervals: 2 s a point, and 0.8 s on five.
  CHECK(model.f({.processes = 2}) == doctest::Approx(2));
  CHECK(model.f({.processes = 5}) == doctest::Approx(0.8));
  // Relative errors of a constant c against 3 and 5: c (1/9 + 1/25) = 1/3 + 1/5.
  CHECK(model.g({.processes = 5}) == doctest::Approx((1.0 / 3 + 1.0 / 5) / (1.0 / 9 + 1.0 / 25)));
  CHECK(model.h.is_zero());
  const ResourceQuestion& question = learned.question;
  CHECK(question.processes == 2);
  CHECK(question.steps == 4);
  CHECK(question.alpha == doctest::Approx(1.4641));  // imbalance was 0 before; no older decision is compared
  CHECK(question.growth == doctest::Approx(0.1));    // 1.1 to the fourth is 1.4641
  CHECK(question.redistribution_s == doctest::Approx(1));
  CHECK(question.loads == std::vector<double>{1, 2, 3});
}

// Four PEs of which one decides, and of which two do. Three compute 1.5 s a point, and two 2 s, as above.
const char* const one_decides =
    R"({"job":{"version":1,"pes":3,"reserved_pes":1,"objects":"ranks"}}
{"step":1,"points":2,"busy_s":[3,3,3],"decide_s":6,"move_s":1,"imbalance_before_percent":50,"imbalance_after_percent":0}
)";
const char* const two_decide =
    R"({"job":{"version":1,"pes":2,"reserved_pes":2,"objects":"ranks"}}
{"step":1,"points":2,"busy_s":[4,4],"decide_s":3,"move_s":1,"imbalance_before_percent":30,"imbalance_after_percent":0}
)";

// Four PEs, of which two decide and compute, too.
const char* const two_decide_and_compute =
    R"({"job":{"version":1,"pes":4,"deciding_pes":2,"objects":"ranks"}}
{"step":1,"points":2,"busy_s":[2.25,2.25,2.25,2.25],"decide_s":3,"move_s":1,"imbalance_before_percent":30,"imbalance_after_percent":0}
)";

TEST_CASE("resource report: those that decide may be among those that compute") {
  const ResourceReport learned = learned_from({one_decides, two_decide_and_compute});
  CHECK(learned.most_deciding == 2);
  CHECK(learned.question.processes == 4);
  // A point took 1.5 s on three and 1.125 s on four: 4.5 / n. Deciding 6 s alone and 3 s together: 6 / m.
  const ResourceModel model = fit_resources(learned.samples);
  CHECK(model.f({.processes = 9}) == doctest::Approx(0.5));
  CHECK(model.g({.processes = 3}) == doctest::Approx(2));
}

TEST_CASE("resource report: several runs tell how steps and decisions scale") {
  const ResourceReport learned = learned_from({one_decides, two_decide});
  CHECK(learned.most_deciding == 2);
  CHECK(learned.question.processes == 4);
  // Each run had one step, the first: 50 and 30 % longer.
  CHECK(learned.question.alpha == doctest::Approx(1.4));
  CHECK(learned.question.growth == 0);
  const ResourceModel model = fit_resources(learned.samples);
  // 1.5 s on three and 2 s on two: 3 / n + 0.5. 6 s alone and 3 s together: 6 / m.
  CHECK(model.f({.processes = 3}) == doctest::Approx(1.5));
  CHECK(model.f({.processes = 2}) == doctest::Approx(2));
  CHECK(model.f({.processes = 6}) == doctest::Approx(1));
  CHECK(model.g({.processes = 3}) == doctest::Approx(2));
  // Inline each decides alone.
  CHECK(cost_of(model, learned.question, Mode::Kind::inline_all, 0).decide_s == doctest::Approx(6));
  CHECK(cost_of(model, learned.question, Mode::Kind::decoupled, 2).decide_s == doctest::Approx(3));
}

// Had the first step moved nothing, the fullest PE would have computed 12 s in the second interval in place
// of 9; had none, likewise. A point took 3 s there, of which 2 s are the average of the PEs.
const char* const compares =
    R"({"job":{"version":1,"pes":2,"objects":"ranks"}}
{"step":1,"points":4,"interval_s":20,"busy_s":[12,4],"max_busy_s":12,"max_busy_unmoved_s":12,"max_busy_unbalanced_s":12,"decide_s":3,"move_s":0,"imbalance_before_percent":50,"imbalance_after_percent":0}
{"step":2,"points":4,"interval_s":12,"busy_s":[9,7],"max_busy_s":9,"max_busy_unmoved_s":12,"max_busy_unbalanced_s":13,"decide_s":3,"move_s":0,"imbalance_before_percent":12.5,"imbalance_after_percent":0}
)";

TEST_CASE("resource report: what an older decision would have cost, and how long steps were") {
  const ResourceQuestion question = learned_from({compares}).question;
  CHECK(question.alpha == doctest::Approx(1 + 3.0 / 8));
  CHECK(question.undecided == doctest::Approx(1 + (0 + 4.0 / 8) / 2));
  CHECK(question.length_s == doctest::Approx(3));
  CHECK(question.length_on == 2);
}

TEST_CASE("resource report: what is none is refused") {
  CHECK(refusal("{\"job\":{\"pes\":2}}\n").find("r.json: there is no LB step") == 0);
  CHECK(refusal("nothing").find("r.json: line 1 is none of a report") == 0);
  CHECK(refusal("{\"job\":{\"pes\":2}}\n{\"step\":1}\n").find("r.json: line 2") == 0);
  CHECK_THROWS_AS(ResourceReports().read("/nonexistent/r.json"), FileError);
}
