// SPDX-License-Identifier: Apache-2.0
// kneighbor: objects in a ring, each of which exchanges messages with the `degree` objects nearest to it.
//
// The micro-benchmark of A. Bhatele, S. Fourestier, H. Menon, L. V. Kale, F. Pellegrini, "Applying graph
// partitioning methods in measurement-based dynamic load balancing", LLNL-TR-532851 (2012): 8 objects a PE, a
// fixed set of partners each. With 14 of them and 8 equal objects a PE in consecutive order, half of all
// traffic stays on its PE: the 56 messages that a PE's objects receive from lower and as many from higher
// numbers are, pair by pair of distance d = 1 to 7, 8 - d inside and d across, so remote to local is 28
// to 28.
#include <algorithm>
#include <string>

#include "lb/generate/define.hpp"
#include "lb/kernel/random.hpp"

namespace skein::lb {
std::span<const Key> kneighbor_keys() {
  static constexpr Key keys[] = {
      integer_key("degree", "14", 2, 1000,
                  "partners of each object, half of them on either side; an even number"),
      real_key("bytes", "16384", 1, 1e12, "bytes of a message; one goes each way in each step"),
      real_key("spread", "0.1", 0, 1, "loads are drawn uniformly from 1 - spread to 1 + spread"),
      choice_key("placement", "random", "block|random",
                 "block: objects on consecutive PEs in order; random: on PEs drawn at random"),
  };
  return keys;
}

Snapshot generate_kneighbor(const GenerateSize& size, const Options& options) {
  const std::int64_t degree = options.integer("degree");
  if (degree % 2 != 0)
    throw GenerateError("kind 'kneighbor': degree " + std::to_string(degree) + " must be even");
  // A short ring has fewer objects on either side.
  const std::size_t reach = std::min(static_cast<std::size_t>(degree) / 2, (size.objects - 1) / 2);
  const bool in_order = options.choice("placement") == "block";
  const double spread = options.real("spread"), bytes = options.real("bytes");
  Snapshot snapshot;
  snapshot.pes = uniform_pes(size.pes, size.pes_per_node);
  Random random(size.seed);
  for (std::size_t i = 0; i < size.objects; ++i) {
    const auto block = static_cast<PeIndex>(i * size.pes / size.objects);
    const PeIndex drawn = random.below(static_cast<std::uint32_t>(size.pes));
    snapshot.add_object({.id = i,
                         .pe = in_order ? block : drawn,
                         .load = 1 + spread * (2 * random.unit() - 1),
                         .bytes = 65536});
  }
  std::vector<CommEdge> edges;
  edges.reserve(size.objects * 2 * reach);
  for (std::size_t i = 0; i < size.objects; ++i) {
    for (std::size_t d = 1; d <= reach; ++d) {
      const auto from = static_cast<ObjectIndex>(i), to = static_cast<ObjectIndex>((i + d) % size.objects);
      edges.push_back({from, to, bytes});
      edges.push_back({to, from, bytes});
    }
  }
  snapshot.graph = make_comm_graph(size.objects, edges);
  return snapshot;
}

}  // namespace skein::lb
