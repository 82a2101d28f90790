// SPDX-License-Identifier: Apache-2.0
// Reports why a replay does not continue: which rank waits for what.
#include "lb/simulate/rank_player.hpp"

namespace skein::simulate {
namespace {

using trace::Event;
using trace::EventKind;

constexpr int kMostNamed = 5;

const char* name_of(trace::Collective kind) {
  static constexpr const char* names[] = {"barrier",        "bcast",
                                          "gather",         "gatherv",
                                          "scatter",        "scatterv",
                                          "allgather",      "allgatherv",
                                          "alltoall",       "alltoallv",
                                          "alltoallw",      "reduce",
                                          "allreduce",      "reduce_scatter_block",
                                          "reduce_scatter", "scan",
                                          "exscan",         "creation of a communicator"};
  const auto index = static_cast<std::size_t>(kind);
  return index < std::size(names) ? names[index] : "collective";
}

std::string text_of_message(const char* what, const Event& event) {
  return std::string(what) + " rank " + std::to_string(event.partner) + ", tag " + std::to_string(event.tag) +
         ", communicator " + std::to_string(event.communicator);
}

}  // namespace

std::string RankPlayer::text_of_wait(ObjectIndex object) const {
  const Rank& rank = ranks_[object];
  std::string text = "rank " + std::to_string(object) + " at its event " + std::to_string(rank.events) + ": ";
  if (rank.stage == Stage::stopped) return text + "stopped at sync point " + std::to_string(rank.points);
  if (!is_at_event(rank.stage)) return text + "a call";
  Streams::Place after;
  const Event event = streams_.read(object, rank.at, after).event();
  switch (event.kind) {
    case EventKind::send:
      return text + text_of_message("a send to", event);
    case EventKind::receive:
      return text + text_of_message("a receive from", event);
    case EventKind::probe:
      return text + text_of_message("a probe for a message from", event);
    case EventKind::collective:
      return text + name_of(static_cast<trace::Collective>(event.what)) + " on communicator " +
             std::to_string(event.communicator);
    case EventKind::wait: {
      text += "a wait for " + std::to_string(event.list.size()) + " requests";
      // Receives tell their sources.
      std::string first;
      int more = 0;
      const auto is_one = [&](Completion waiting) {
        return waiting.task == object && waiting.request != kNone &&
               waits_.requests(object).is_awaited(waiting.request);
      };
      messages_.matching().for_receives_of(object, [&](const MessageKey& channel, Completion completion) {
        if (!is_one(completion)) return;
        if (more++ == 0)
          first = "a receive from rank " + std::to_string(channel.sender) + ", tag " +
                  std::to_string(channel.tag) + ", communicator " + std::to_string(channel.communicator / 2);
      });
      if (more > 0) text += ", of which " + std::to_string(more) + " receives are not complete: " + first;
      return text;
    }
    default:
      return text + "a call";
  }
}

void RankPlayer::report_waiting() const {
  ObjectIndex first_cut = kNone;
  std::string waiting;
  int named = 0;
  std::uint64_t count = 0;
  for (ObjectIndex object = 0; object < ranks_.size(); ++object) {
    const Stage stage = ranks_[object].stage;
    if (stage == Stage::cut && first_cut == kNone) first_cut = object;
    if (stage == Stage::ended || stage == Stage::cut) continue;
    ++count;
    if (named >= kMostNamed) continue;
    ++named;
    waiting += "\n  " + text_of_wait(object);
  }
  if (count > static_cast<std::uint64_t>(named))
    waiting += "\n  and " + std::to_string(count - static_cast<std::uint64_t>(named)) + " more";
  if (first_cut != kNone)
    throw SimulationError("the trace was cut short: the record of rank " + std::to_string(first_cut) +
                          " ends after its event " + std::to_string(ranks_[first_cut].events) +
                          " with no end of the rank, and others go on" +
                          (count > 0 ? ". They wait:" + waiting : "") +
                          "\nRecord a run that comes to its end, or take a trace's whole part (skein trace "
                          "check tells what is missing)");
  throw SimulationError("the replay waits for ever: " + std::to_string(count) + " of " +
                        std::to_string(ranks_.size()) + " ranks wait, and nothing is under way" + waiting +
                        "\nThe trace was changed, or lacks events (skein trace check); or the program works "
                        "only as messages happened to come when it was recorded (wildcards)");
}

void RankPlayer::check_ends() const {
  if (cut_ == 0) return;
  bool alike = cut_ == ranks_.size();
  for (const Rank& rank : ranks_) alike = alike && rank.points == ranks_[0].points;
  if (!alike) report_waiting();
}

}  // namespace skein::simulate
