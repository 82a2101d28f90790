// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/vmpi/p2p/attached_buffer.hpp"

namespace skein::vmpi {

struct Request;

/// A buffer for buffered sends, of a rank, a communicator or a session (MPI 4.1, 3.6), and the sends that use
/// it. In the slot.
struct BufferPool {
  explicit BufferPool(std::pmr::memory_resource& memory) : model(memory) {}
  void* buffer = nullptr;  ///< as the program attached it; null: none
  std::size_t bytes = 0;
  AttachedBuffer model;
  std::uint64_t under_way = 0;  ///< number of buffered messages whose data is still with the sender
  Request* flushes = nullptr;   ///< flushes that wait until `under_way` is 0; linked by `listed.next`
  int references = 1;           ///< owners that attach it, and messages that were not received
};

}  // namespace skein::vmpi
