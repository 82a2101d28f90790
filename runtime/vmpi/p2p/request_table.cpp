// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/request_table.hpp"

namespace skein::vmpi {

RequestTable::Room RequestTable::take_new() {
  if (made_ % chunk_requests == 0) {
    std::pmr::memory_resource& memory = *chunks_.get_allocator().resource();
    chunks_.push_back(static_cast<Request*>(memory.allocate(chunk_bytes, alignof(Request))));
  }
  const std::size_t index = made_++;
  return {at(index), static_cast<std::uint32_t>(index)};
}

}  // namespace skein::vmpi
