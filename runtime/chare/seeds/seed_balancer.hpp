// SPDX-License-Identifier: Apache-2.0
// Chooses the PE that constructs a chare of no array. Messages between balancers do not count as messages
// under way: a job does not continue because of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace skein::chare {

/// The balancers, in the order of the option's values.
enum class SeedBalancer { random, least_loaded, steal };

/// The reason why a seed is sent: to be constructed there for certain; or to a pool, because its balancer
/// chose it, or because it was asked for, or promised when there would be any.
enum class Sent : std::uint32_t { to_stay, placed, asked_for, promised };

class SeedPlacement {
 public:
  virtual ~SeedPlacement() = default;
  /// The PE that the `number`-th seed made here goes to first, and whether it is constructed there for
  /// certain: then that PE is the chare's home, and no PE need be told its place.
  struct Choice {
    int pe;
    bool to_stay;
  };
  virtual Choice choose(std::uint64_t number) = 0;
  /// Notes that a seed has come into the pool, after `hops` other PEs.
  virtual void added(std::uint32_t /*hops*/) {}
  /// Notes that a seed has come from another PE.
  virtual void came(int /*from_pe*/, Sent /*why*/) {}
  /// Called when this PE is idle.
  virtual void idle() {}
};

/// Make the balancers, for `pes` PEs that compute.
std::unique_ptr<SeedPlacement> place_at_random(int pes, std::uint64_t random_seed);
std::unique_ptr<SeedPlacement> place_on_least_loaded(int pes);
std::unique_ptr<SeedPlacement> let_steal(int pes, std::uint64_t random_seed);

/// Calls f for the neighbours of a PE: the PEs whose number differs in one bit. Every PE reaches every other
/// over at most log2(pes) of them (all PEs below a power of two: over those with fewer bits).
template <class F>
void for_each_seed_neighbour(int pe, int pes, F f) {
  for (int bit = 1; bit < pes; bit *= 2)
    if ((pe ^ bit) < pes) f(pe ^ bit);
}

}  // namespace skein::chare
