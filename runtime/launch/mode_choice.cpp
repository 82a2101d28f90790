// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/mode_choice.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/error.hpp"
#include "runtime/launch/lb_choice.hpp"
#include "skein/lb/load_file.hpp"
#include "skein/lb/resource_calibration.hpp"
#include "skein/lb/resource_report.hpp"

namespace skein::launch {
namespace {

/// The calibrated costs of the strategy; of --lb auto, which may ask any, those of meeting and gathering.
std::optional<lb::ResourceCalibration> calibration_of(const RunOptions& run, const std::string& platform) {
  if (platform.empty()) return std::nullopt;
  const LbChoice choice = parse_lb(run);
  lb::ResourceCalibration calibration =
      lb::read_resource_calibration(platform, choice.strategy ? choice.strategy->info->name : "");
  if (!why_no_team(run).empty()) calibration.most_deciding = 1;
  return calibration;
}

/// What is by the calibration, for -v.
std::string told_of(const std::string& platform, const lb::ResourceCalibration& calibration,
                    bool decides_by_it) {
  const std::string by = "by " + platform;
  if (decides_by_it && calibration.most_deciding > 1)
    return "; what PEs take that decide together is " + by + ", of up to " +
           std::to_string(calibration.most_deciding);
  return "; " + by + " meeting and gathering are counted";
}

/// The numbers of deciding PEs to choose from: up to twice as many as have ever been seen to decide.
std::vector<std::uint32_t> candidates(const RunOptions& run, std::uint32_t most_seen) {
  std::uint32_t most = why_no_team(run).empty() ? 2 * most_seen : 1;
  return lb::deciding_up_to(std::min(most, static_cast<std::uint32_t>(run.pes)));
}

void choose(RunOptions& run, const AutoMode& by, const std::optional<lb::ResourceCalibration>& calibration) {
  lb::ResourceReports reports;
  for (const std::string& file : by.reports) reports.read(file);
  lb::ResourceReport learned = reports.learned();
  learned.question.processes = run.pes;
  // A lazy job asks at every K-th point.
  learned.question.may_be_lazy = run.lb_period.unit == LbPeriod::Unit::points;
  if (const auto points = static_cast<double>(run.lb_period.count);
      learned.question.may_be_lazy && points != learned.question.steps) {
    learned.question.steps = points;
    learned.question.undecided_by_interval.clear();  // of other intervals
  }
  lb::ResourceModel model = lb::fit_resources(learned.samples);
  const bool decides_by_it =
      calibration && lb::calibrate(model, learned.question, *calibration, learned.samples.decision);
  std::uint32_t most_seen = learned.most_deciding;
  if (decides_by_it) most_seen = std::max(most_seen, calibration->most_deciding);
  const lb::ResourceChoice choice = lb::choose_resources(model, learned.question, candidates(run, most_seen));
  run.lb_mode = lb::parse_mode(lb::mode_text(choice.chosen()));
  run.why_mode = choice.why;
  if (calibration) run.why_mode += told_of(by.platform, *calibration, decides_by_it);
}

/// Nothing is known of the job itself.
void begin_inline(RunOptions& run, const AutoMode& by,
                  const std::optional<lb::ResourceCalibration>& calibration) {
  run.advise_mode = true;
  run.calibration = calibration;
  run.why_mode =
      "inline at first: nothing is known of this job (--lb-mode auto:report=FILE learns from the --lb-report "
      "of an earlier run)";
  if (calibration) run.why_mode += told_of(by.platform, *calibration, !calibration->decision.is_zero());
}

}  // namespace

void choose_mode(RunOptions& run) {
  if (!run.auto_mode) return;
  const AutoMode by = *std::exchange(run.auto_mode, std::nullopt);
  try {
    const auto calibration = calibration_of(run, by.platform);
    if (by.reports.empty())
      begin_inline(run, by, calibration);
    else
      choose(run, by, calibration);
  } catch (const lb::FileError& error) {
    throw Error(format("skein run: %s: %s", named_by(run, "--lb-mode").c_str(), error.what()));
  } catch (const lb::CurveError& error) {
    throw Error(format("skein run: %s: %s: %s", named_by(run, "--lb-mode").c_str(), by.reports.back().c_str(),
                       error.what()));
  }
}

}  // namespace skein::launch
