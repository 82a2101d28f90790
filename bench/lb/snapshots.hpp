// SPDX-License-Identifier: Apache-2.0
// The snapshots that bench_lb measures on: loads uniform in [0, 1) s from a fixed seed, object i of n on PE
// i * PEs / n (contiguous blocks), all PEs of speed 1.
#pragma once
#include "skein/lb/snapshot.hpp"
#include "skein/lb/strategy.hpp"

namespace bench {

inline constexpr std::uint64_t kSeed = 1;

struct Size {
  std::size_t objects;
  std::size_t pes;
};

// With `board`, on a square board: object i is at column i % width, row i / width, and exchanges 1 KiB with
// its neighbours.
skein::lb::Snapshot make_snapshot(Size size, bool board);

// Returns true if the strategy looks at data that only the board has.
bool needs_board(const skein::lb::Selection& selection);

}  // namespace bench
