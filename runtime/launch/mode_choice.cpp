// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/mode_choice.hpp"

#include "runtime/base/error.hpp"
#include "skein/lb/load_file.hpp"
#include "skein/lb/resource_report.hpp"

namespace skein::launch {
namespace {

lb::ResourceChoice choose(const RunOptions& run) {
  lb::ResourceReport learned = lb::read_resource_report(*run.auto_mode);
  learned.question.processes = run.pes;
  // A lazy job asks at every K-th point.
  learned.question.may_be_lazy = run.lb_period.unit == LbPeriod::Unit::points;
  if (learned.question.may_be_lazy) learned.question.steps = static_cast<double>(run.lb_period.count);
  constexpr std::uint32_t one[] = {1};  // what several would take together is in no report
  return lb::choose_resources(lb::fit_resources(learned.samples), learned.question, one);
}

}  // namespace

void choose_mode(RunOptions& run) {
  if (!run.auto_mode) return;
  if (run.auto_mode->empty()) {
    run.why_mode =
        "inline: nothing is known of this job; --lb-mode auto:report=FILE learns from the --lb-report of an "
        "earlier run";
  } else {
    try {
      const lb::ResourceChoice choice = choose(run);
      run.lb_mode = lb::parse_mode(lb::mode_text(choice.chosen()));
      run.why_mode = choice.why;
    } catch (const lb::FileError& error) {
      throw Error(format("%s: %s", named_by(run, "--lb-mode").c_str(), error.what()));
    } catch (const lb::CurveError& error) {
      throw Error(
          format("%s: %s: %s", named_by(run, "--lb-mode").c_str(), run.auto_mode->c_str(), error.what()));
    }
  }
  run.auto_mode.reset();
}

}  // namespace skein::launch
