// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/quiescence/quiescence.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "runtime/balance/lazy/lazy_pe.hpp"
#include "runtime/balance/reserved/answer_watch.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/base/standard_output.hpp"
#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/balance/gathering.hpp"
#include "runtime/chare/balance/lazy_elements.hpp"
#include "runtime/chare/balance/measured_elements.hpp"
#include "runtime/chare/calls/queue.hpp"
#include "runtime/chare/messages/waiting.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/quiescence/called_steps.hpp"
#include "runtime/chare/quiescence/hold_policy.hpp"
#include "runtime/chare/quiescence/quiescence_rounds.hpp"
#include "runtime/chare/quiescence/quiescence_state.hpp"
#include "runtime/chare/record/execution_record.hpp"
#include "runtime/net/pe_tree.hpp"
#include "runtime/net/program_mpi.hpp"
#include "runtime/net/transport.hpp"
#include "skein/job.hpp"
#include "skein/start_lb.hpp"

namespace skein::chare {

PerRuntime<Quiescence> quiescence;

namespace {

constexpr std::size_t kMostLines = 16;  // of a PE's report

/// PE 0's decision, broadcast to all PEs at the end of a round.
enum class Decision : std::uint32_t {
  end,
  end_without,  ///< without the reserved PEs
  step,
  step_between,
  step_left_out,
  report_waiting,
  report_sync,  ///< also reports elements at no sync point
  report_rest,
  drop,
  hold,
  hold_all,
  release,
  pass
};
/// A decision as it is sent. To hold calls, the numbers of the arrays to hold follow.
struct Order {
  Decision decision;
  std::int32_t status;  ///< of the job
};

net::Handler on_order, on_reported, on_exit;
const net::MessageKind order_message("quiescence-order", on_order, net::Counted::no);
const net::MessageKind reported_message("quiescence-reported", on_reported, net::Counted::no);
const net::MessageKind exit_message("quiescence-exit", on_exit, net::Counted::no);

constexpr double kLeastPatienceNs = 1e3, kMostPatienceNs = 2e4;
/// The time between two rounds while the job waits only for timers.
constexpr double kTimerPatienceNs = 1e6;

/// Sends an order down the tree; a PE that gets it passes it on.
void order(Decision decision, std::span<const std::uint32_t> arrays = {}) {
  const Order the_order{decision, quiescence->final_status};
  net::send(0, order_message, {&the_order, sizeof the_order}, {arrays.data(), arrays.size_bytes()});
}

/// Orders an LB step of all PEs together; without reserved PEs there is none.
void order_step(Decision kind) {
  if (balance::is_reserved_pe_lost()) {
    quiescence->called_steps.end_step();
    balance::drop_decisions();
    return order(kind == Decision::step ? Decision::step_left_out : Decision::release);
  }
  quiescence->called_steps.begin_step();
  balance::note_stepping();
  order(kind);
}

void order_end() {
  if (!balance::is_reserved_pe_lost()) return order(Decision::end);
  quiescence->waits_to_end = !balance::is_to_end_without();
  if (quiescence->waits_to_end) return;
  quiescence->reporting = true;
  order(Decision::end_without);
}

/// Orders calls to be put aside for a requested step.
void hold_all() {
  quiescence->hold_policy = {};
  order(Decision::hold_all);
}

bool any_moves_anytime() {
  return std::ranges::any_of(all_arrays(), [](const auto& array) { return array && array->moves_anytime; });
}

bool may_have_steps() {
  return !quiescence->ending && !quiescence->reporting && !balance::is_reserved_pe_lost();
}

void watch_period() {
  if (may_have_steps() && quiescence->called_steps.ask_by_period(any_moves_anytime())) hold_all();
}

enum class Sync { nobody, everybody, some };
/// Returns how many elements of the arrays that synchronize are at a sync point.
Sync synchronized() {
  std::uint64_t at_sync = 0, live = 0;
  for (const auto& [array, count] : quiescence->sum.arrays) {
    if (count.at_sync == 0) continue;
    at_sync += count.at_sync;
    live += count.live;
  }
  return at_sync == 0 ? Sync::nobody : at_sync == live ? Sync::everybody : Sync::some;
}

/// Returns true if calls of the array may be held. Where the program calls MPI, methods of groups may call
/// it too: one that waits in MPI for those of other PEs would wait for held calls.
bool may_be_held(std::uint32_t array) {
  return !net::program_has_mpi() || !array_number(array).tied_to_pes();
}

std::vector<std::uint32_t> arrays_without_sync() {
  std::vector<std::uint32_t> arrays;
  for (const auto& [array, count] : quiescence->sum.arrays)
    if (count.at_sync == 0 && count.live > 0 && may_be_held(array)) arrays.push_back(array);
  return arrays;
}

/// Handles a round that found messages under way or calls to run.
void not_quiet() {
  if (quiescence->ending || quiescence->called_steps.is_asked())
    return;  // all calls are dropped, or put aside
  const std::vector<std::uint32_t> others = arrays_without_sync();
  switch (quiescence->hold_policy.after_busy_round(synchronized() == Sync::everybody, !others.empty())) {
    case HoldPolicy::Action::none:
      return;
    case HoldPolicy::Action::hold:
      return order(Decision::hold, others);
    case HoldPolicy::Action::release:
      return order(Decision::release);
  }
}

/// Decides what the quiet state means.
void decide() {
  if (quiescence->ending) return order_end();
  if (quiescence->called_steps.is_asked()) return order_step(Decision::step_between);
  if (quiescence->hold_policy.after_quiet_round())
    return synchronized() == Sync::everybody ? order_step(Decision::step) : order(Decision::release);
  if (quiescence->sum.pes.standing > 0) return order(Decision::pass);
  // Programs do not see whether a sync point is an LB step, so it comes before quiescence callbacks.
  const Sync sync = synchronized();
  if (sync == Sync::everybody) return order_step(Decision::step);
  if (quiescence->sum.pes.timers > 0) return;
  if (!quiescence->wanting_quiescence.empty()) {
    const Consequences of(because_of(trace::Cause::quiescence));
    for (const Destination& destination : std::exchange(quiescence->wanting_quiescence, {}))
      deliver(destination, {});
    return;
  }
  const bool at_rest = sync == Sync::nobody && quiescence->sum.pes.waiting == 0;
  if (at_rest && !settings.ends_by_exit) return order_end();
  quiescence->reporting = true;
  if (at_rest) {
    log_line(
        "no progress: no entry method runs, no message is under way, and nobody has called skein::exit(), by "
        "which this program ends. Some element waits for a call that never comes; unfinished() tells which. "
        "Where the job may come to rest without it, write skein::exit(0), with a status. At rest are:");
    return order(Decision::report_rest);
  }
  log_line("no progress: no entry method runs, no message is under way, and this waits:");
  order(sync == Sync::some ? Decision::report_sync : Decision::report_waiting);
}

void judge_round(Tally round) {
  quiescence->sum = std::move(round);
  const bool decision_comes =
      quiescence->sum.pes.standing > 0 && quiescence->sum.pes.deciding > 0 && !quiescence->ending;
  const bool quiet = quiescence->sum.pes.sent == quiescence->received_before &&
                     quiescence->sum.pes.active == 0 && quiescence->sum.pes.busy == 0 && !decision_comes;
  const bool in_vain = !quiet && quiescence->received_before;
  quiescence->received_before = quiet || in_vain ? std::nullopt : std::optional(quiescence->sum.pes.received);
  if (in_vain)
    quiescence->patience_with_idleness_ns =
        std::clamp(2 * quiescence->patience_with_idleness_ns, kLeastPatienceNs, kMostPatienceNs);
  if (!quiet) return not_quiet();
  quiescence->patience_with_idleness_ns = 0;
  decide();
}

void begin_round(bool busy) {
  quiescence->round_started = ticks();
  const Asked whom = balance::is_reserved_pe_lost() ? Asked::computing : Asked::all;
  if (std::exchange(quiescence->asked_before, whom) != whom) quiescence->received_before.reset();
  start_round(whom, busy);
}

/// Returns true if a round is under way that will end: lost PEs do not answer.
bool round_goes_on() {
  const std::optional<Asked> whom = round_under_way();
  return whom && (whom == Asked::computing || !balance::is_reserved_pe_lost());
}

/// Describes the elements that wait at a sync point, and those that keep them waiting. An array that
/// synchronizes has both, perhaps on different PEs.
void describe_sync(ArrayBase& array, std::vector<std::string>& lines) {
  if (array.at_sync > 0)
    lines.push_back(std::to_string(array.at_sync) + " of the " + std::to_string(array.live()) +
                    " elements of " + array.name() + " on this PE are at a sync point");
  for (const Element* const element : array.elements())
    if (!element->at_sync && lines.size() <= kMostLines)
      lines.push_back(name_of(*element) + " has called at_sync() " + std::to_string(element->sync_points) +
                      " times and is at no sync point");
}

void describe_rest(const ArrayBase& array, std::vector<std::string>& lines) {
  if (array.live() > 0)
    lines.push_back(std::to_string(array.live()) + " elements of " + array.name() + " on this PE");
}

void note_reported() {
  if (--quiescence->reports_missing > 0) return;
  if (net::world.pe == 0) {
    fflush(nullptr);
    net::take_down(1);
  }
  const char nothing = 0;
  net::send(net::place_in_tree().parent, reported_message, {&nothing, sizeof nothing});
}

/// Waits for reports of the PEs that compute: reserved PEs have nothing to report, and may be lost.
void await_reports() {
  quiescence->reports_missing =
      1 + static_cast<int>(std::ranges::count_if(net::place_in_tree().children, balance::computes));
}

void report(Decision kind) {
  if (!balance::computes(net::world.pe)) return;
  await_reports();
  std::vector<std::string> lines;
  describe_waiting(lines);
  for (const auto& array : all_arrays()) {
    if (array && kind == Decision::report_sync) describe_sync(*array, lines);
    if (array && kind == Decision::report_rest) describe_rest(*array, lines);
  }
  for (std::size_t i = 0; i < lines.size() && i < kMostLines; ++i) log_line("  %s", lines[i].c_str());
  if (lines.size() > kMostLines) log_line("  and %zu more", lines.size() - kMostLines);
  note_reported();
}

/// Ends the job, without reserved PEs, when all have written their output.
void end_without_reserved() {
  if (!balance::computes(net::world.pe)) return;
  await_reports();
  (void)finish_standard_output();
  fflush(nullptr);
  note_reported();
}

/// Holds the calls of the arrays whose numbers are in the message.
void hold(Bytes numbers) {
  while (!numbers.empty()) {
    const auto array = unpack_front<std::uint32_t>(numbers);
    if (is_known(array)) array_number(array).held = true;
  }
  hold_calls();
}

/// Resumes elements that stand for a step. In lazy jobs they are told in another way.
void leave_step_out() {
  release_calls();
  if (balance::is_lazy()) return;
  balance::leave_step_out();
  const Consequences without_step(because_of(trace::Cause::resumed));
  end_gathering();
}

void request_step(balance::StepAt at) {
  quiescence->orders.step_wanted = true;
  quiescence->orders.step_at = at;
}

void end_loop(int status) {
  quiescence->orders.over = true;
  quiescence->orders.exit_status = status;
}

void on_order(int, const std::byte* message, std::size_t bytes) {
  Order given;
  memcpy(&given, message, sizeof given);
  for (const int pe : net::place_in_tree().children) net::send(pe, order_message, {message, bytes});
  switch (given.decision) {
    case Decision::end:
      return end_loop(given.status);
    case Decision::end_without:
      return end_without_reserved();
    case Decision::step:
      return request_step(balance::StepAt::sync_point);
    case Decision::step_left_out:
      return leave_step_out();
    case Decision::step_between:
      return request_step(balance::StepAt::between);
    case Decision::drop:
      return drop_calls();
    case Decision::report_waiting:
    case Decision::report_sync:
    case Decision::report_rest:
      return report(given.decision);
    case Decision::hold:
      return hold(Bytes(message, bytes).subspan(sizeof given));
    case Decision::hold_all:
      return hold_all_calls();
    case Decision::release:
      return release_calls();
    case Decision::pass:
      return pass_unanswered();
  }
}

void on_reported(int, const std::byte*, std::size_t) { note_reported(); }

void on_quiescence_wish(int, Bytes message) {
  quiescence->wanting_quiescence.push_back(unpack_front<Destination>(message));
}

void on_lb_step_wish(int, Bytes) {
  if (may_have_steps() && quiescence->called_steps.ask()) hold_all();
}

/// Handles exit(), on PE 0: the first call counts.
void on_exit(int, const std::byte* message, std::size_t) {
  if (quiescence->ending) return;
  quiescence->ending = true;
  memcpy(&quiescence->final_status, message, sizeof quiescence->final_status);
  order(Decision::drop);
}

const Receives quiescence_wishes(Kind::quiescence_wish, on_quiescence_wish);
const Receives step_wishes(Kind::lb_step_wish, on_lb_step_wish);

}  // namespace

void start_quiescence() {
  quiescence->started = true;
  start_rounds(judge_round);
}

void note_idle(std::uint64_t since) {
  answer_if_asked(false);
  if (net::world.pe == 0) watch_period();
  if (net::world.pe != 0 || round_goes_on() || quiescence->reporting) return;
  if ((quiescence->sum.pes.timers > 0 || quiescence->waits_to_end) &&
      ns_since(quiescence->round_started) < kTimerPatienceNs)
    return;
  if (quiescence->received_before || ns_since(since) >= quiescence->patience_with_idleness_ns)
    begin_round(false);
}

void note_busy() {
  // Such a round decides only whether to hold calls, so few are needed.
  const double between_rounds_ns = 1e7 + 1e4 * net::world.pes;
  answer_if_asked(true);
  if (net::world.pe == 0) watch_period();
  if (net::world.pe == 0 && !round_goes_on() && !quiescence->reporting &&
      ns_since(quiescence->round_started) > between_rounds_ns)
    begin_round(true);
}

bool is_quiescence_wanted() { return !quiescence->wanting_quiescence.empty(); }

void configure_called_steps(const balance::StepConfig& config) { quiescence->called_steps.configure(config); }
void note_step_made() { quiescence->called_steps.end_step(); }

void at_quiescence(const Destination& destination) { post(0, Kind::quiescence_wish, bytes_of(destination)); }

NormalEnd::NormalEnd() { settings.ends_by_exit = true; }

void end_job(int status) {
  if (!quiescence->started)
    fail("skein::exit is called outside of a job: it ends the one that skein::run runs");
  net::send(0, exit_message, {&status, sizeof status});
}

}  // namespace skein::chare

namespace skein {
void start_lb() { chare::post(0, chare::Kind::lb_step_wish, {}); }
}  // namespace skein
