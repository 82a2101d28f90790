// SPDX-License-Identifier: Apache-2.0
// pattern-c, pattern-d: rows (c) and (d) of Table 1 of Pearce et al. (ICS 2012): one PE with too much, one
// with as much too little, all others at the mean of 2. In c the two are neighbours in the row of PEs, in d
// they are its ends. No measure that looks at the loads alone tells them apart, but diffusion does: in c load
// goes one step, in d it has to travel past all others.
//
// The two PEs carry 2 (1 + imbalance / 100) and 2 (1 - imbalance / 100). With x = imbalance / 100 and P PEs,
// percent imbalance is `imbalance`, standard deviation 2 x sqrt(2 / P), skewness 0, kurtosis P / 2 - 3: for
// the 8 PEs of the table and the default of 50 %, loads of 3, 1 and six times 2, standard deviation 0.5 and
// kurtosis 1.
//
// Each PE has about the same number of equal objects; each object talks to the one before and the one behind,
// so that PEs talk to their neighbours in the row.
#include "lb/generate/define.hpp"

namespace skein::lb {
namespace {

constexpr Key kPatternKeys[] = {
    real_key("imbalance", "50", 0, 100, "percent by which one PE is over the mean, and another under it"),
    real_key("bytes", "8192", 0, 1e12, "sent to each neighbour"),
    integer_key("size", "1048576", 0, 1e15, "bytes of an object"),
};

constexpr double kMean = 2;  // the table's

// All PEs but `over` and `under` carry the mean; so does a single PE.
Snapshot make_row(const GenerateSize& size, const Options& options, std::size_t over, std::size_t under) {
  if (size.objects < size.pes)
    throw GenerateError("this kind needs an object for each PE: there are " + std::to_string(size.objects) +
                        " objects for " + std::to_string(size.pes) + " PEs");
  const double more = over != under ? options.real("imbalance") / 100 : 0;
  const auto load_of_pe = [&](std::size_t pe) {
    return kMean * (1 + (pe == over ? more : 0) - (pe == under ? more : 0));
  };
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

std::span<const Key> pattern_c_keys() { return kPatternKeys; }
std::span<const Key> pattern_d_keys() { return kPatternKeys; }

Snapshot generate_pattern_c(const GenerateSize& size, const Options& options) {
  const std::size_t middle = size.pes / 2;
  return make_row(size, options, middle - (middle > 0), middle);
}

Snapshot generate_pattern_d(const GenerateSize& size, const Options& options) {
  return make_row(size, options, 0, size.pes - 1);
}

}  // namespace skein::lb
