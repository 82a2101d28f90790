// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/quiescence/quiescence_rounds.hpp"

#include <cstring>
#include <utility>

#include "runtime/balance/lazy/lazy_pe.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/balance/lazy_elements.hpp"
#include "runtime/chare/messages/waiting.hpp"
#include "runtime/chare/quiescence/quiescence_state.hpp"
#include "runtime/chare/quiescence/timer.hpp"
#include "runtime/net/pe_tree.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

net::Handler on_question, on_answer;
const net::MessageKind question_message("quiescence-question", on_question, net::Counted::no);
const net::MessageKind answer_message("quiescence-answer", on_answer, net::Counted::no);

void add(const PeCounts& answer) {
  PeCounts& sum = quiescence->round.tally.pes;
  sum.sent += answer.sent;
  sum.received += answer.received;
  sum.active += answer.active;
  sum.waiting += answer.waiting;
  sum.busy += answer.busy;
  sum.standing += answer.standing;
  sum.deciding += answer.deciding;
  sum.timers += answer.timers;
}

/// An answer in a message; the counts of each array follow.
struct AnswerHeader {
  std::uint64_t round;
  PeCounts pes;
};
struct CountOfArray {
  std::uint64_t array;
  SyncCount count;
};

void add(std::uint32_t array, const SyncCount& count) {
  quiescence->round.tally.arrays[array].live += count.live;
  quiescence->round.tally.arrays[array].at_sync += count.at_sync;
}

void note_one_answered() {
  if (--quiescence->round.missing > 0) return;
  Tally all = std::exchange(quiescence->round.tally, {});
  if (net::world.pe == 0) return quiescence->round.judge(std::move(all));
  std::vector<CountOfArray> counts;
  for (const auto& [array, count] : all.arrays) counts.push_back({array, count});
  const AnswerHeader header{quiescence->round.question.round, all.pes};
  net::send(net::place_in_tree().parent, answer_message, {&header, sizeof header},
            {counts.data(), counts.size() * sizeof(CountOfArray)});
}

void count_this_pe(bool busy) {
  quiescence->round.asked = false;
  const net::Traffic traffic =
      quiescence->round.question.whom == Asked::all ? net::traffic() : net::traffic_apart();
  add({traffic.sent, traffic.received, traffic.bulk_active, count_waiting(), busy, count_standing(),
       balance::is_deciding(), timers_to_come()});
  for (const auto& array : all_arrays())
    if (array->live() > 0) add(array->number(), {array->live(), array->at_sync});
  note_one_answered();
}

/// Begins a round. The counts of a round that was given up are dropped.
void begin(const Round::Question& the_question) {
  quiescence->round.question = the_question;
  quiescence->round.tally = {};
  quiescence->round.asked = true;
  quiescence->round.missing = 1;
  for (const int pe : net::place_in_tree().children) {
    if (quiescence->round.question.whom == Asked::computing && !balance::computes(pe)) continue;
    ++quiescence->round.missing;
    net::send(pe, question_message, {&quiescence->round.question, sizeof quiescence->round.question});
  }
}

void on_question(int, const std::byte* message, std::size_t) {
  Round::Question the_question;
  memcpy(&the_question, message, sizeof the_question);
  begin(the_question);
}

void on_answer(int, const std::byte* message, std::size_t bytes) {
  AnswerHeader header;
  memcpy(&header, message, sizeof header);
  if (header.round != quiescence->round.question.round) return;
  add(header.pes);
  const std::size_t arrays = (bytes - sizeof header) / sizeof(CountOfArray);
  for (std::size_t i = 0; i < arrays; ++i) {
    CountOfArray each;
    memcpy(&each, message + sizeof header + i * sizeof each, sizeof each);
    add(static_cast<std::uint32_t>(each.array), each.count);
  }
  note_one_answered();
}

}  // namespace

void start_rounds(void (*judge)(Tally)) { quiescence->round.judge = judge; }

void start_round(Asked whom, bool busy) {
  begin({quiescence->round.question.round + 1, whom});
  count_this_pe(busy);
}

std::optional<Asked> round_under_way() {
  if (quiescence->round.missing == 0) return std::nullopt;
  return quiescence->round.question.whom;
}

void answer_if_asked(bool busy) {
  if (quiescence->round.asked) count_this_pe(busy);
}

}  // namespace skein::chare
