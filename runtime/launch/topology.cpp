// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/topology.hpp"

#include <hwloc.h>

#include <algorithm>

#include "runtime/base/error.hpp"

namespace skein::launch {
namespace {

class Topology {
 public:
  Topology() {
    if (hwloc_topology_init(&handle_) != 0) throw Error("skein: hwloc cannot be initialised");
    if (hwloc_topology_load(handle_) != 0) {
      hwloc_topology_destroy(handle_);
      throw Error("skein: hwloc cannot read this machine's topology; is /sys mounted?");
    }
  }
  ~Topology() { hwloc_topology_destroy(handle_); }
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;
  operator hwloc_topology_t() const { return handle_; }

  int count(hwloc_obj_type_t type) const { return std::max(0, hwloc_get_nbobjs_by_type(handle_, type)); }

 private:
  hwloc_topology_t handle_ = nullptr;
};

class CpuSet {
 public:
  CpuSet() : set_(hwloc_bitmap_alloc()) {
    if (!set_) throw Error("skein: no memory for a set of processors");
  }
  ~CpuSet() { hwloc_bitmap_free(set_); }
  CpuSet(const CpuSet&) = delete;
  CpuSet& operator=(const CpuSet&) = delete;
  operator hwloc_bitmap_t() const { return set_; }

 private:
  hwloc_bitmap_t set_;
};

/// Reads where this process may run now; everywhere when the system does not tell.
void read_binding(const Topology& topology, const CpuSet& set) {
  if (hwloc_get_cpubind(topology, set, HWLOC_CPUBIND_PROCESS) != 0)
    hwloc_bitmap_copy(set, hwloc_topology_get_allowed_cpuset(topology));
}

/// Returns the `index`-th core that has a hardware thread in `set`, or null.
hwloc_obj_t core_in(const Topology& topology, const CpuSet& set, int index) {
  for (hwloc_obj_t core = nullptr; (core = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE, core));)
    if (hwloc_bitmap_intersects(core->cpuset, set) && index-- == 0) return core;
  return nullptr;
}

int cores_in(const Topology& topology, const CpuSet& set) {
  int count = 0;
  while (core_in(topology, set, count)) ++count;
  // A virtual machine may show hardware threads without cores.
  return count > 0 ? count : std::max(1, hwloc_bitmap_weight(set));
}

std::string plural(int count, const char* word) {
  return format("%d %s%s", count, word, count == 1 ? "" : "s");
}

std::string describe_cache(const Topology& topology, hwloc_obj_type_t type, const char* name) {
  const hwloc_obj_t first = hwloc_get_obj_by_type(topology, type, 0);
  if (!first || first->attr->cache.size == 0) return "";
  const double kib = static_cast<double>(first->attr->cache.size) / 1024;
  const bool large = kib >= 1024;
  return format(", %s %d x %g %s", name, topology.count(type), large ? kib / 1024 : kib,
                large ? "MiB" : "KiB");
}

}  // namespace

int available_cores() {
  const Topology topology;
  const CpuSet allowed;
  read_binding(topology, allowed);
  return cores_in(topology, allowed);
}

Bound bind_to_core(int local_rank, int local_size) {
  const Topology topology;
  const CpuSet allowed;
  read_binding(topology, allowed);
  const hwloc_obj_t core = core_in(topology, allowed, local_rank);
  if (cores_in(topology, allowed) < local_size || !core) return Bound::too_few_cores;
  const CpuSet target;
  hwloc_bitmap_and(target, core->cpuset, allowed);
  return hwloc_set_cpubind(topology, target, HWLOC_CPUBIND_PROCESS) == 0 ? Bound::yes : Bound::refused;
}

std::string describe_topology() {
  const Topology topology;
  std::string text = plural(topology.count(HWLOC_OBJ_PACKAGE), "package") + ", " +
                     plural(topology.count(HWLOC_OBJ_NUMANODE), "NUMA node") + ", " +
                     plural(topology.count(HWLOC_OBJ_CORE), "core") + ", " +
                     plural(topology.count(HWLOC_OBJ_PU), "hardware thread");
  text += describe_cache(topology, HWLOC_OBJ_L3CACHE, "L3");
  text += describe_cache(topology, HWLOC_OBJ_L2CACHE, "L2");
  text += describe_cache(topology, HWLOC_OBJ_L1CACHE, "L1");
  const double gib = static_cast<double>(hwloc_get_root_obj(topology)->total_memory) / (1 << 30);
  return text + format(", %.1f GiB of memory", gib);
}

}  // namespace skein::launch
