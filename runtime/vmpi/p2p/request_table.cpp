// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/request_table.hpp"

#include <algorithm>
#include <new>

namespace skein::vmpi {

/// Adds room for `count` chunks. Precondition: all room is taken.
Request* RequestTable::take_chunks(std::size_t count) {
  std::pmr::polymorphic_allocator<Recorded> memory(chunks_.get_allocator().resource());
  Recorded* const recorded = memory.allocate(made_ + count * chunk_requests);
  if (recorded_) {
    std::copy_n(recorded_, made_, recorded);
    memory.deallocate(recorded_, made_);
  }
  recorded_ = recorded;
  auto* const first =
      static_cast<Request*>(memory.resource()->allocate(count * chunk_bytes, alignof(Request)));
  for (std::size_t i = 0; i < count; ++i) chunks_.push_back(first + i * chunk_requests);
  return first;
}

RequestTable::Room RequestTable::take_new() {
  if (made_ % chunk_requests == 0) take_chunks(1);
  const std::size_t index = made_++;
  return {at(index), static_cast<std::uint32_t>(index)};
}

void RequestTable::make_places() {
  while (made_ % chunk_requests != 0) {  // the rest of a chunk is for other requests
    const auto [room, index] = take_new();
    room->index = index;
    give_back(*room);
  }
  places_ = take_chunks(places / chunk_requests);
  for (std::size_t i = 0; i < places; ++i) {
    Request& place = *new (&places_[i]) Request(RequestKind::send);
    place.holder = Holder::nobody;
    place.index = static_cast<std::uint32_t>(made_++);
  }
}

}  // namespace skein::vmpi
