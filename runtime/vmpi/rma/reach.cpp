// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/rma/reach.hpp"

#include <algorithm>
#include <iterator>

#include "runtime/pe/location.hpp"
#include "runtime/vmpi/p2p/visibility.hpp"

namespace skein::vmpi {

bool sees_window(const Window& window, int target) {
  const int world_rank = window.comm->world_rank(target);
  return pe::is_here(world_rank) || shares_arena_with(pe::pe_of(world_rank));
}

bool inside(const Window& at, const std::byte* begin, std::size_t bytes) {
  // On integers, as the program may have made up the address.
  const auto within = [&](const std::byte* base, std::size_t size) {
    const auto offset = reinterpret_cast<std::uintptr_t>(begin) - reinterpret_cast<std::uintptr_t>(base);
    return offset <= size && bytes <= size - offset;
  };
  if (at.flavor != MPI_WIN_FLAVOR_DYNAMIC) return within(at.base, static_cast<std::size_t>(at.bytes));
  // Pieces of memory that were attached separately may be adjacent.
  auto from = reinterpret_cast<std::uintptr_t>(begin);
  while (bytes > 0) {
    const auto next = at.attached.upper_bound(from);
    if (next == at.attached.begin()) return false;
    const auto& [base, size] = *std::prev(next);
    if (from - base >= size) return false;
    const std::size_t covered = std::min(bytes, base + size - from);
    from += covered;
    bytes -= covered;
  }
  return true;
}

Reach reach(const Window& window, int target, const std::byte* begin, std::size_t bytes) {
  const Window& at = window.peer(target);
  const int world_rank = window.comm->world_rank(target);
  const bool here = pe::is_here(world_rank);
  if (at.flavor == MPI_WIN_FLAVOR_DYNAMIC && !here) {
    // Only the target's PE can read the list of attached memory. Memory outside of slots is private to it,
    // too.
    return mapped_by_all(begin, bytes) && arena::slot_of(begin) == static_cast<std::size_t>(world_rank)
               ? Reach::direct
               : Reach::message;
  }
  if (!inside(at, begin, bytes)) return Reach::outside;
  return here || at.seen_on_node ? Reach::direct : Reach::message;
}

}  // namespace skein::vmpi
