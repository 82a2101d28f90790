// SPDX-License-Identifier: Apache-2.0
// Seeds: chares of no array that are not constructed yet. Each PE has a pool of them. The newest is taken to
// be constructed here, so that a search goes to its depths first and the pool stays small; the oldest, which
// have the most before them, go to other PEs. For each seed of a pool a task is in the queue, which
// constructs one or, when they have gone, none: so a PE with seeds is never idle. Seeds that are to stay
// where they are have a pool of their own.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/chare/seeds/seed_balancer.hpp"
#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// Makes the arrays of all classes of chares of no array, and sets the receivers. On every PE, once, after
/// begin_numbers().
void start_seeds(SeedBalancer balancer, std::uint64_t random_seed);
/// When nothing is to be done here.
void seek_seeds();

// ---- for seed balancers

SeedPlacement& seed_placement();
/// In this PE's pool, without those that are to stay.
std::size_t seeds_here();
/// How many may go elsewhere. Those whose array's calls are held stay.
std::size_t seeds_to_give();
/// The oldest; precondition: so many may go.
void give_seeds(int pe, std::size_t count, Sent why);

}  // namespace skein::chare
