// SPDX-License-Identifier: Apache-2.0
// power-law: loads follow Pareto's law, P(load > x) = x^-exponent for x from 1 to 1e6, drawn by inversion.
// Each object sends `degree` messages of `bytes` to object n u^2 with u uniform: so the first n x objects
// receive the fraction sqrt(x) of all messages. Objects are on the PEs in blocks of equal number.
#include <algorithm>
#include <cmath>

#include "lb/generate/define.hpp"
#include "lb/kernel/random.hpp"

namespace skein::lb {
namespace {

constexpr double kMostLoad = 1e6;

}  // namespace

std::span<const Key> power_law_keys() {
  static constexpr Key keys[] = {
      real_key("exponent", "1.5", 0.1, 100, "exponent of the law; the smaller, the more load the few have"),
      integer_key("degree", "8", 0, 1e6, "messages that each object sends"),
      real_key("bytes", "4096", 0, 1e12, "bytes of a message"),
      integer_key("size", "1048576", 0, 1e15, "bytes of an object"),
  };
  return keys;
}

Snapshot generate_power_law(const GenerateSize& size, const Options& options) {
  Random random(size.seed);
  Snapshot snapshot;
  snapshot.pes = uniform_pes(size.pes, size.pes_per_node);
  std::vector<CommEdge> edges;
  for (std::size_t i = 0; i < size.objects; ++i) {
    const double load = std::pow(1 - random.unit(), -1 / options.real("exponent"));
    snapshot.add_object({.id = i,
                         .pe = static_cast<PeIndex>(i * size.pes / size.objects),
                         .load = std::min(load, kMostLoad),
                         .bytes = static_cast<std::uint64_t>(options.integer("size"))});
    for (std::int64_t k = options.integer("degree"); k > 0; --k) {
      const double u = random.unit();
      const auto to = static_cast<ObjectIndex>(static_cast<double>(size.objects) * u * u);
      edges.push_back({static_cast<ObjectIndex>(i), to, options.real("bytes"), 1});
    }
  }
  snapshot.graph = make_comm_graph(size.objects, edges);
  return snapshot;
}

}  // namespace skein::lb
