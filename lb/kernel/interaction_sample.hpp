// SPDX-License-Identifier: Apache-2.0
// A sample of the interactions between objects, small enough to be partitioned: hyperedges that stand for
// all.
//
// Where objects are dense each has very many interactions, and they say much the same; where objects are few
// each interaction counts. So rates adapt: a hyperedge whose objects have at least d interactions each is
// kept by the chance
//     rate = min(1, depth / d),
// with the one depth for which sum(rate * pins) is the budget. Then every object keeps, on average, `depth`
// of its interactions, or all that it has. What is kept stands for 1 / rate hyperedges and costs so many
// times its bytes: the cut of any placement is estimated without bias (D. G. Horvitz, D. J. Thompson, "A
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
  double fewest = 0;  // interactions that the one of them takes part in which has fewest; at least 1
};

/// What each hyperedge is to sampling. O(objects + pins).
std::vector<Sampled> sampled_of(const Hypergraph& hypergraph, std::size_t object_count);

/// The chance of each to be kept, above 0 and at most 1, such that on average `most_pins` pins are, or all if
/// there are no more. `most_pins` is above 0. O(n log n).
std::vector<double> sampling_rates(std::span<const Sampled> hyperedges, double most_pins);

/// Which are kept, rising: each by exactly its rate, over all seeds. Drawn systematically, the largest first,
/// at equal distances in the sum of rates: so the number kept is that sum, rounded up or down, and their pins
/// are below sum(rate * pins) plus those of the largest. O(n log n).
std::vector<std::size_t> draw_sample(std::span<const Sampled> hyperedges, std::span<const double> rates,
                                     std::uint64_t seed);

/// The hypergraph of a sample: at most `most_pins` pins plus those of the largest hyperedge. Bytes are those
/// that each stands for. All of it, if it has no more than `most_pins`.
Hypergraph sample_hypergraph(const Hypergraph& hypergraph, std::size_t object_count, double most_pins,
                             std::uint64_t seed);

}  // namespace skein::lb
