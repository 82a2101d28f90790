// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/packing.hpp"

#include <emmintrin.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <new>

#include "runtime/vmpi/p2p/visibility.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// invariant: the packed bytes [0, ready) are at bytes()
struct alignas(64) Packing {
  std::size_t size;
  std::atomic<std::size_t> ready;  // released by the sender's PE, acquired by the receiver's
  std::byte* bytes() { return reinterpret_cast<std::byte*>(this + 1); }
};

namespace {

/// Blocks from this size on (bytes) are copied as fast from their place, by one PE.
constexpr std::int64_t kLongestShortBlock = 2048;
/// Packing makes a rank's memory grow by at most this (bytes).
constexpr std::size_t kLongestPacked = std::size_t{8} << 20;
/// Size of a piece (bytes): short, so that the receiver begins soon.
constexpr std::size_t kPieceBytes = 8 * 1024;

/// Returns the length of most blocks of the type (bytes).
std::int64_t block_bytes(const Layout& layout) {
  if (layout.root.block()) return layout.root.size;
  const Layout::Node* node = &layout.nodes[static_cast<std::size_t>(layout.root.node)];
  for (;;) {
    const bool alike = node->kind == Layout::Kind::loop || node->kind == Layout::Kind::scattered;
    if (!alike) return node->size / std::max<std::int64_t>(node->count, 1);
    if (node->child < 0) return node->child_size;
    node = &layout.nodes[static_cast<std::size_t>(node->child)];
  }
}

std::size_t bytes_of(const Packing& packing) { return sizeof(Packing) + packing.size; }

Packing* packing_of(const Request& send) {
  return send.mode == SendMode::buffered ? nullptr : static_cast<Packing*>(send.part);
}

}  // namespace

bool is_packed_for(int pe, const Request& send) {
  const Data& data = send.data;
  return data.type && send.mode != SendMode::buffered && data.bytes <= kLongestPacked && !data.contiguous() &&
         block_bytes(data.type->layout()) < kLongestShortBlock && shares_arena_with(pe);
}

void begin_packing(Request& send) {
  void* const memory = send.owner->memory.allocate(sizeof(Packing) + send.data.bytes, alignof(Packing));
  send.part = new (memory) Packing{send.data.bytes, {0}};
}

void pack_for_receiver(Request& send) {
  Packing& packing = *packing_of(send);
  for (std::size_t done = 0; done < packing.size;) {
    const std::size_t more = std::min(kPieceBytes, packing.size - done);
    send.data.pack(done, packing.bytes() + done, more);
    done += more;
    packing.ready.store(done, std::memory_order_release);
  }
}

bool unpack_from_sender(const Request& send, Request& receive) {
  Packing* const packing = packing_of(send);
  if (!packing) return false;
  const std::size_t wanted = receive.received.bytes;
  // The other PE does nothing but pack, unless the system has taken its processor.
  constexpr int tries_before_yielding = 1000;
  for (std::size_t done = 0, tries = 0; done < wanted;) {
    const std::size_t ready = std::min(wanted, packing->ready.load(std::memory_order_acquire));
    if (ready == done) {
      if (++tries % tries_before_yielding == 0)
        sched_yield();
      else
        __builtin_ia32_pause();
      continue;
    }
    receive.data.unpack(done, packing->bytes() + done, ready - done);
    done = ready;
  }
  return true;
}

void end_packing(Request& send) {
  Packing* const packing = packing_of(send);
  if (!packing) return;
  send.part = nullptr;
  send.owner->memory.deallocate(packing, bytes_of(*packing), alignof(Packing));
}

}  // namespace skein::vmpi
