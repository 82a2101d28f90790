// SPDX-License-Identifier: Apache-2.0
// A round of the four-counter method (quiescence.hpp): PE 0 asks down the tree over all PEs, and the answers
// are added up on the way back. So PEs hear only of their children, and a round takes each PE one message for
// each neighbour in the tree and direction.
//
// A PE counts itself when it is idle, or after a while when it is not; never before it was asked. Thus all
// counts of a round are taken between its beginning and its end on PE 0, and rounds follow each other.
//
// Reserved PEs run no calls, but send and receive, and their decisions set elements going. If they do not
// answer (runtime/balance/reserved/answer_watch.hpp) a round asks the others alone, and counts the messages
// between these: no PE that computes hangs below a reserved one in the tree, since the reserved ones are the
// last of the job.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace skein::chare {

/// The counts of PEs, in total.
struct PeCounts {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t active = 0;
  std::uint64_t waiting = 0;  ///< waiting things: waiting.hpp
  std::uint64_t busy = 0;     ///< PEs with calls to run
  /// For lazy balancing:
  std::uint64_t standing = 0;  ///< elements that wait for a decision
  std::uint64_t deciding = 0;  ///< PEs that make a decision
  std::uint64_t timers = 0;    ///< one-shot timers still to come
};
/// The numbers of an array's elements, and of those at a sync point.
struct SyncCount {
  std::uint64_t live = 0;
  std::uint64_t at_sync = 0;
};
struct Tally {
  PeCounts pes;
  std::map<std::uint32_t, SyncCount> arrays;  ///< by number
};

/// Sets the handlers; `judge` gets the result of each round, on PE 0. On every PE, once.
void start_rounds(void (*judge)(Tally));

/// The PEs that a round asks.
enum class Asked : std::uint32_t { all, computing };
/// Starts a round, and gives up one that is under way. On PE 0, which is idle, or busy.
void start_round(Asked whom, bool busy);
/// Returns the PEs that the round under way asks, if there is one. On PE 0.
std::optional<Asked> round_under_way();
/// Answers a question. On every PE, from its loop: it is idle, or busy.
void answer_if_asked(bool busy);

}  // namespace skein::chare
