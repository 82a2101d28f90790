// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/quiescence.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "runtime/balance/lazy.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/log.hpp"
#include "runtime/chare/arrays.hpp"
#include "runtime/chare/execution_record.hpp"
#include "runtime/chare/hold_policy.hpp"
#include "runtime/chare/lazy_elements.hpp"
#include "runtime/chare/loop.hpp"
#include "runtime/chare/timers.hpp"
#include "runtime/chare/waiting.hpp"
#include "runtime/chare/wire.hpp"
#include "runtime/net/transport.hpp"
#include "skein/job.hpp"

namespace skein::chare {
namespace {

constexpr std::size_t most_lines = 16;  // of a report, a PE

/// What a PE says of itself, followed by a SyncCount for each array.
struct Answer {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t active = 0;
  std::uint64_t waiting = 0;  ///< things: waiting.hpp
  std::uint64_t busy = 0;     ///< it has calls to run
  // Of lazy balancing:
  std::uint64_t standing = 0;  ///< elements that wait for a decision, and
  std::uint64_t deciding = 0;  ///< it makes one
  std::uint64_t timers = 0;    ///< that call once, and have not yet
};
struct SyncCount {
  std::uint64_t live = 0;
  std::uint64_t at_sync = 0;
};

/// What PE 0 tells all.
enum class Decision : std::uint32_t { end, step, report, drop, hold, release, pass };
/// To hold calls, the numbers of the arrays follow whose calls they are.
struct Order {
  Decision decision;
  std::int32_t status;  ///< of the job's end; of a report, whether sync points are what is waited for
};

int question_handler, answer_handler, order_handler, reported_handler;

// Of every PE.
bool asked = false;

// Of PE 0.
int answers_missing = 0;
Answer sum;
std::vector<SyncCount> sync_sum;
constexpr std::uint64_t not_known = ~std::uint64_t{0};
std::uint64_t received_before = not_known;
std::vector<Destination> wanting_quiescence;
int final_status = 0;
bool ending = false, reporting = false;
int reports_missing = 0;
std::uint64_t round_started = 0;  // ticks
HoldPolicy hold_policy;

/// A PE that waits for an answer is idle for a moment. Rounds then would make the answer later, so after one
/// that was in vain PE 0 waits longer before the next two.
double patience_with_idleness_ns = 0;
constexpr double least_patience_ns = 1e3, most_patience_ns = 2e4;
/// Between two rounds while all that the job waits for are timers.
constexpr double timer_patience_ns = 1e6;

void order(Decision decision, std::span<const std::uint32_t> arrays = {}) {
  const Order the_order{decision, final_status};
  for (int pe = 0; pe < net::world.pes; ++pe)
    net::send(pe, order_handler, {&the_order, sizeof the_order}, {arrays.data(), arrays.size_bytes()});
}

std::vector<SyncCount> sync_counts() {
  std::vector<SyncCount> counts;
  for (const auto& array : all_arrays())
    counts.push_back(array ? SyncCount{array->live(), array->at_sync} : SyncCount{});
  return counts;
}

Answer answer_here(bool busy) {
  const net::Traffic traffic = net::traffic();
  return {traffic.sent, traffic.received, traffic.bulk_active,    count_waiting(),
          busy,         count_standing(), balance::is_deciding(), timers_to_come()};
}

enum class Sync { nobody, everybody, some };
/// Of the elements of the arrays that synchronize.
Sync synchronized() {
  std::uint64_t at_sync = 0, live = 0;
  for (const SyncCount& count : sync_sum) {
    if (count.at_sync == 0) continue;
    at_sync += count.at_sync;
    live += count.live;
  }
  return at_sync == 0 ? Sync::nobody : at_sync == live ? Sync::everybody : Sync::some;
}

std::vector<std::uint32_t> arrays_without_sync() {
  std::vector<std::uint32_t> arrays;
  for (std::uint32_t i = 0; i < sync_sum.size(); ++i)
    if (sync_sum[i].at_sync == 0 && sync_sum[i].live > 0) arrays.push_back(i);
  return arrays;
}

/// After a round that found messages under way or calls to run.
void not_quiet() {
  if (ending) return;  // all calls are dropped then
  const std::vector<std::uint32_t> others = arrays_without_sync();
  switch (hold_policy.after_busy_round(synchronized() == Sync::everybody, !others.empty())) {
    case HoldPolicy::Action::none:
      return;
    case HoldPolicy::Action::hold:
      return order(Decision::hold, others);
    case HoldPolicy::Action::release:
      return order(Decision::release);
  }
}

/// All is quiet: what does it mean?
void decide() {
  if (ending) return order(Decision::end);
  if (hold_policy.after_quiet_round())
    return order(synchronized() == Sync::everybody ? Decision::step : Decision::release);
  if (sum.standing > 0) return order(Decision::pass);
  const Sync sync = synchronized();
  if (sum.timers > 0) {
    if (sync == Sync::everybody) order(Decision::step);
    return;
  }
  if (!wanting_quiescence.empty()) {
    const Consequences of(because_of(trace::Cause::quiescence));
    for (const Destination& destination : std::exchange(wanting_quiescence, {})) deliver(destination, {});
    return;
  }
  if (sync == Sync::everybody) return order(Decision::step);
  if (sync == Sync::nobody && sum.waiting == 0) return order(Decision::end);
  reporting = true;
  final_status = sync == Sync::some;
  reports_missing = net::world.pes;
  log_line("no progress: no entry method runs, no message is under way, and this waits:");
  order(Decision::report);
}

void round_complete() {
  const bool decision_comes = sum.standing > 0 && sum.deciding > 0 && !ending;
  const bool quiet = sum.sent == received_before && sum.active == 0 && sum.busy == 0 && !decision_comes;
  const bool in_vain = !quiet && received_before != not_known;
  received_before = quiet || in_vain ? not_known : sum.received;
  if (in_vain)
    patience_with_idleness_ns =
        std::clamp(2 * patience_with_idleness_ns, least_patience_ns, most_patience_ns);
  if (!quiet) return not_quiet();
  patience_with_idleness_ns = 0;
  decide();
}

void add_answer(const Answer& answer, std::span<const SyncCount> counts) {
  sum.sent += answer.sent;
  sum.received += answer.received;
  sum.active += answer.active;
  sum.waiting += answer.waiting;
  sum.busy += answer.busy;
  sum.standing += answer.standing;
  sum.deciding += answer.deciding;
  sum.timers += answer.timers;
  if (sync_sum.size() < counts.size()) sync_sum.resize(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    sync_sum[i].live += counts[i].live;
    sync_sum[i].at_sync += counts[i].at_sync;
  }
  if (--answers_missing == 0) round_complete();
}

void start_round(bool busy) {
  round_started = ticks();
  sum = {};
  sync_sum.clear();
  answers_missing = net::world.pes;
  const char nothing = 0;
  for (int pe = 1; pe < net::world.pes; ++pe) net::send(pe, question_handler, {&nothing, sizeof nothing});
  add_answer(answer_here(busy), sync_counts());
}

void on_question(int, const std::byte*, std::size_t) { asked = true; }

void on_answer(int, const std::byte* message, std::size_t bytes) {
  Answer answer;
  memcpy(&answer, message, sizeof answer);
  std::vector<SyncCount> counts((bytes - sizeof answer) / sizeof(SyncCount));
  if (!counts.empty()) memcpy(counts.data(), message + sizeof answer, counts.size() * sizeof(SyncCount));
  add_answer(answer, counts);
}

void send_answer(bool busy) {
  asked = false;
  const Answer answer = answer_here(busy);
  const std::vector<SyncCount> counts = sync_counts();
  net::send(0, answer_handler, {&answer, sizeof answer}, {counts.data(), counts.size() * sizeof(SyncCount)});
}

/// Elements that wait at a sync point, and those that keep them waiting. An array that synchronizes has both,
/// perhaps on different PEs.
void describe_sync(ArrayBase& array, std::vector<std::string>& lines) {
  if (array.at_sync > 0)
    lines.push_back(std::to_string(array.at_sync) + " of the " + std::to_string(array.live()) +
                    " elements of " + array.name() + " on this PE are at a sync point");
  for (const Element* const element : array.elements())
    if (!element->at_sync && lines.size() <= most_lines)
      lines.push_back(name_of(*element) + " has called at_sync() " + std::to_string(element->sync_points) +
                      " times and is at no sync point");
}

void report(bool report_sync) {
  std::vector<std::string> lines;
  describe_waiting(lines);
  for (const auto& array : all_arrays())
    if (array && report_sync) describe_sync(*array, lines);
  for (std::size_t i = 0; i < lines.size() && i < most_lines; ++i) log_line("  %s", lines[i].c_str());
  if (lines.size() > most_lines) log_line("  and %zu more", lines.size() - most_lines);
  const char nothing = 0;
  net::send(0, reported_handler, {&nothing, sizeof nothing});
}

/// The numbers of the arrays are in the message.
void hold(Bytes numbers) {
  while (!numbers.empty()) {
    const auto array = unpack_front<std::uint32_t>(numbers);
    if (is_known(array)) array_number(array).held = true;
  }
  hold_calls();
}

void on_order(int, const std::byte* message, std::size_t bytes) {
  Order given;
  memcpy(&given, message, sizeof given);
  switch (given.decision) {
    case Decision::end:
      return end_loop(given.status);
    case Decision::step:
      return request_step();
    case Decision::drop:
      return drop_calls();
    case Decision::report:
      return report(given.status != 0);
    case Decision::hold:
      return hold(Bytes(message, bytes).subspan(sizeof given));
    case Decision::release:
      return release_calls();
    case Decision::pass:
      return pass_unanswered();
  }
}

void on_reported(int, const std::byte*, std::size_t) {
  if (--reports_missing > 0) return;
  fflush(nullptr);
  net::take_down(1);
}

void on_quiescence_wish(int, Bytes message) {
  wanting_quiescence.push_back(unpack_front<Destination>(message));
}

/// To PE 0 from wherever exit() is called: the first call counts.
int exit_handler;
void on_exit(int, const std::byte* message, std::size_t) {
  if (ending) return;
  ending = true;
  memcpy(&final_status, message, sizeof final_status);
  order(Decision::drop);
}

}  // namespace

void start_quiescence() {
  using net::Counted;
  question_handler = net::register_handler(on_question, Counted::no);
  answer_handler = net::register_handler(on_answer, Counted::no);
  order_handler = net::register_handler(on_order, Counted::no);
  reported_handler = net::register_handler(on_reported, Counted::no);
  exit_handler = net::register_handler(on_exit, Counted::no);
  set_receiver(Kind::quiescence_wish, on_quiescence_wish);
}

void note_idle(std::uint64_t since) {
  if (asked) send_answer(false);
  if (net::world.pe != 0 || answers_missing > 0 || reporting) return;
  if (sum.timers > 0 && ns_since(round_started) < timer_patience_ns) return;
  if (received_before != not_known || ns_since(since) >= patience_with_idleness_ns) start_round(false);
}

void note_busy() {
  // Nothing is decided by such a round but whether to hold calls, so there need not be many.
  const double between_rounds_ns = 1e7 + 1e4 * net::world.pes;
  if (asked) send_answer(true);
  if (net::world.pe == 0 && answers_missing == 0 && !reporting && ns_since(round_started) > between_rounds_ns)
    start_round(true);
}

void resume_all() {
  for (const auto& array : all_arrays()) {
    if (!array || array->at_sync == 0) continue;
    array->at_sync = 0;
    for (Element* const element : array->elements())
      if (element->at_sync) go_on_from_stop(*element);
  }
}

void at_quiescence(const Destination& destination) { post(0, Kind::quiescence_wish, bytes_of(destination)); }

}  // namespace skein::chare

namespace skein {
void exit(int status) { net::send(0, chare::exit_handler, {&status, sizeof status}); }
}  // namespace skein
