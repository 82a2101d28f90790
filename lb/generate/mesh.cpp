// SPDX-License-Identifier: Apache-2.0
// mesh2d, mesh3d: the objects of a domain cut in a regular mesh, with hot spots.
//
// Load of the object with centre x:  1 + contrast sum over hot spots c of exp(-|x - c|^2 / (2 radius^2)), in
// units of the longest side. Every object sends `bytes` in one message to each of its 2 d neighbours, without
// wrap-around. Sides are as equal as the divisors of the number of objects allow. The PEs form a mesh too,
// each with a box of objects.
//
// With blocks=K the objects of each PE, in their order, share blocks of `block_size` bytes, up to K objects a
// block. The home of these blocks is that PE.
#include <array>
#include <cmath>

#include "lb/generate/define.hpp"
#include "lb/kernel/random.hpp"

namespace skein::lb {
namespace {

constexpr Key kMeshKeys[] = {
    integer_key("hot_spots", "1", 0, 1000, "number of hot spots, at random places"),
    real_key("contrast", "10", 0, 1e6, "load in the middle of a hot spot, relative to the load far away"),
    real_key("radius", "0.1", 1e-3, 10, "radius of a hot spot, relative to the longest side"),
    real_key("bytes", "8192", 0, 1e12, "bytes sent to each neighbour"),
    integer_key("size", "1048576", 0, 1e15, "bytes of an object"),
    integer_key("blocks", "0", 0, 1e9, "objects that read the same shared block; 0: there are none"),
    integer_key("block_size", "1048576", 0, 1e15, "bytes of a shared block"),
};

using Sides = std::array<std::size_t, 3>;  // of a mesh; 1 beyond its dimensions
using Point = std::array<double, 3>;

/// count = sides[0] ... sides[d - 1], rising, each the largest divisor that does not exceed the equal share.
Sides sides_of(std::size_t count, int dimensions) {
  Sides sides{1, 1, 1};
  for (int d = 0; d + 1 < dimensions; ++d) {
    const double share = std::pow(static_cast<double>(count), 1.0 / (dimensions - d));
    auto side = static_cast<std::size_t>(share + 1e-9);
    while (count % side != 0) --side;
    sides[d] = side;
    count /= side;
  }
  sides[dimensions - 1] = count;
  return sides;
}

class Mesh {
 public:
  Mesh(const GenerateSize& size, const Options& options, int dimensions)
      : size_(size),
        options_(options),
        sides_(sides_of(size.objects, dimensions)),
        pes_(sides_of(size.pes, dimensions)),
        longest_(static_cast<double>(sides_[dimensions - 1])) {
    Random random(size.seed);
    for (std::int64_t k = options.integer("hot_spots"); k > 0; --k) {
      Point spot{};
      for (int d = 0; d < dimensions; ++d)
        spot[d] = random.unit() * static_cast<double>(sides_[d]) / longest_;
      spots_.push_back(spot);
    }
  }

  Snapshot make() const {
    Snapshot snapshot;
    snapshot.pes = uniform_pes(size_.pes, size_.pes_per_node);
    std::vector<CommEdge> edges;
    Sides at{};
    for (at[2] = 0; at[2] < sides_[2]; ++at[2])
      for (at[1] = 0; at[1] < sides_[1]; ++at[1])
        for (at[0] = 0; at[0] < sides_[0]; ++at[0]) add(snapshot, edges, at);
    snapshot.graph = make_comm_graph(size_.objects, edges);
    if (options_.integer("blocks") > 0) share_blocks(snapshot);
    return snapshot;
  }

 private:
  std::size_t index_of(const Sides& at) const { return at[0] + sides_[0] * (at[1] + sides_[1] * at[2]); }

  PeIndex pe_of(const Sides& at) const {
    Sides pe;
    for (int d = 0; d < 3; ++d) pe[d] = at[d] * pes_[d] / sides_[d];
    return static_cast<PeIndex>(pe[0] + pes_[0] * (pe[1] + pes_[1] * pe[2]));
  }

  double load_at(const Point& centre) const {
    const double radius = options_.real("radius");
    double load = 1;
    for (const Point& spot : spots_) {
      double squared = 0;
      for (int d = 0; d < 3; ++d) squared += (centre[d] - spot[d]) * (centre[d] - spot[d]);
      load += options_.real("contrast") * std::exp(-squared / (2 * radius * radius));
    }
    return load;
  }

  void share_blocks(Snapshot& snapshot) const {
    std::vector<std::uint32_t> last(size_.pes, 0), readers(size_.pes, 0);  // by PE
    SharedBlocks& blocks = snapshot.blocks;
    for (const PeIndex pe : snapshot.objects.pe) {
      if (readers[pe]++ % options_.integer("blocks") == 0) {
        last[pe] = static_cast<std::uint32_t>(blocks.block_count());
        blocks.bytes.push_back(static_cast<std::uint64_t>(options_.integer("block_size")));
        blocks.home.push_back(pe);
      }
      blocks.of_object.push_back(last[pe]);
    }
  }

  void add(Snapshot& snapshot, std::vector<CommEdge>& edges, const Sides& at) const {
    Point centre{};
    for (int d = 0; d < 3; ++d)
      if (sides_[d] > 1) centre[d] = (static_cast<double>(at[d]) + 0.5) / longest_;
    const ObjectIndex i =
        snapshot.add_object({.id = index_of(at),
                             .pe = pe_of(at),
                             .load = load_at(centre),
                             .bytes = static_cast<std::uint64_t>(options_.integer("size"))});
    snapshot.objects.position.push_back(
        {static_cast<float>(centre[0]), static_cast<float>(centre[1]), static_cast<float>(centre[2])});
    for (int d = 0; d < 3; ++d) {
      if (at[d] + 1 == sides_[d]) continue;
      Sides next = at;
      ++next[d];
      const auto j = static_cast<ObjectIndex>(index_of(next));
      edges.push_back({i, j, options_.real("bytes"), 1});
      edges.push_back({j, i, options_.real("bytes"), 1});
    }
  }

  const GenerateSize& size_;
  const Options& options_;
  Sides sides_, pes_;
  double longest_;
  std::vector<Point> spots_;
};

}  // namespace

std::span<const Key> mesh2d_keys() { return kMeshKeys; }
std::span<const Key> mesh3d_keys() { return kMeshKeys; }

Snapshot generate_mesh2d(const GenerateSize& size, const Options& options) {
  return Mesh(size, options, 2).make();
}
Snapshot generate_mesh3d(const GenerateSize& size, const Options& options) {
  return Mesh(size, options, 3).make();
}

}  // namespace skein::lb
