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
#include "skein/lb/resource_report.hpp"

namespace skein::launch {
namespace {

/// How many PEs might decide: as many as have been seen to, up to twice that.
std::vector<std::uint32_t> candidates(const RunOptions& run, std::uint32_t most_seen) {
  std::vector<std::uint32_t> counts{1};
  if (!why_no_team(run).empty()) return counts;
  const std::uint32_t most = std::min(2 * most_seen, static_cast<std::uint32_t>(run.pes) - 1);
  for (std::uint32_t m = 2; m <= most; ++m) counts.push_back(m);
  return counts;
}

lb::ResourceChoice choose(const RunOptions& run, const lb::ResourceReport& known) {
  lb::ResourceReport learned = known;
  learned.question.processes = run.pes;
  // A lazy job asks at every K-th point.
  learned.question.may_be_lazy = run.lb_period.unit == LbPeriod::Unit::points;
  if (learned.question.may_be_lazy) learned.question.steps = static_cast<double>(run.lb_period.count);
  return lb::choose_resources(lb::fit_resources(learned.samples), learned.question,
                              candidates(run, learned.most_deciding));
}

}  // namespace

void choose_mode(RunOptions& run) {
  if (!run.auto_mode) return;
  const std::vector<std::string> files = *std::exchange(run.auto_mode, std::nullopt);
  if (files.empty()) {
    run.advise_mode = true;
    run.why_mode =
        "inline at first: nothing is known of this job (--lb-mode auto:report=FILE learns from the "
        "--lb-report "
        "of an earlier run)";
    return;
  }
  try {
    lb::ResourceReports reports;
    for (const std::string& file : files) reports.read(file);
    const lb::ResourceChoice choice = choose(run, reports.learned());
    run.lb_mode = lb::parse_mode(lb::mode_text(choice.chosen()));
    run.why_mode = choice.why;
  } catch (const lb::FileError& error) {
    throw Error(format("%s: %s", named_by(run, "--lb-mode").c_str(), error.what()));
  } catch (const lb::CurveError& error) {
    throw Error(format("%s: %s: %s", named_by(run, "--lb-mode").c_str(), files.back().c_str(), error.what()));
  }
}

}  // namespace skein::launch
