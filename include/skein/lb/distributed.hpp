// SPDX-License-Identifier: Apache-2.0
// Distributed strategies: each PE decides about its own objects from what it knows of them and what other PEs
// tell it. No PE and no message ever holds all objects.
//
// The part of one PE is a PeProcess: a pure state machine that is stepped in rounds. In each round it
// receives the messages sent to it in the round before, ordered by sender, and returns messages for the next.
// Besides, each PE contributes a few numbers to a reduction, whose result all PEs get in the next round. The
// caller that steps the processes does not matter: decide_in_one_process() plays all of them, a run has one
// on each PE (runtime/balance/pe_processes.hpp); the assignment is the same.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "skein/lb/strategy.hpp"

namespace skein::lb {

struct LocalObject {
  ObjectIndex object = 0;
  PeIndex home = 0;  // the PE where the object was at the start
  double load = 0;
  double bytes = 0;  // its memory, if there is a limit
};

/// The messages that an object of the PE sent to another object.
struct LocalEdge {
  /// The receiver's number if the PE does not know it.
  static constexpr ObjectIndex kUnnumbered = ~ObjectIndex{0};
  ObjectIndex from = 0, to = kUnnumbered;
  PeIndex pe = 0;  // where `to` is, as far as the PE knows
  double bytes = 0;
};

/// A shared block that an object of the PE reads.
struct LocalRead {
  ObjectIndex from = 0;  // the object
  std::uint32_t block = kNoBlock;
  PeIndex home = 0;
  double bytes = 0;
};

/// The initial knowledge of a PE, made by local_views() from a snapshot or by balance::Objects::local().
struct LocalPe {
  PeIndex pe = 0;
  PeIndex pe_count = 1;
  double speed = 1;
  double fixed_s = 0;  // background and unmovable objects
  double memory_bytes =
      std::numeric_limits<double>::infinity();  // memory for movable objects and their blocks
  std::vector<LocalObject> objects;             // movable objects with a load, rising
  bool knows_edges = false;                     // true if a communication graph was recorded
  std::vector<LocalEdge> edges;                 // of its objects, unmovable ones included
  std::vector<LocalRead> reads;                 // by its objects, unmovable ones included, rising by object

  /// Returns the other PEs that this PE's objects sent messages to, rising.
  std::vector<PeIndex> partners() const;

  /// Adds the PE's next object, in order of number. The load of an unmovable object adds to fixed_s; an
  /// object without load is left out, as moving it does not balance anything.
  void add(ObjectIndex object, double load, bool migratable, double bytes = 0);
};

struct PeMessage {
  PeIndex pe = 0;  // the receiver in a sent message, the sender in a received one
  std::array<double, 3> numbers{};
  std::vector<LocalObject> objects{};
  std::vector<LocalEdge> edges{};  // of the objects in `objects`
  std::vector<LocalRead> reads{};  // by the objects in `objects`
};

/// Sums over all PEs. add_up() fixes the order of additions, so that the sums do not depend on who adds.
struct Totals {
  std::array<double, 2> sums{};
  double max = 0;

  /// Adds the contribution of the next PE.
  void add(const Totals& next) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += next.sums[k];
    if (next.max > max) max = next.max;
  }
};

/// Adds up the contributions of all PEs in a tree: for even p those of PE p and p + 1, then for each fourth p
/// those of p and p + 2, and so on. PEs can do this among themselves in log2(number of PEs) rounds.
Totals add_up(std::vector<Totals> contributions);

struct PeRound {
  std::vector<PeMessage> messages{};
  Totals contribution{};
  bool done = false;  // the process is done; if all PEs are in one round, the rest of that round is ignored
};

class PeProcess {
 public:
  virtual ~PeProcess() = default;
  virtual PeRound step(std::span<const PeMessage> inbox, const Totals& totals) = 0;
  /// Returns, once the process is done, the movable objects that this PE then has.
  virtual const std::vector<LocalObject>& objects() const = 0;
};

using BeginPe = std::unique_ptr<PeProcess> (*)(LocalPe local, const Options& options, std::uint64_t seed);

/// Returns the initial knowledge of each PE of the snapshot. O(n + edges log edges).
std::vector<LocalPe> local_views(const Snapshot& snapshot);

/// Plays all PEs of a valid snapshot. `rounds`, if given, gets the number of rounds.
Assignment decide_in_one_process(const Snapshot& snapshot, const Options& options, std::uint64_t seed,
                                 BeginPe begin, std::size_t* rounds = nullptr);

/// Returns the PE's finish time if it has `objects` as its movable objects.
inline double finish_of(const LocalPe& local, std::span<const LocalObject> objects) {
  double load = 0;
  for (const LocalObject& object : objects) load += object.load;
  return local.fixed_s + load / local.speed;
}

}  // namespace skein::lb
