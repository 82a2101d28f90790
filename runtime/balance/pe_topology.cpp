// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/pe_topology.hpp"

#include <hwloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "runtime/arena/arena.hpp"
#include "runtime/balance/job_pes.hpp"
#include "runtime/balance/memory_domains.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/net/bulk.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::balance {
namespace {

using Way = std::vector<lb::Domain>;

/// The machine as hwloc sees it, and the processors that this PE may use.
struct Hardware {
  Hardware() : binding(hwloc_bitmap_alloc()), known(hwloc_topology_init(&topology) == 0) {
    known = known && hwloc_topology_load(topology) == 0 &&
            hwloc_get_cpubind(topology, binding, HWLOC_CPUBIND_PROCESS) == 0;
  }
  ~Hardware() {
    hwloc_bitmap_free(binding);
    if (topology) hwloc_topology_destroy(topology);
  }
  Hardware(const Hardware&) = delete;
  Hardware& operator=(const Hardware&) = delete;

  hwloc_topology_t topology = nullptr;
  hwloc_bitmap_t binding;
  bool known;
};

/// Appends the parts of the node that hold all processors this PE may use, from the outermost in.
void append_parts_of_node(Way& way) {
  const Hardware here;
  if (!here.known) return;
  const hwloc_obj_t place = hwloc_get_obj_covering_cpuset(here.topology, here.binding);
  if (!place) return;
  const auto append_ancestor = [&](hwloc_obj_type_t type, const lb::Domain& part) {
    const hwloc_obj_t ancestor =
        place->type == type ? place : hwloc_get_ancestor_obj_by_type(here.topology, type, place);
    if (ancestor) way.push_back(lb::named(part, ancestor->logical_index));
  };
  append_ancestor(HWLOC_OBJ_PACKAGE, lb::kUsualPackage);
  // Memory hangs beside the tree of processors: the domain is that of the processors' node set.
  if (place->nodeset && hwloc_bitmap_weight(place->nodeset) == 1)
    way.push_back(
        lb::named(lb::kUsualDomain, static_cast<std::uint64_t>(hwloc_bitmap_first(place->nodeset))));
  append_ancestor(HWLOC_OBJ_L3CACHE, lb::kUsualCache);
}

/// Returns true if the machine is known to have one memory domain. Avoids reading the whole machine, which
/// takes some ten milliseconds; but hwloc may have been given another machine than this.
bool machine_has_one() {
  if (getenv("HWLOC_XMLFILE") || getenv("HWLOC_SYNTHETIC")) return false;
  std::ifstream file("/sys/devices/system/node/has_memory");
  std::string numbers;  // "0", or "0-1", or "0,2"
  return std::getline(file, numbers) && numbers.find_first_of("-,") == std::string::npos;
}

/// Returns the system's number of the one domain of all processors that this PE may use, or -1.
int domain_here() {
  if (machine_has_one()) return -1;
  const Hardware here;
  const std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> nodes(hwloc_bitmap_alloc(),
                                                                            hwloc_bitmap_free);
  if (!here.known || hwloc_cpuset_to_nodeset(here.topology, here.binding, nodes.get()) != 0) return -1;
  return hwloc_bitmap_weight(nodes.get()) == 1 ? hwloc_bitmap_first(nodes.get()) : -1;
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

constexpr std::size_t kShortBytes = 64;
constexpr std::size_t kLongBytes = 1 << 20;

/// Time of a rank's move besides its bytes, which cannot be tried without ranks: a round figure from the
/// micro benchmarks, corrected by the moves that the job makes.
constexpr double kFirstObjectSeconds = 15e-6;

void count_down(std::uint64_t, std::uint64_t) { --job_pes->machine.transfers_left; }

/// Returns the PE with which this one measures inside its node; partner_in_next_node() returns the one with
/// the same place in the next node. -1: none is left.
int partner_in_node() {
  const auto place = static_cast<std::size_t>(net::world.node_pe ^ 1);
  return place < net::world.node_pes.size() ? net::world.node_pes[place] : -1;
}

int partner_in_next_node() {
  int place = 0;
  for (int pe = 0; pe < net::world.pes; ++pe)
    if (net::world.node_of[static_cast<std::size_t>(pe)] == (net::world.node ^ 1) &&
        place++ == net::world.node_pe)
      return pe;
  return -1;
}

lb::LinkCosts measure_partner(int partner) {
  if (partner < 0) return {};
  // Nothing else is under way: the largest tag is free on all PEs.
  const int tag = net::largest_bulk_tag();
  std::vector<std::byte> out(kLongBytes), in(kLongBytes);
  return lb::measure_link(kShortBytes, kLongBytes, seconds, [&](std::size_t bytes) {
    job_pes->machine.transfers_left = 2;
    net::bulk_receive(partner, tag, in.data(), bytes, {count_down, 0, 0});
    net::bulk_send(partner, tag, {out.data(), bytes}, {count_down, 0, 0});
    while (job_pes->machine.transfers_left > 0)
      if (!net::poll()) net::idle();
  });
}

/// Returns the time for a byte, s, to map memory that another process of the node has written: a handed-over
/// slot is not copied, but its new PE meets each page for the first time. 0 if it cannot be tried.
double page_in_seconds() {
  const int file = memfd_create("skein-costs", MFD_CLOEXEC);
  if (file < 0) return 0;
  double result = 0;
  if (ftruncate(file, kLongBytes) == 0) {
    void* const writer = mmap(nullptr, kLongBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    void* const reader = mmap(nullptr, kLongBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (writer != MAP_FAILED && reader != MAP_FAILED) {
      for (std::size_t at = 0; at < kLongBytes; at += arena::kPageBytes)
        static_cast<volatile char*>(writer)[at] = 1;
      const double start = seconds();
      for (std::size_t at = 0; at < kLongBytes; at += arena::kPageBytes)
        static_cast<volatile char*>(reader)[at] = 1;
      result = (seconds() - start) / kLongBytes;
    }
    if (writer != MAP_FAILED) munmap(writer, kLongBytes);
    if (reader != MAP_FAILED) munmap(reader, kLongBytes);
  }
  close(file);
  return result;
}

/// Returns the fraction, of the ordered pairs of different PEs of this node, whose domains differ.
double part_apart() {
  const std::vector<int>& pes = net::world.node_pes;
  int apart = 0;
  for (const int pe : pes)
    for (const int other : pes) apart += are_memories_apart(pe, other);
  const double pairs = static_cast<double>(pes.size()) * (static_cast<double>(pes.size()) - 1);
  return pairs > 0 ? apart / pairs : 0;
}

lb::CostModel measure_costs(bool moves_copy) {
  const lb::LinkCosts near = measure_partner(partner_in_node()),
                      far = measure_partner(partner_in_next_node());
  std::array<double, 5> most{near.message_s, near.byte_s, far.message_s, far.byte_s, page_in_seconds()};
  net::max_of_all(most);
  const lb::LinkCosts in_node{most[0], most[1]}, between_nodes{most[2], most[3]};
  const lb::LinkCosts link = net::world.nodes > 1 ? between_nodes : in_node;

  lb::CostModel costs{.object_s = kFirstObjectSeconds,
                      .byte_s = moves_copy ? link.byte_s : most[4] + part_apart() * kUsualFollowByteS,
                      .remote_message_s = link.message_s,
                      .remote_byte_s = link.byte_s};
  if (net::world.nodes > 1 && in_node.message_s > 0) costs.in_node = in_node;
  return costs;
}

}  // namespace

const lb::Topology& pe_topology() {
  if (!job_pes->machine.topology) gather_topology_anew();
  return *job_pes->machine.topology;
}

void gather_topology_anew() { job_pes->machine.topology = gather_topology(); }

const lb::CostModel& pe_costs(bool moves_copy) {
  if (!job_pes->machine.costs) job_pes->machine.costs = measure_costs(moves_copy);
  return *job_pes->machine.costs;
}

void find_memory_domains() {
  const int mine = domain_here();
  job_pes->machine.domain_of_pe.resize(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&mine, sizeof mine, job_pes->machine.domain_of_pe.data());
}

int memory_domain(int pe) {
  return job_pes->machine.domain_of_pe.empty() ? -1
                                               : job_pes->machine.domain_of_pe[static_cast<std::size_t>(pe)];
}

bool are_memories_apart(int pe, int other) {
  const int one = memory_domain(pe), two = memory_domain(other);
  return one >= 0 && two >= 0 && one != two;
}

double met_pages() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_minflt);
}

}  // namespace skein::balance
