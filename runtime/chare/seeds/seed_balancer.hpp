// SPDX-License-Identifier: Apache-2.0
// Which PE constructs a chare of no array. What balancers say to each other is not counted as messages under
// way: no job goes on because of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace skein::chare {

/// In the order of the option's values.
enum class SeedBalancer { random, least_loaded, steal };

/// Why a seed is sent: to be constructed there and nowhere else; or to a pool, because its balancer chose it,
/// it was asked for, or it had been promised when there would be any.
enum class Sent : std::uint32_t { to_stay, placed, asked_for, promised };

class SeedPlacement {
 public:
  virtual ~SeedPlacement() = default;
  /// The PE to which the `number`-th seed made here goes first, and whether it is constructed there for
  /// certain: then that is the chare's home, and nobody need be told where it is.
  struct Choice {
    int pe;
    bool to_stay;
  };
  virtual Choice choose(std::uint64_t number) = 0;
  /// A seed is in the pool, after so many PEs.
  virtual void added(std::uint32_t /*hops*/) {}
  /// One has come from another PE.
  virtual void came(int /*from_pe*/, Sent /*why*/) {}
  /// Nothing is to be done here.
  virtual void idle() {}
};

/// `pes` compute.
std::unique_ptr<SeedPlacement> place_at_random(int pes, std::uint64_t random_seed);
std::unique_ptr<SeedPlacement> place_on_least_loaded(int pes);
std::unique_ptr<SeedPlacement> let_steal(int pes, std::uint64_t random_seed);

/// The PEs that this one knows of: those whose number differs in one bit. Every PE is reached from every
/// other over at most log2(pes) of them (all PEs below a power of two: over those with fewer bits).
template <class F>
void for_each_seed_neighbour(int pe, int pes, F f) {
  for (int bit = 1; bit < pes; bit *= 2)
    if ((pe ^ bit) < pes) f(pe ^ bit);
}

}  // namespace skein::chare
