// SPDX-License-Identifier: Apache-2.0
#include "runtime/pe/deadlock.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/base/texts.hpp"
#include "runtime/base/upcalls.hpp"
#include "runtime/net/node_calls.hpp"
#include "runtime/net/pe_tree.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/net/watched.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/pe/pe_loop.hpp"
#include "runtime/pe/sync.hpp"
#include "runtime/rank/scheduler.hpp"

namespace skein::pe {
namespace {

constexpr int kMostLines = 32;  // of a PE; the rest is counted

struct Question {
  std::uint64_t meetings_ended = 0;  // of PE 0
};

/// The state that an idle PE compares again and again.
struct State {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t active = 0;
  std::uint64_t switches = 0;
  std::uint64_t may_meet = 0;
  bool operator==(const State&) const = default;
};

struct Answer : State {
  net::NodeCallCounts node_calls;
  bool operator==(const Answer&) const = default;
};

/// Ranks by what they are in: the first words of the wait's reason, up to the comma.
using RanksIn = std::map<std::string, std::set<int>>;

net::Handler on_question, on_answer, on_report, on_reported;
const net::MessageKind question_message("watch-question", on_question, net::Counted::no);
const net::MessageKind answer_message("watch-answer", on_answer, net::Counted::no);
const net::MessageKind report_message("watch-report", on_report, net::Counted::no);
const net::MessageKind reported_message("watch-reported", on_reported, net::Counted::no);

struct DeadlockWatch {
  /// The answers of this PE and of those below it in the tree over all PEs.
  Answer sum;
  RanksIn ranks_in;
  int answers_missing = 0;
  /// PE 0's view.
  double quiet_seconds = std::numeric_limits<double>::infinity();  // until the watch starts
  Answer last_sum;
  bool have_last = false;
  bool reporting = false;
  double quiet_since = 0;
  State quiet_state;
};
PerRuntime<DeadlockWatch> watch;

State state_here() {
  const net::Traffic traffic = net::traffic();
  return {traffic.sent, traffic.received, traffic.bulk_active, scheduler_stats().switches, may_meet()};
}

void ask_all(const net::MessageKind& kind) {
  const Question question{meetings_ended()};
  watch->answers_missing = 1;
  net::send(0, kind, {&question, sizeof question});
}

/// Sends a question to the PEs below; then as many answers are missing, and this PE's.
void pass_down(const net::MessageKind& kind, net::Bytes question) {
  const std::vector<int>& children = net::place_in_tree().children;
  for (const int pe : children) net::send(pe, kind, question);
  watch->answers_missing = 1 + static_cast<int>(children.size());
}

void take_answer(const Answer& answer);

void on_question(int, const std::byte* message, std::size_t bytes) {
  Question question;
  memcpy(&question, message, sizeof question);
  pass_down(question_message, {message, bytes});
  Answer answer{state_here(), net::node_call_counts()};
  watch->sum = {};
  watch->sum.node_calls = answer.node_calls;
  // This PE is in a meeting that PE 0 has left, or ahead of it: its ranks are about to go on without a
  // message.
  if (meetings_ended() != question.meetings_ended) ++answer.active;
  // An event that a rank waits for in memory has happened, and was not reported yet.
  if (net::any_watched_happened()) ++answer.active;
  // This very poll may have made a rank ready; and a sleeping rank goes on by itself.
  if (any_ready() || any_asleep()) ++answer.active;
  // A strategy works on a thread of some PE, and its message will come.
  if (any_held()) ++answer.active;
  take_answer(answer);
}

void judge() {
  const bool nothing_under_way = watch->sum.sent == watch->sum.received && watch->sum.active == 0 &&
                                 !watch->sum.node_calls.any_under_way();
  // When every PE is in a meeting or on its way into it, no rank waits for another: a long time then is the
  // PEs' own work.
  const bool all_meet = watch->sum.may_meet == static_cast<std::uint64_t>(net::world.pes);
  if (nothing_under_way && !all_meet && watch->have_last && watch->sum == watch->last_sum) {
    watch->reporting = true;
    log_line("deadlock: no rank can go on, and no message is under way. What each rank waits for:");
    ask_all(report_message);
    return;
  }
  watch->last_sum = watch->sum;
  watch->have_last = true;
}

void take_answer(const Answer& answer) {
  watch->sum.sent += answer.sent;
  watch->sum.received += answer.received;
  watch->sum.active += answer.active;
  watch->sum.switches += answer.switches;
  watch->sum.may_meet += answer.may_meet;
  watch->sum.node_calls.join(answer.node_calls);
  if (--watch->answers_missing > 0) return;
  if (own_pe == 0) return judge();
  net::send(net::place_in_tree().parent, answer_message, {&watch->sum, sizeof watch->sum});
}

void on_answer(int, const std::byte* message, std::size_t) {
  Answer answer;
  memcpy(&answer, message, sizeof answer);
  take_answer(answer);
}

std::string describe_value(char kind, int value) {
  if (kind == 'd') return std::to_string(value);
  const char* const what = kind == 'r' ? "rank" : "tag";
  return value < 0 ? format("any %s", what) : format("%s %d", what, value);
}

std::string describe_bytes(const char* before, std::uint64_t bytes) {
  return bytes == 0 ? "" : format("%s with %llu bytes", before, static_cast<unsigned long long>(bytes));
}

std::string describe(const WaitsFor& what) {
  const WaitReason& why = what.reason;
  if (!why.format) return "nothing known";
  std::string text, rest;
  const int* value = why.values;
  for (const char* c = why.format; *c; ++c)
    if (*c != '%') {
      text += *c;
    } else if (*++c == 'b') {
      text += describe_bytes("", what.brings.now);
      rest = describe_bytes(", after a call", what.brings.before);
    } else {
      text += describe_value(*c, *value++);
    }
  return text + rest;
}

/// Describes the calls that the rank is in, and what these wait for.
std::vector<std::string> describe_calls(const Rank& rank) {
  const Fiber& fiber = rank.main;
  std::vector<std::string> calls{describe({fiber.waits_for, fiber.brings})};
  if (const WaitsOn& more = fiber.waits_on; more.why) calls.push_back(describe(more.why(more.on)));
  return calls;
}

std::string call_of(const Rank& rank) {
  std::string text;
  for (const std::string& call : describe_calls(rank))
    text += (text.empty() ? "" : ": ") + call.substr(0, call.find(','));
  return text;
}

/// Packs for the PE above: each text with its zero, the number of ranks, and the ranks. Empty if no message
/// can hold them.
std::vector<std::byte> flatten(const RanksIn& ranks_in) {
  std::vector<std::byte> flat;
  const auto add = [&](const void* from, std::size_t bytes) {
    const auto* const begin = static_cast<const std::byte*>(from);
    flat.insert(flat.end(), begin, begin + bytes);
  };
  for (const auto& [text, ranks] : ranks_in) {
    const int count = static_cast<int>(ranks.size());
    add(text.c_str(), text.size() + 1);
    add(&count, sizeof count);
    for (const int rank : ranks) add(&rank, sizeof rank);
  }
  return flat.size() <= net::kLongestMessage ? flat : flatten({{"", {}}});
}
void join(RanksIn& all, const std::byte* at, const std::byte* end) {
  while (at < end) {
    std::set<int>& ranks = all[reinterpret_cast<const char*>(at)];
    at += strlen(reinterpret_cast<const char*>(at)) + 1;
    int count, rank;
    memcpy(&count, at, sizeof count);
    for (at += sizeof count; count > 0; --count, at += sizeof rank) {
      memcpy(&rank, at, sizeof rank);
      ranks.insert(rank);
    }
  }
}

/// Prints which ranks are where others are not: the lines above may be many, and leave some out.
void tell_who_is_where() {
  if (watch->ranks_in.size() < 2 || watch->ranks_in.contains("")) return;
  log_line("in short:");
  for (const auto& [text, ranks] : watch->ranks_in)
    log_line("  %s: %s", text_of_ranks(ranks).c_str(), text.c_str());
}

std::string describe(const Rank& rank) {
  const Fiber& fiber = rank.main;
  if (fiber.state == FiberState::ready) return format("  rank %d on PE %d: running", rank.id, own_pe);
  std::string text;
  for (const std::string& call : describe_calls(rank)) text += (text.empty() ? "" : ": ") + call;
  return format("  rank %d on PE %d: %s", rank.id, own_pe, text.c_str());
}

void take_report() {
  if (--watch->answers_missing > 0) return;
  if (own_pe == 0) {
    tell_who_is_where();
    fflush(nullptr);
    net::take_down(1);
  }
  const std::vector<std::byte> flat = flatten(watch->ranks_in);
  net::send(net::place_in_tree().parent, reported_message, {flat.data(), flat.size()});
}

void on_report(int, const std::byte* message, std::size_t bytes) {
  pass_down(report_message, {message, bytes});
  int lines = 0, left_out = 0;
  for (std::size_t id = 0; id < location->pe_of_rank.size(); ++id) {
    if (!is_here(static_cast<int>(id))) continue;
    const Rank& rank = rank_in_slot(static_cast<int>(id));
    if (rank.done) continue;
    watch->ranks_in[call_of(rank)].insert(rank.id);
    if (++lines <= kMostLines)
      log_line("%s", describe(rank).c_str());
    else
      ++left_out;
  }
  if (left_out > 0) log_line("  and %d more ranks on PE %d", left_out, own_pe);
  take_report();
}

void on_reported(int, const std::byte* message, std::size_t bytes) {
  join(watch->ranks_in, message, message + bytes);
  take_report();
}

}  // namespace

void watch_for_deadlock() {
  if (own_pe != 0) return;
  const double now = seconds();
  const State state = state_here();
  if (state != watch->quiet_state || watch->quiet_since == 0) {
    watch->quiet_state = state;
    watch->quiet_since = now;
    watch->have_last = false;
    return;
  }
  if (watch->reporting || watch->answers_missing > 0 || now - watch->quiet_since < watch->quiet_seconds)
    return;
  watch->quiet_since = now;
  ask_all(question_message);
}

void start_deadlock_watch(double after_seconds) { watch->quiet_seconds = after_seconds; }

}  // namespace skein::pe
