// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/visibility.hpp"

#include <algorithm>

#include "runtime/arena/arena.hpp"
#include "runtime/image/loaded_libraries.hpp"
#include "runtime/image/program.hpp"
#include "runtime/net/transport.hpp"

namespace skein::vmpi {
namespace {

/// Returns true if any of these bytes of a slot are mapped by each PE for itself from a file.
bool mapped_by_each_pe(const std::byte* begin, std::size_t bytes) {
  const image::Program* const program = image::current_program();
  if (!program) return false;
  const std::byte* const image = image::image_base(arena::slot_of(begin));
  if (begin + bytes <= image || begin >= image + program->image_bytes())
    return image::in_mapped_library(begin, bytes);
  return std::ranges::none_of(program->writable_extents(), [&](const image::Program::Extent& extent) {
    return begin >= image + extent.offset && begin + bytes <= image + extent.offset + extent.bytes;
  });
}

/// Returns true if all PEs can read a datatype. A type of the program is in its rank's slot with everything
/// that it owns; a type outside of slots is static data of the launcher, which each PE has at the same
/// address.
bool readable(const Datatype* type) {
  return !type || !arena::in_arena(type) || mapped_by_all(type, sizeof *type);
}

}  // namespace

bool shares_arena_with(int pe) {
  return arena::reserved.backing == arena::Backing::node_shared &&
         net::world.node_of[static_cast<std::size_t>(pe)] == net::world.node;
}

bool mapped_by_all(const void* address, std::size_t bytes) {
  const auto* const begin = static_cast<const std::byte*>(address);
  return arena::in_arena(begin) && arena::in_arena(begin + bytes - 1) && !mapped_by_each_pe(begin, bytes);
}

bool seen_by_node(const Data& data) {
  // A buffer that is elsewhere while its rank is switched out has no address for other PEs.
  if (data.switched_out || !readable(data.type)) return false;
  const Data::Span span = data.span();
  return mapped_by_all(span.begin, span.bytes);
}

bool seen_from_here(int pe, const Request& send) {
  return shares_arena_with(pe) && mapped_by_all(&send, sizeof send) && seen_by_node(send.data);
}

}  // namespace skein::vmpi
