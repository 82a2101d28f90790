// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/pe_topology.hpp"

#include <hwloc.h>

#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/balance/roles.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "skein/lb/machine_tree.hpp"

namespace skein::balance {
namespace {

using Way = std::vector<lb::Domain>;

/// Below the node: the parts that hold all processors this PE may use, from the outermost in.
void append_parts_of_node(Way& way) {
  hwloc_topology_t handle = nullptr;
  if (hwloc_topology_init(&handle) != 0) return;
  const std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)> topology(handle,
                                                                                    hwloc_topology_destroy);
  const std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> binding(hwloc_bitmap_alloc(),
                                                                              hwloc_bitmap_free);
  if (hwloc_topology_load(handle) != 0 ||
      hwloc_get_cpubind(handle, binding.get(), HWLOC_CPUBIND_PROCESS) != 0)
    return;
  const hwloc_obj_t place = hwloc_get_obj_covering_cpuset(handle, binding.get());
  if (!place) return;
  const auto append_ancestor = [&](hwloc_obj_type_t type, const lb::Domain& part) {
    const hwloc_obj_t ancestor =
        place->type == type ? place : hwloc_get_ancestor_obj_by_type(handle, type, place);
    if (ancestor) way.push_back(lb::named(part, ancestor->logical_index));
  };
  append_ancestor(HWLOC_OBJ_PACKAGE, lb::usual_package);
  // Memory hangs beside the tree of processors: the domain is that of the processors' node set.
  if (place->nodeset && hwloc_bitmap_weight(place->nodeset) == 1)
    way.push_back(
        lb::named(lb::usual_domain, static_cast<std::uint64_t>(hwloc_bitmap_first(place->nodeset))));
  append_ancestor(HWLOC_OBJ_L3CACHE, lb::usual_cache);
}

lb::Topology gather_topology() {
  Way mine = lb::way_to_node(static_cast<std::uint64_t>(net::world.node));
  append_parts_of_node(mine);
  const std::size_t length = mine.size();
  std::vector<std::size_t> lengths(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&length, sizeof length, lengths.data());
  const std::vector<std::byte> all = net::all_gather_blocks(std::as_bytes(std::span(mine)));

  std::vector<Way> ways;
  const std::byte* next = all.data();
  lengths.resize(static_cast<std::size_t>(computing_pes()));
  for (const std::size_t parts : lengths) {
    Way& way = ways.emplace_back(parts);
    memcpy(way.data(), next, parts * sizeof way[0]);
    next += parts * sizeof way[0];
  }
  return lb::make_topology(ways);
}

PerRuntime<std::optional<lb::Topology>> topology;

}  // namespace

const lb::Topology& pe_topology() {
  if (!*topology) *topology = gather_topology();
  return **topology;
}

void gather_topology_anew() { *topology = gather_topology(); }

}  // namespace skein::balance
