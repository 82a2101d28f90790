// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/lb_step.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/balance/agreed_steps.hpp"
#include "runtime/balance/block_exchange.hpp"
#include "runtime/balance/decision_scheme.hpp"
#include "runtime/balance/dump.hpp"
#include "runtime/balance/measured_speeds.hpp"
#include "runtime/balance/pace.hpp"
#include "runtime/balance/progress.hpp"
#include "runtime/balance/report_file.hpp"
#include "runtime/balance/reserved/answer_watch.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/balance/steps.hpp"
#include "runtime/balance/summary.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/log.hpp"
#include "runtime/net/agree.hpp"
#include "runtime/net/job_clock.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/trace/recording.hpp"
#include "skein/lb/interval.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::balance {

PerRuntime<Steps> steps;
Steps::Steps() = default;
Steps::~Steps() = default;

namespace {

/// Returns the same answer on all PEs: PE 0's clock decides whether it is too soon for a step. As in a step,
/// none goes on before all have come: an object that goes on might call, and so move, one that still waits.
bool too_soon() {
  if (steps->config.period.seconds <= 0 || agrees_on_steps()) return false;
  const bool soon = seconds() - steps->last_at_point < steps->config.period.seconds;
  std::array<std::uint64_t, 1> says{net::world.pe == 0 && soon ? 1u : 0u};
  net::sum_polling(says);
  return says[0] > 0;
}

/// Returns how many sync points the present step comes after the last one.
std::uint64_t points_passed() {
  const std::uint64_t period = steps->config.period.points;
  std::optional<std::uint64_t> stop = steps->scheme->agreed_stop();
  if (steps->config.agrees) stop = agreed_step();
  if (stop == 0) return 0;
  if (!stop && period > 0)
    stop = (steps->last_stop / period + 1) * period + std::exchange(steps->left_out, 0);
  if (stop) return *stop - std::exchange(steps->last_stop, *stop);
  // In a period of seconds every sync point gathers.
  return steps->config.period.seconds > 0
             ? steps->points
             : pace->schedule.points_in_interval() + std::exchange(steps->left_out, 0);
}

/// Ends the interval, of which this PE measured `mine`. Collective.
Interval close_interval(IntervalShare mine, StepAt at = StepAt::sync_point) {
  const double now = seconds();
  if (computes(net::world.pe)) mine.set_waiting(objects().meeting_seconds());
  if (net::world.pe == 0) mine.set_time(now - steps->job_start, now - steps->last_step);
  const std::uint64_t passed = at == StepAt::between ? 1 : points_passed();
  if (at == StepAt::sync_point) steps->points = 0;
  Interval interval = sum_over_pes(std::move(mine), steps->steps, passed);
  count_instead(interval);
  steps->gain.add(interval.took_s, interval.unbalanced_s);
  return interval;
}

/// Sums over the PEs, so that every record has the totals of the whole job.
void sum_totals(MoveTotals& totals) {
  std::array<std::uint64_t, 4> sums{totals.objects, totals.bytes_handed_over, totals.bytes_copied,
                                    totals.bytes_followed};
  net::sum_polling(sums);
  totals = {sums[0], sums[1], sums[2], sums[3]};
}

/// Returns where objects are, if the report or the recording needs the moves.
std::vector<int> places_now() {
  const std::vector<int>* const places = objects().places();
  return (report_wanted() || trace::recording) && places ? *places : std::vector<int>();
}

std::vector<Relocation> relocated_since(const std::vector<int>& before) {
  const std::vector<int> now = places_now();
  std::vector<Relocation> list;
  for (std::size_t i = 0; i < std::min(before.size(), now.size()); ++i)
    if (before[i] != now[i]) list.push_back({i, before[i], now[i]});
  return list;
}

using RecordedMoves = std::vector<std::pair<trace::ObjectIndex, trace::PeIndex>>;

/// Gathers on PE 0 the moves that only the PE knows to which the objects came. Collective.
RecordedMoves gather_arrivals() {
  const std::vector<trace::ObjectIndex> mine = objects().take_arrivals();
  RecordedMoves moves;
  net::gather_blocks(std::as_bytes(std::span(mine)), 0)
      .for_each([&](std::size_t pe, std::span<const std::byte> block) {
        std::vector<trace::ObjectIndex> arrived(block.size() / sizeof(trace::ObjectIndex));
        std::memcpy(arrived.data(), block.data(), block.size());
        for (const trace::ObjectIndex object : arrived)
          moves.emplace_back(object, static_cast<trace::PeIndex>(pe));
      });
  return moves;
}

/// Writes the record of a step. Collective.
void record_step(const StepRecord& step, double at_s, double took_s) {
  trace::RecordedStep recorded{.time_ns = static_cast<std::uint64_t>(at_s * 1e9),
                               .took_ns = static_cast<std::uint64_t>(took_s * 1e9),
                               .strategy = step.plan.step.strategy,
                               .moves = {}};
  if (!objects().places()) recorded.moves = gather_arrivals();
  for (const Relocation& moved : step.relocations)
    recorded.moves.emplace_back(static_cast<trace::ObjectIndex>(moved.object),
                                static_cast<trace::PeIndex>(moved.to));
  trace::note_step(recorded);
}

/// Calls `decide`; a failure on any PE ends the job.
template <class Decide>
void decide_or_end(const Interval& interval, Decide decide) {
  try {
    net::together(decide);
  } catch (const Error& error) {
    if (net::world.pe == 0) {
      log_line("LB step %llu: %s", static_cast<unsigned long long>(interval.index + 1), error.what());
      net::take_down(1);
    }
    net::barrier();  // until the job is taken down
  }
}

/// Warns when a PE is found above --lb-memory, and again only after it was below.
void tell_memory(const std::vector<std::uint64_t>& held) {
  if (net::world.pe != 0) return;
  steps->told_above_memory.resize(held.size());
  for (std::size_t pe = 0; pe < held.size(); ++pe) {
    const bool above = held[pe] > steps->config.memory_bytes;
    if (above && !steps->told_above_memory[pe])
      SKEIN_WARN("the %s of PE %zu have %llu bytes in use, more than --lb-memory, and no other PE has room",
                 objects().noun(), pe, static_cast<unsigned long long>(held[pe]));
    steps->told_above_memory[pe] = above;
  }
}

/// Makes the plan for the objects as measured at the end of the interval. Collective.
Plan make_plan(const Interval& interval) {
  DecisionScheme& scheme = *steps->scheme;
  scheme.gather(interval);
  Plan plan{.decide_start = seconds()};
  decide_or_end(interval, [&] { scheme.decide(interval, plan); });
  scheme.tell(plan);
  tell_memory(plan.step.held_bytes);
  return plan;
}

/// Begins the period of agreed steps at the first one. Collective.
void begin_agreed_period() {
  const lb::Period& period = *steps->config.agrees_later;
  const bool learns = period.automatic && !steps->config.period.automatic;
  steps->config.agrees = true;
  steps->config.period = period;
  if (learns) steps->scheme = make_scheme(steps->config);
}

}  // namespace

void set_objects(std::unique_ptr<Objects> objects) { steps->objects = std::move(objects); }
Objects& objects() { return *steps->objects; }

bool each_pe_is_told() { return steps->scheme->tells_each_pe(); }

void start_lb_steps(StepConfig new_config) {
  steps->config = std::move(new_config);
  pace->schedule = lb::Schedule(steps->config.period);
  start_pe_speeds(steps->config.pe_speeds, steps->config.balances());
  steps->scheme = make_scheme(steps->config);
  steps->job_start = steps->last_step = steps->last_at_point = seconds();
  if (!steps->config.report_file.empty() && net::world.pe == 0) open_report(steps->config.report_file);
  if (!steps->config.dump_file.empty() && net::world.pe == deciding_pe()) open_dump(steps->config.dump_file);
}

std::unique_ptr<DecisionScheme> use_scheme(std::unique_ptr<DecisionScheme> scheme) {
  return std::exchange(steps->scheme, std::move(scheme));
}

StepAt latest_step_at() { return steps->latest; }

void lb_step(StepAt at) {
  steps->latest = at;
  if (agrees_on_steps() && !steps->config.agrees) begin_agreed_period();
  if (at == StepAt::sync_point) {
    ++steps->points;
    if (too_soon()) return;
  }
  net::correct_job_clock();
  const double start = seconds();
  measure_own_speed();
  exchange_speeds();
  const Interval interval = close_interval(objects().end_interval(), at);
  report_job(steps->config, objects().places());
  const std::vector<int> before = places_now();
  const Plan plan = make_plan(interval);
  const double decided = seconds();
  MoveTotals totals = steps->scheme->carry_out(plan);
  const double moved = seconds();
  totals.bytes_followed = objects().follow();
  const double followed = seconds();
  sum_totals(totals);
  ++steps->steps;

  const std::vector<Relocation> relocations = relocated_since(before);
  const Interval told = as_told(interval);
  const StepRecord record{.interval = told,
                          .stop = steps->last_stop,
                          .plan = plan,
                          .moved = totals,
                          .relocations = relocations,
                          .meet_s = objects().meeting_seconds(),
                          .decide_s = decided - plan.decide_start,
                          .move_s = followed - decided};
  if (net::world.pe == 0) {
    sum_up_step(record);
    note_step(record);
    report_step(record);
    SKEIN_LOG(
        verbose,
        "LB step %llu: imbalance %.1f %% -> %.1f %%, %llu %s moved, decided in %.3f ms, moved in %.3f ms",
        static_cast<unsigned long long>(steps->steps), plan.step.before.imbalance_percent(),
        plan.step.after.imbalance_percent(), static_cast<unsigned long long>(totals.objects),
        objects().noun(), record.decide_s * 1e3, record.move_s * 1e3);
  }
  if (trace::recording) record_step(record, start - steps->job_start, followed - start);
  steps->scheme->learn(plan, interval, {decided - start, moved - decided, at == StepAt::sync_point});
  steps->scheme->end_step(record);
  steps->last_step = seconds();
  if (at == StepAt::sync_point) steps->last_at_point = steps->last_step;
  end_agreed_step();
}

std::uint64_t last_point() { return std::max(steps->last_stop, last_agreed_point()); }

void begin_behind(std::uint64_t point) {
  if (steps->config.period.automatic && point > 0) {
    pace->schedule.set_next_step(point - 1);
    pace->schedule.set_next_step(1);
  }
  steps->last_stop = point;
  agree_behind(point);
}

void leave_step_out() {
  ++steps->points;
  steps->left_out += pace->schedule.points_in_interval();
  if (steps->config.period.automatic) pace->schedule.set_next_step(pace->schedule.points_in_interval());
  end_agreed_step();
}

void measure_whole_run(AfterJob after) {
  steps->scheme->end_job(after);
  steps->config.agrees |= agrees_on_steps();
  steps->agreed = stop_agreeing();
  if (steps->config.has_steps()) {
    const Interval last = close_interval(objects().end_last_interval());
    report_job(steps->config, objects().places());
    report_end(last, steps->gain);
  }
  steps->busy_of_pe.resize(static_cast<std::size_t>(net::world.pes));
  const double mine = objects().busy_seconds();
  net::all_gather(&mine, sizeof mine, steps->busy_of_pe.data());
  steps->busy_of_pe.resize(static_cast<std::size_t>(measured_pes()));
}

bool close_lb_steps() {
  end_progress();
  const bool dump_complete = close_dump();
  const bool report_complete = close_report();
  if (net::world.pe == 0)
    print_summary(steps->config, steps->gain, seconds() - steps->job_start, steps->busy_of_pe,
                  {steps->scheme->advice(), steps->agreed});
  return dump_complete && report_complete;
}

}  // namespace skein::balance
