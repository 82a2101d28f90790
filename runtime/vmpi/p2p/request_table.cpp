// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/request_table.hpp"

#include <algorithm>

namespace skein::vmpi {

RequestTable::Room RequestTable::take_new() {
  if (made_ % chunk_requests == 0) {
    std::pmr::polymorphic_allocator<std::uint32_t> memory(chunks_.get_allocator().resource());
    std::uint32_t* const marks = memory.allocate(made_ + chunk_requests);
    if (marks_) {
      std::copy_n(marks_, made_, marks);
      memory.deallocate(marks_, made_);
    }
    marks_ = marks;
    chunks_.push_back(static_cast<Request*>(memory.resource()->allocate(chunk_bytes, alignof(Request))));
  }
  const std::size_t index = made_++;
  return {at(index), static_cast<std::uint32_t>(index)};
}

}  // namespace skein::vmpi
