// SPDX-License-Identifier: Apache-2.0
// A sample of the interactions between objects, small enough to be partitioned.
//
// Dense objects have very many interactions, which tell much the same; where objects are sparse, each
// interaction counts. So rates adapt: a hyperedge whose objects have at least d interactions each is kept
// with the probability
//     rate = min(1, depth / d),
// with the one depth for which sum(rate * pins) is the budget. Then every object keeps, on average, `depth`
// of its interactions, or all of them. A kept hyperedge stands for 1 / rate hyperedges and costs its bytes
// times that number: so the cut of any placement is estimated without bias (D. G. Horvitz, D. J. Thompson, "A
// generalization of sampling without replacement from a finite universe", JASA 47 (1952)).
//
// The idea is that of O. Pearce, T. Gamblin, B. R. de Supinski, T. Arsenlis, N. M. Amato, "Load balancing
// n-body simulations with highly non-uniform density", ICS 2014: sampled interactions in place of all,
// adaptively. Rates that fall with the number of interactions are those of A. A. Benczur, D. R. Karger,
// "Approximating s-t minimum cuts in O(n^2) time", STOC 1996, with an object's count in place of the strength
// of a connection.
//
// Pure; callable from any thread.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

struct Sampled {
  double pins = 0;    // objects that the hyperedge joins
  double fewest = 0;  // the least number of interactions of one of these objects; at least 1
};

/// Returns for each hyperedge what sampling needs. O(objects + pins).
std::vector<Sampled> sampled_of(const Hypergraph& hypergraph, std::size_t object_count);

/// Returns the probability of keeping each hyperedge, above 0 and at most 1, such that on average `most_pins`
/// pins are kept, or all if there are no more. `most_pins` is above 0. O(n log n).
std::vector<double> sampling_rates(std::span<const Sampled> hyperedges, double most_pins);

/// Returns the hyperedges to keep, rising. Over all seeds, each is kept with exactly its rate. They are drawn
/// systematically, the largest first, at equal distances in the sum of rates: so their number is that sum,
/// rounded up or down, and their pins are below sum(rate * pins) plus those of the largest. O(n log n).
std::vector<std::size_t> draw_sample(std::span<const Sampled> hyperedges, std::span<const double> rates,
                                     std::uint64_t seed);

/// Returns the hypergraph of a sample, with at most `most_pins` pins plus those of the largest hyperedge,
/// each with the bytes that it stands for; or all of the hypergraph, if it has no more pins than `most_pins`.
Hypergraph sample_hypergraph(const Hypergraph& hypergraph, std::size_t object_count, double most_pins,
                             std::uint64_t seed);

}  // namespace skein::lb
