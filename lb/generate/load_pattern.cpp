// SPDX-License-Identifier: Apache-2.0
// pattern-a to pattern-d: the rows of Table 1 of Pearce et al. (ICS 2012), for PEs with a mean load of 2. In
// a all PEs have the mean. In b they are alternately above and below it. In c and d one PE has too much, and
// another too little by the same amount: in c the second and the first of the row, in d the last and the
// first. No measure of the loads alone tells c from d, but diffusion does: in c load travels one step, in d
// past all others.
//
// PEs above and below the mean carry 2 (1 + x) and 2 (1 - x), x = imbalance / 100. With P PEs, percent
// imbalance is `imbalance`; standard deviation, skewness and kurtosis are 2 x, 0 and -2 in b for even P, and
// 2 x sqrt(2 / P), 0 and P / 2 - 3 in c and d. For the 8 PEs of the table and the default of 50 % that is
// what the table says, except for its skewness of 2 in c and d: one deviation of +1 and one of -1 have a
// third moment of 0, and the kurtosis of any loads is at least the square of their skewness minus 2, so that
// with a kurtosis of 1 skewness cannot be 2. The third moment of the absolute deviations is 2.
//
// Each PE has about the same number of equal objects; each object exchanges messages with the one before and
// the one behind, so that PEs exchange messages with their neighbours in the row.
#include "lb/generate/define.hpp"

namespace skein::lb {
namespace {

constexpr Key kPatternKeys[] = {
    real_key("imbalance", "50", 0, 100, "percent by which PEs are above and below the mean load"),
    real_key("bytes", "8192", 0, 1e12, "bytes sent to each neighbour"),
    integer_key("size", "1048576", 0, 1e15, "bytes of an object"),
};

constexpr double kMean = 2;  // that of the table

/// `over(pe)`: 1 if the PE is above the mean, -1 if below, else 0. A single PE has the mean.
template <class Over>
Snapshot make_row(const GenerateSize& size, const Options& options, double imbalance, Over over) {
  if (size.objects < size.pes)
    throw GenerateError("this kind needs an object for each PE: there are " + std::to_string(size.objects) +
                        " objects for " + std::to_string(size.pes) + " PEs");
  const double more = size.pes > 1 ? imbalance / 100 : 0;
  const auto load_of_pe = [&](std::size_t pe) { return kMean * (1 + more * over(pe)); };
  const auto first_of = [&](std::size_t pe) { return pe * size.objects / size.pes; };
  Snapshot snapshot;
  snapshot.pes = uniform_pes(size.pes, size.pes_per_node);
  for (std::size_t pe = 0; pe < size.pes; ++pe) {
    const std::size_t count = first_of(pe + 1) - first_of(pe);
    for (std::size_t k = 0; k < count; ++k)
      snapshot.add_object({.id = first_of(pe) + k,
                           .pe = static_cast<PeIndex>(pe),
                           .load = load_of_pe(pe) / static_cast<double>(count),
                           .bytes = static_cast<std::uint64_t>(options.integer("size"))});
  }
  std::vector<CommEdge> edges;
  for (ObjectIndex i = 0; i + 1 < size.objects; ++i) {
    edges.push_back({i, i + 1, options.real("bytes"), 1});
    edges.push_back({i + 1, i, options.real("bytes"), 1});
  }
  snapshot.graph = make_comm_graph(size.objects, edges);
  return snapshot;
}

}  // namespace

std::span<const Key> pattern_a_keys() { return std::span(kPatternKeys).subspan(1); }
std::span<const Key> pattern_b_keys() { return kPatternKeys; }
std::span<const Key> pattern_c_keys() { return kPatternKeys; }
std::span<const Key> pattern_d_keys() { return kPatternKeys; }

Snapshot generate_pattern_a(const GenerateSize& size, const Options& options) {
  return make_row(size, options, 0, [](std::size_t) { return 0; });
}

Snapshot generate_pattern_b(const GenerateSize& size, const Options& options) {
  return make_row(size, options, options.real("imbalance"),
                  [](std::size_t pe) { return pe % 2 == 0 ? 1 : -1; });
}

Snapshot generate_pattern_c(const GenerateSize& size, const Options& options) {
  return make_row(size, options, options.real("imbalance"), [](std::size_t pe) {
    return pe == 1 ? 1 : pe == 0 ? -1 : 0;
  });
}

Snapshot generate_pattern_d(const GenerateSize& size, const Options& options) {
  return make_row(size, options, options.real("imbalance"), [last = size.pes - 1](std::size_t pe) {
    return pe == last ? 1 : pe == 0 ? -1 : 0;
  });
}

}  // namespace skein::lb
