// SPDX-License-Identifier: Apache-2.0
// Whether those who decide are there. An LB step is made by all PEs together, and none of them can leave it
// once it has begun. So where some PEs are reserved, PE 0, which computes, is the *witness*: it calls the
// reserved ones every now and then, and once more when all PEs that compute stand where a step is to be made.
// The step begins when they have answered that. Where they do not, the job goes on without a step.
//
// A PE *stands* when all its objects that have not ended have stopped for a step. What it says of that holds
// for a *round*: the witness begins another with each step, and whenever it gives up waiting for one. In a
// lazy job, where a decision may be dropped, it holds for the decision that is to be applied, too.
//
// Only the witness says that a step is made or given up, and it says one thing of a round; that is why no PE
// makes a step that another has given up.
//
// A value without messages and clocks, as lazy.hpp, with which it is tested.
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "skein/lb/lazy.hpp"

namespace skein::lb::lazy {

/// What a PE that computes says when it stands, or stands otherwise than it said last.
struct Stand {
  std::uint64_t round = 0;    // the newest that it has heard of
  Point about = 0;            // in a lazy job: what the decision is about that is to be applied; 0: none is
  std::uint64_t objects = 0;  // that stand here; the others have ended

  friend auto operator<=>(const Stand&, const Stand&) = default;
};

class Witness {
 public:
  Witness() = default;
  /// Watches so many PEs that compute, and so many that are reserved.
  Witness(std::size_t members, std::size_t reserved)
      : stands_(members, Stand{.round = kNever}), reserved_(reserved) {}

  void stands(std::size_t member, const Stand& stand);
  /// All PEs that compute stand for the same.
  bool all_stand() const;
  /// How many objects of the job, on those PEs, have not ended.
  std::uint64_t objects() const;

  /// All reserved PEs are called. Returns the number of the call, which they answer with.
  std::uint64_t calls();
  /// One of them has answered. False: an earlier call.
  bool answered(std::uint64_t call);
  /// Nobody is missing of the last call.
  bool heard_all() const { return missing_ == 0; }
  /// They are to be called since a step could be made.
  bool is_to_call() const { return all_stand() && !called_since_; }

  /// All PEs that compute are to be told to make the step.
  bool may_meet() const { return all_stand() && called_since_ && heard_all(); }
  /// They are told, by which all, and the witness, are in the next round; or that there will be none. Returns
  /// that round.
  std::uint64_t next_round() { return ++round_; }
  std::uint64_t round() const { return round_; }

  friend auto operator<=>(const Witness&, const Witness&) = default;

 private:
  std::vector<Stand> stands_;  // by PE
  std::size_t reserved_ = 0, missing_ = 0;
  std::uint64_t round_ = 0, call_ = 0;
  bool called_since_ = false;  // a PE said last how it stands
};

}  // namespace skein::lb::lazy
