// SPDX-License-Identifier: Apache-2.0
// Distributed strategies: every PE decides about its own objects, knowing them and what others tell it. No
// PE, and no message, ever holds all objects.
//
// The part of one PE is a PeProcess: a pure state machine that is stepped in rounds. In each round it gets
// what was sent to it in the round before, in the order of the senders' numbers, and gives messages for the
// next. Besides, each PE contributes a few numbers to a reduction, whose result all get in the next round.
// Who steps the processes does not matter: decide_in_one_process() plays all of them, a run has one on each
// PE (runtime/balance/pe_processes.hpp); the assignment is the same.
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
  PeIndex home = 0;  // where it was at the start
  double load = 0;
  double bytes = 0;  // its memory, where there is a limit
};

/// What an object of the PE sent to another one.
struct LocalEdge {
  /// The number of who was sent to, where the PE does not know it.
  static constexpr ObjectIndex kUnnumbered = ~ObjectIndex{0};
  ObjectIndex from = 0, to = kUnnumbered;
  PeIndex pe = 0;  // where `to` is, as far as the PE knows
  double bytes = 0;
};

/// What a PE knows at the start. Filled by the functions below, from a snapshot (local_views()) or from the
/// objects that a process has (balance::Objects::local()).
struct LocalPe {
  PeIndex pe = 0;
  PeIndex pe_count = 1;
  double speed = 1;
  double fixed_s = 0;                                             // background, and objects that cannot move
  double memory_bytes = std::numeric_limits<double>::infinity();  // that those objects may hold
  std::vector<LocalObject> objects;                               // that can move and have a load, rising
  bool knows_edges = false;      // whether a communication graph was recorded
  std::vector<LocalEdge> edges;  // of its objects, those that cannot move included

  /// The other PEs that its objects sent messages to, rising.
  std::vector<PeIndex> partners() const;

  /// The PE's next object, by number. One that cannot move is what the PE needs in any case, and one without
  /// load is nothing that moves for balance.
  void add(ObjectIndex object, double load, bool migratable, double bytes = 0);
};

struct PeMessage {
  PeIndex pe = 0;  // the receiver; for the receiver, the sender
  std::array<double, 3> numbers{};
  std::vector<LocalObject> objects{};
  std::vector<LocalEdge> edges{};  // of these objects
};

/// Sums over all PEs. They are added up as add_up() says, so that they do not depend on who adds.
struct Totals {
  std::array<double, 2> sums{};
  double max = 0;

  /// Adds the next PE's contribution.
  void add(const Totals& next) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += next.sums[k];
    if (next.max > max) max = next.max;
  }
};

/// Adds up the contributions by PE: those of PE p and p + 1 for even p, then what p and p + 2 have for each
/// fourth p, and so on: PEs can do that among them in log2 of their number of rounds.
Totals add_up(std::vector<Totals> contributions);

struct PeRound {
  std::vector<PeMessage> messages{};
  Totals contribution{};
  bool done = false;  // all PEs say so in the same round; then nothing of this round counts
};

class PeProcess {
 public:
  virtual ~PeProcess() = default;
  virtual PeRound step(std::span<const PeMessage> inbox, const Totals& totals) = 0;
  /// Once done: the objects that this PE then has, of those that could move.
  virtual const std::vector<LocalObject>& objects() const = 0;
};

using BeginPe = std::unique_ptr<PeProcess> (*)(LocalPe local, const Options& options, std::uint64_t seed);

/// What each PE of this snapshot knows. O(n + edges log edges).
std::vector<LocalPe> local_views(const Snapshot& snapshot);

/// Plays all PEs of a valid snapshot. `rounds`, if given, gets the number of rounds that it took.
Assignment decide_in_one_process(const Snapshot& snapshot, const Options& options, std::uint64_t seed,
                                 BeginPe begin, std::size_t* rounds = nullptr);

/// The PE's finish time with these of the movable objects.
inline double finish_of(const LocalPe& local, std::span<const LocalObject> objects) {
  double load = 0;
  for (const LocalObject& object : objects) load += object.load;
  return local.fixed_s + load / local.speed;
}

}  // namespace skein::lb
