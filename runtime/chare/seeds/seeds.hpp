// SPDX-License-Identifier: Apache-2.0
// Seeds: chares of no array that are not constructed yet. Each PE has a pool of them. It constructs the
// newest first, so that a search goes to its depths first and the pool stays small; the oldest, which have
// the most work before them, go to other PEs. For each seed of a pool the queue has a task, which constructs
// one, or none when they have gone: so a PE with seeds is never idle. Seeds that must stay have a pool of
// their own.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/chare/seeds/seed_balancer.hpp"
#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// Makes the arrays of all classes of chares of no array, and sets the receivers. On every PE, once, after
/// begin_numbers().
void start_seeds(SeedBalancer balancer, std::uint64_t random_seed);
/// Looks for seeds elsewhere. Called when this PE is idle.
void seek_seeds();

// ---- for seed balancers

SeedPlacement& seed_placement();
/// Returns the number of seeds in this PE's pool, without those that must stay.
std::size_t seeds_here();
/// Returns how many seeds may go elsewhere. Seeds whose array's calls are held stay.
std::size_t seeds_to_give();
/// Sends the oldest seeds. Precondition: count <= seeds_to_give().
void give_seeds(int pe, std::size_t count, Sent why);

}  // namespace skein::chare
