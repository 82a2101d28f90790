// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/node_memory.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "runtime/base/check.hpp"
#include "runtime/base/log.hpp"
#include "runtime/chare/memory/memory_parts.hpp"
#include "runtime/net/shared_memory.hpp"
#include "runtime/net/transport.hpp"
#include "skein/chare/array_base.hpp"

namespace skein::chare {

constinit NodeMemory node_memory;
PerRuntime<MemoryParts> memory_parts;

namespace {

constexpr std::size_t kLeastPaged = 64 * 1024;
/// Bounds on the addresses to reserve; a process has 128 TiB.
constexpr std::size_t kMostOnNode = std::size_t{1} << 44, kLeastOfPe = std::size_t{1} << 26;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}
std::size_t rounded(std::size_t bytes) {
  return round_up(std::max<std::size_t>(bytes, 1), bytes < kLeastPaged ? kLineBytes : kPageBytes);
}

/// Returns the size of one PE's part, equal on all PEs of a node.
std::size_t part_bytes(std::size_t pes) {
  std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * kPageBytes;
  bytes = std::min(bytes, kMostOnNode / pes);
  // A longer file is not just refused: a signal ends the process.
  if (rlimit limit{}; getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    bytes = std::min<std::size_t>(bytes, limit.rlim_cur / (pes + 1));
  return round_up(bytes, kPageBytes);
}

/// Maps private memory, as much as there are addresses for.
std::byte* map_alone(std::size_t head, std::size_t& part) {
  for (;; part /= 2) {
    void* const got = mmap(nullptr, head + part, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got != MAP_FAILED) return static_cast<std::byte*>(got);
    if (part < kLeastOfPe) fail("there are no addresses left for the memory of a node: see ulimit -v");
  }
}

}  // namespace

bool want_node_memory() { return node_memory.wanted = true; }

void open_node_memory(std::size_t head_bytes) {
  if (!node_memory.wanted) return;
  SKEIN_CHECK(!node_memory.begin, "the memory of the node is there already");
  const char* const consequence =
      "skein::NodeTable is kept once per PE and skein::parallel_for() runs on one PE only";
  std::size_t pes = net::world.node_pes.size();
  const std::size_t head = round_up(head_bytes, kPageBytes);
  std::size_t part = part_bytes(pes);
  const bool several = net::world.pes > net::world.nodes;
  if (several && net::can_share_memory())
    node_memory.begin = net::share_memory(head + pes * part, consequence);
  node_memory.shared = node_memory.begin != nullptr;
  std::size_t place = static_cast<std::size_t>(net::world.node_pe);
  if (!node_memory.shared) {
    if (several && !net::can_share_memory() && net::world.pe == 0)
      SKEIN_WARN("%s, since PEs share no memory: with --transport memory (--skein.transport) they do",
                 consequence);
    node_memory.begin = map_alone(head, part);
    place = 0;
  }
  memory_parts->free_on_node.give(head + place * part + kLineBytes,
                                  part - kLineBytes);  // kNoPlace stays unused
}

std::uint64_t allocate_on_node(std::size_t bytes) {
  SKEIN_CHECK(node_memory.begin, "memory of the node is used outside of skein::run()");
  const auto place =
      memory_parts->free_on_node.take(rounded(bytes), bytes < kLeastPaged ? kLineBytes : kPageBytes);
  if (!place)
    fail("the memory of the node has no " + std::to_string(bytes) +
         " bytes in a row left for this PE: they are more than the machine has");
  return *place;
}

void free_on_node(std::uint64_t place, std::size_t bytes) {
  if (place == kNoPlace) return;
  if (bytes >= kLeastPaged)
    madvise(node_memory.begin + place, rounded(bytes), node_memory.shared ? MADV_REMOVE : MADV_DONTNEED);
  memory_parts->free_on_node.give(place, rounded(bytes));
}

}  // namespace skein::chare
