// SPDX-License-Identifier: Apache-2.0
// Tells whether the deciding PEs are there. An LB step is made by all PEs together, and none can leave it
// once it has begun. So if some PEs are reserved, PE 0, which computes, is the *witness*: it calls the
// reserved PEs every now and then, and once more when all computing PEs stand where a step is to be made. The
// step begins when they have answered that call. If they do not answer, the job goes on without a step.
//
// A PE *stands* when all its objects that have not ended have stopped for a step. Its report of this holds
// for a *round*: the witness begins another round with each step, and whenever it gives up waiting for one.
// In a lazy job, where a decision may be dropped, a report holds only for the decision that is to be applied.
//
// Only the witness announces that a step is made or given up, once for each round; so no PE makes a step that
// another gave up.
//
// A value without messages and clocks; it is tested together with lazy.hpp.
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "skein/lb/lazy.hpp"

namespace skein::lb::lazy {

/// The report of a computing PE when it stands, or when its last report no longer holds.
struct Stand {
  std::uint64_t round = 0;  // the newest round that the PE has heard of
  Point about = 0;  // in a lazy job: the point that the decision to be applied is about; 0: no decision
  std::uint64_t objects = 0;  // objects that stand here; the others have ended

  friend auto operator<=>(const Stand&, const Stand&) = default;
};

class Witness {
 public:
  Witness() = default;
  /// Watches `members` computing PEs and `reserved` reserved ones.
  Witness(std::size_t members, std::size_t reserved)
      : stands_(members, Stand{.round = kNever}), reserved_(reserved) {}

  void stands(std::size_t member, const Stand& stand);
  /// Returns true if all computing PEs stand in this round and for the same decision.
  bool all_stand() const;
  /// Returns how many objects of the job, on the computing PEs, have not ended.
  std::uint64_t objects() const;

  /// Begins a call to all reserved PEs. Returns its number, which they send back.
  std::uint64_t calls();
  /// Takes in an answer of one reserved PE. Returns false if it answers an earlier call.
  bool answered(std::uint64_t call);
  /// Returns true if all reserved PEs have answered the last call.
  bool heard_all() const { return missing_ == 0; }
  /// Returns true if the reserved PEs must be called because a step has become possible.
  bool is_to_call() const { return all_stand() && !called_since_; }

  /// Returns true if all computing PEs may be told to make the step.
  bool may_meet() const { return all_stand() && called_since_ && heard_all(); }
  /// Begins and returns the next round, when PEs are told to make the step or that there will be none.
  std::uint64_t next_round() { return ++round_; }
  std::uint64_t round() const { return round_; }

  friend auto operator<=>(const Witness&, const Witness&) = default;

 private:
  std::vector<Stand> stands_;  // by PE
  std::size_t reserved_ = 0, missing_ = 0;
  std::uint64_t round_ = 0, call_ = 0;
  bool called_since_ = false;  // no PE has reported since the last call
};

}  // namespace skein::lb::lazy
