// SPDX-License-Identifier: Apache-2.0
// A round of the four-counter method (quiescence.hpp): PE 0 asks down the tree over all PEs, and what PEs
// answer is added up on the way back. So no PE hears of more than its children, and a round takes each PE one
// message for each neighbour in the tree and way.
//
// A PE counts itself when it is idle, or after a while though it is not; never before it was asked. Thus all
// counts of a round are taken between its beginning and its end on PE 0, and rounds follow each other.
//
// Reserved PEs run no calls, but send and receive, and their decisions set elements going. Where they do not
// answer (runtime/balance/reserved/answer_watch.hpp) a round is of the others alone, and of what goes between
// these: no PE that computes hangs below a reserved one in the tree, since the reserved ones are the last of
// the job.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace skein::chare {

/// What PEs say of themselves, in sum.
struct PeCounts {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t active = 0;
  std::uint64_t waiting = 0;  ///< things: waiting.hpp
  std::uint64_t busy = 0;     ///< PEs with calls to run
  /// For lazy balancing:
  std::uint64_t standing = 0;  ///< elements that wait for a decision, and
  std::uint64_t deciding = 0;  ///< PEs that make one
  std::uint64_t timers = 0;    ///< that call once, and have not yet
};
/// How many elements of an array there are, and how many are at a sync point.
struct SyncCount {
  std::uint64_t live = 0;
  std::uint64_t at_sync = 0;
};
struct Tally {
  PeCounts pes;
  std::map<std::uint32_t, SyncCount> arrays;  ///< by number
};

/// Sets the handlers; `judge` gets, on PE 0, what each round has come to. On every PE, once.
void start_rounds(void (*judge)(Tally));

/// Whom a round asks.
enum class Asked : std::uint32_t { all, computing };
/// On PE 0, which is idle, or busy. A round that is under way is given up.
void start_round(Asked whom, bool busy);
/// On PE 0: of whom, if one is.
std::optional<Asked> round_under_way();
/// On every PE, from its loop: it is idle, or busy.
void answer_if_asked(bool busy);

}  // namespace skein::chare
