// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/progress.hpp"

#include <string>

#include "runtime/balance/step_output.hpp"
#include "runtime/balance/step_record.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/status_line.hpp"
#include "runtime/net/starter_link.hpp"

namespace skein::balance {
namespace {

constexpr double kFirstAfterS = 1, kEveryS = 0.25;
constexpr double kRateWindowS = 5;

void wait_for(double delay_s) {
  pace->progress_due = ticks() + static_cast<std::uint64_t>(delay_s * 1e9 / ns_per_tick());
}

double points_per_second(double now) {
  if (now - step_output->drawn.younger_at > kRateWindowS) {
    step_output->drawn.older_at = step_output->drawn.younger_at;
    step_output->drawn.older_points = step_output->drawn.younger_points;
    step_output->drawn.younger_at = now;
    step_output->drawn.younger_points = pace->points;
  }
  return static_cast<double>(pace->points - step_output->drawn.older_points) /
         (now - step_output->drawn.older_at);
}

std::string rate_text(double per_second) {
  if (per_second <= 0) return "no sync point";
  if (per_second >= 1) return format("%.*f sync points/s", per_second < 10 ? 1 : 0, per_second);
  return format("a sync point every %.1f s", 1 / per_second);
}

std::string time_text(double elapsed_s) {
  const auto whole = static_cast<long>(elapsed_s);
  if (whole < 3600) return format("%ld:%02ld", whole / 60, whole % 60);
  return format("%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string text(double now) {
  std::string line = "skein: " + rate_text(points_per_second(now));
  if (step_output->drawn.steps > 0)
    line += format(
        " | imbalance %.0f %% | %llu %s moved in %llu LB step%s", step_output->drawn.imbalance_percent,
        static_cast<unsigned long long>(step_output->drawn.moved), objects().noun(),
        static_cast<unsigned long long>(step_output->drawn.steps), step_output->drawn.steps == 1 ? "" : "s");
  return line + " | " + time_text(now - step_output->drawn.start);
}

}  // namespace

PerRuntime<Pace> pace;

void start_progress(std::optional<bool> wanted) {
  if (!wanted.value_or(true) || log_level < LogLevel::normal || !can_show_status_line(wanted.has_value()))
    return;
  step_output->drawn.start = step_output->drawn.older_at = step_output->drawn.younger_at = seconds();
  wait_for(kFirstAfterS);
}

void note_step(const StepRecord& record) {
  ++step_output->drawn.steps;
  step_output->drawn.moved += record.moved.objects;
  step_output->drawn.imbalance_percent = record.plan.step.before.imbalance_percent();
}

void draw_progress() {
  wait_for(kEveryS);
  // In the background the terminal is the shell's; before the first sync point there is nothing to show.
  if (!net::in_foreground())
    erase_status_line();
  else if (pace->points > 0 || step_output->drawn.steps > 0)
    show_status_line(text(seconds()).c_str());
}

void end_progress() {
  pace->progress_due = Pace::never;
  erase_status_line();
}

}  // namespace skein::balance
