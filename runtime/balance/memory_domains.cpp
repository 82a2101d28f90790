// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/memory_domains.hpp"

#include <hwloc.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "runtime/base/pe_runtime.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::balance {
namespace {

struct Domains {
  std::vector<int> of_pe;
};
PerRuntime<Domains> domains;

/// Reading a whole machine takes some ten milliseconds, which most need not spend. hwloc may have been told
/// of another machine than this.
bool machine_has_one() {
  if (getenv("HWLOC_XMLFILE") || getenv("HWLOC_SYNTHETIC")) return false;
  std::ifstream file("/sys/devices/system/node/has_memory");
  std::string numbers;  // "0", or "0-1", or "0,2"
  return std::getline(file, numbers) && numbers.find_first_of("-,") == std::string::npos;
}

/// The one domain of all processors that this PE may use, by the system's number, or -1.
int domain_here() {
  hwloc_topology_t handle = nullptr;
  if (machine_has_one() || hwloc_topology_init(&handle) != 0) return -1;
  const std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)> topology(handle,
                                                                                    hwloc_topology_destroy);
  const std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> binding(hwloc_bitmap_alloc(),
                                                                              hwloc_bitmap_free),
      nodes(hwloc_bitmap_alloc(), hwloc_bitmap_free);
  if (hwloc_topology_load(handle) != 0 ||
      hwloc_get_cpubind(handle, binding.get(), HWLOC_CPUBIND_PROCESS) != 0 ||
      hwloc_cpuset_to_nodeset(handle, binding.get(), nodes.get()) != 0)
    return -1;
  return hwloc_bitmap_weight(nodes.get()) == 1 ? hwloc_bitmap_first(nodes.get()) : -1;
}

}  // namespace

void find_memory_domains() {
  const int mine = domain_here();
  domains->of_pe.resize(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&mine, sizeof mine, domains->of_pe.data());
}

int memory_domain(int pe) {
  return domains->of_pe.empty() ? -1 : domains->of_pe[static_cast<std::size_t>(pe)];
}

bool are_memories_apart(int pe, int other) {
  const int one = memory_domain(pe), two = memory_domain(other);
  return one >= 0 && two >= 0 && one != two;
}

double part_apart() {
  const std::vector<int>& pes = net::world.node_pes;
  int apart = 0;
  for (const int pe : pes)
    for (const int other : pes) apart += are_memories_apart(pe, other);
  const double pairs = static_cast<double>(pes.size()) * (static_cast<double>(pes.size()) - 1);
  return pairs > 0 ? apart / pairs : 0;
}

}  // namespace skein::balance
