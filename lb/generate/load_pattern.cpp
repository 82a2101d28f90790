// SPDX-License-Identifier: Apache-2.0
// pattern-c, pattern-d: two placements of the same loads on a row of PEs, after the pair (c) and (d) in Table
// 1 of Pearce et al. (ICS 2012). No measure that looks at the loads alone tells them apart, but diffusion
// does: in c every overloaded PE stands beside an underloaded one, in d load has to travel across half of the
// row.
//
// PEs carry 1 + imbalance / 100 or 1 - imbalance / 100, one half each (the middle one of an odd number
// carries 1): percent imbalance is `imbalance`, standard deviation imbalance / 100, skewness 0, kurtosis -2
// (for even numbers). Each PE has about the same number of equal objects; each object talks to the one before
// and the one behind, so that PEs talk to their neighbours in the row.
#include "lb/generate/define.hpp"

namespace skein::lb {
namespace {

constexpr Key kKeys[] = {
    real_key("imbalance", "50", 0, 100, "percent imbalance of the loads"),
    real_key("bytes", "8192", 0, 1e12, "sent to each neighbour"),
    integer_key("size", "1048576", 0, 1e15, "bytes of an object"),
};

// is_overloaded(p): among the PEs of an even number.
template <class IsOverloaded>
Snapshot make_row(const GenerateSize& size, const Options& options, IsOverloaded is_overloaded) {
  if (size.objects < size.pes)
    throw GenerateError("this kind needs an object for each PE: there are " + std::to_string(size.objects) +
                        " objects for " + std::to_string(size.pes) + " PEs");
  const double more = options.real("imbalance") / 100;
  const auto load_of_pe = [&](std::size_t pe) {
    if (size.pes % 2 == 1 && pe == size.pes / 2) return 1.0;
    const std::size_t without_middle = size.pes % 2 == 1 && pe > size.pes / 2 ? pe - 1 : pe;
    return is_overloaded(without_middle) ? 1 + more : 1 - more;
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

std::span<const Key> pattern_c_keys() { return kKeys; }
std::span<const Key> pattern_d_keys() { return kKeys; }

Snapshot generate_pattern_c(const GenerateSize& size, const Options& options) {
  return make_row(size, options, [](std::size_t pe) { return pe % 2 == 0; });
}

Snapshot generate_pattern_d(const GenerateSize& size, const Options& options) {
  return make_row(size, options, [&](std::size_t pe) { return pe < size.pes / 2; });
}

}  // namespace skein::lb
