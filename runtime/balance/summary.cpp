// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/summary.hpp"

#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <string>

#include "runtime/balance/progress.hpp"
#include "runtime/balance/step_output.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"

namespace skein::balance {

PerRuntime<StepOutput> step_output;

namespace {

constexpr double kWorthTryingPercent = 5;  // of the job's time
constexpr double kWorthTelling = 0.5;      // of the job's time

unsigned long long wide(std::uint64_t n) { return n; }

std::string bytes_text(double bytes) {
  if (bytes >= 1e9) return format("%.2f GB", bytes * 1e-9);
  if (bytes >= 1e6) return format("%.1f MB", bytes * 1e-6);
  return format("%.1f kB", bytes * 1e-3);
}

/// Returns a text like "none 12 times, refine 3 times".
std::string choices_text() {
  std::string text;
  for (const auto& [strategy, times] : step_output->totals.decided)
    text += format("%s%s %llu times", text.empty() ? "" : ", ", strategy.c_str(), wide(times));
  return text.empty() ? "nothing: there was no step" : text;
}

/// Returns why there was no step.
std::string no_step(const StepConfig& config, const Agreed& agreed) {
  const std::uint64_t points = pace->points;
  if (points == 0) return "the program met no sync point; " + objects().sync_hint() + ", and see --lb-period";
  const std::string met = format("the program met %llu sync point%s, ", wide(points), points == 1 ? "" : "s");
  if (config.period.automatic || agreed.in_vain_s > 0)
    return met + "and ended before all PEs had agreed on one";
  if (config.period.seconds > 0)
    return met + format("none later than %g s after the start (--lb-period)", config.period.seconds);
  return met + format("and every %llu. is one (--lb-period)", wide(config.period.points));
}

/// Prints how many steps had no sync point of the program's own.
void print_agreed(const Agreed& agreed) {
  if (agreed.began_later)
    SKEIN_LOG(normal, "LB took collectives for sync points (--sync-at auto), since no MPI_Migrate() came");
  if (agreed.in_waits > 0)
    SKEIN_LOG(normal, "LB: %llu of the steps came while ranks waited for messages, since no sync point did",
              wide(agreed.in_waits));
  if (agreed.called_off > agreed.in_waits)
    SKEIN_LOG(
        normal,
        "LB could not stop all ranks in waits for messages %llu times: some were in collectives of fewer "
        "ranks, one-sided calls or files; call MPI_Migrate() in the time loop, or name a call that all "
        "ranks make as often (--sync-at CALL:ranks=N)",
        wide(agreed.called_off));
}

/// Prints what LB could gain, for a job without a strategy. All objects were where the program put them, so
/// the fullest PE computed gain.with_s() in the intervals, if they were measured.
void print_outlook(const StepConfig& config, const lb::Gain& gain, double job_seconds,
                   std::span<const double> busy, const Agreed& agreed) {
  if (busy.size() < 2) return;
  const double mean = std::accumulate(busy.begin(), busy.end(), 0.0) / static_cast<double>(busy.size());
  const double fullest = config.has_steps() ? gain.with_s() : *std::ranges::max_element(busy);
  if (mean <= 0) return;
  const double most = std::max(fullest - mean, 0.0), percent = 100 * most / job_seconds;
  const bool asked = config.has_steps() || config.records;
  if (!asked && !(isatty(STDERR_FILENO) && percent >= kWorthTryingPercent)) return;
  SKEIN_LOG(normal,
            "imbalance %.0f %%: the fullest PE computed %.2f s and the average %.2f s, so balancing gains "
            "%.2f s of %.2f s at most (%.0f %%): %s",
            100 * (fullest / mean - 1), fullest, mean, most, job_seconds, percent,
            percent >= kWorthTryingPercent ? "try --lb greedy-refine" : "not worth it");
  if (config.has_steps() && step_output->totals.steps == 0)
    SKEIN_LOG(normal, "The whole run counts as one interval here: %s", no_step(config, agreed).c_str());
}

/// Prints why the last step moved what it moved; the report has this for all steps.
void print_why() {
  if (step_output->totals.last_moving > 0 && !step_output->totals.why_moved.empty())
    SKEIN_LOG(normal, "LB step %llu, the last that moved anything: %s", wide(step_output->totals.last_moving),
              step_output->totals.why_moved.c_str());
  else if (step_output->totals.last_moving == 0 && !step_output->totals.why_not.empty())
    SKEIN_LOG(normal, "LB moved nothing, at the last step since %s", step_output->totals.why_not.c_str());
}

}  // namespace

void Totals::add(const StepRecord& record) {
  ++steps;
  imbalance_before += record.plan.step.before.imbalance_percent();
  imbalance_after += record.plan.step.after.imbalance_percent();
  decide_seconds += record.decide_s;
  move_seconds += record.move_s;
  moved += record.moved.objects;
  bytes_handed_over += static_cast<double>(record.moved.bytes_handed_over);
  bytes_copied += static_cast<double>(record.moved.bytes_copied);
  bytes_followed += static_cast<double>(record.moved.bytes_followed);
  ++decided[record.plan.step.strategy];
  const std::string sentence = record.plan.why.substr(0, record.plan.why.find('\n'));
  if (record.moved.objects > 0)
    last_moving = steps, why_moved = sentence;
  else
    why_not = sentence;
  if (record.plan.late) {
    late_points += record.plan.late->applied_at - record.plan.late->asked_at;
    dropped += record.plan.late->dropped;
  }
}

void sum_up_step(const StepRecord& record) { step_output->totals.add(record); }

void print_summary(const StepConfig& config, const lb::Gain& gain, double job_seconds,
                   std::span<const double> busy, const Advice& advice) {
  if (!config.balances()) return print_outlook(config, gain, job_seconds, busy, advice.agreed);
  const double steps = step_output->totals.steps == 0 ? 1 : static_cast<double>(step_output->totals.steps);
  const std::string name(config.automatic ? "auto" : config.strategy->info->name);
  SKEIN_LOG(normal, "LB %s: %llu %s in %.2f s, imbalance %.1f %% before a step and %.1f %% after, on average",
            name.c_str(), wide(step_output->totals.steps), step_output->totals.steps == 1 ? "step" : "steps",
            job_seconds, step_output->totals.imbalance_before / steps,
            step_output->totals.imbalance_after / steps);
  SKEIN_LOG(normal, "LB moved %llu %s: %s handed over, %s copied; deciding took %.3f s, moving %.3f s",
            wide(step_output->totals.moved), objects().noun(),
            bytes_text(step_output->totals.bytes_handed_over).c_str(),
            bytes_text(step_output->totals.bytes_copied).c_str(), step_output->totals.decide_seconds,
            step_output->totals.move_seconds);
  if (step_output->totals.bytes_followed > 0)
    SKEIN_LOG(normal, "LB: %s of them followed to another memory domain (NUMA)",
              bytes_text(step_output->totals.bytes_followed).c_str());
  if (config.mode.is_lazy())
    SKEIN_LOG(normal,
              "LB lazy: %llu %s came %.1f sync points after they were asked for, on average; %llu %s dropped",
              wide(step_output->totals.steps), step_output->totals.steps == 1 ? "decision" : "decisions",
              static_cast<double>(step_output->totals.late_points) / steps, wide(step_output->totals.dropped),
              step_output->totals.dropped == 1 ? "was" : "were");
  if (!advice.mode.empty()) SKEIN_LOG(normal, "LB mode: %s", advice.mode.c_str());
  print_agreed(advice.agreed);
  if (config.automatic) SKEIN_LOG(normal, "LB auto chose %s", choices_text().c_str());
  SKEIN_LOG(normal, "LB gain: without balancing about %.2f s on the fullest PE, with %.2f s",
            gain.without_s(), gain.with_s());
  if (config.cannot_move)
    SKEIN_LOG(normal, "LB moved nothing: %s", config.cannot_move);
  else
    print_why();
  if (step_output->totals.steps == 0 && !config.mode.is_lazy())
    SKEIN_LOG(normal, "LB had no step: %s", no_step(config, advice.agreed).c_str());
  else if (advice.agreed.in_vain_s > job_seconds * kWorthTelling)
    SKEIN_LOG(normal, "LB had no step in the last %.2f s, without a sync point: %s", advice.agreed.in_vain_s,
              objects().sync_hint().c_str());
}

}  // namespace skein::balance
