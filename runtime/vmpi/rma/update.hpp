// SPDX-License-Identifier: Apache-2.0
// Accumulates on memory that this PE reaches: target := operand op target, element by element, and returns
// the old values.
//
// Atomicity (MPI 4.1, section 12.7.1): any PE that accumulates on a target does so under one lock of the
// target's rank. The lock is in the rank's slot, so it serves origins on other PEs of the node and the
// target's own PE, which works for origins on other nodes. It is held for a few kilobytes at a time, and its
// holder does not switch, so other PEs spin for it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/vmpi/op/op.hpp"
#include "runtime/vmpi/p2p/data.hpp"

namespace skein::vmpi {

/// A run of bytes in a target's memory.
struct Block {
  std::byte* at;
  std::size_t bytes;
};

/// The elements of an operation in the target's memory: typed data, or blocks in the order of packing.
struct Place {
  const Data* data = nullptr;
  const Block* blocks = nullptr;
  std::size_t block_count = 0;

  /// Read and write the bytes [offset, offset + size) of the packed form.
  void gather(std::size_t offset, std::byte* to, std::size_t size) const;
  void scatter(std::size_t offset, const std::byte* from, std::size_t size) const;
  /// Returns the address of the packed form if the memory has it in place, or null.
  std::byte* contiguous() const;
};

/// An operation on elements. Both `element`, a type, and `op` are predefined.
struct Update {
  const Op* op;
  const Datatype* element;
};

/// Updates `bytes` bytes of `place`, whole elements, from `first` on with the packed elements at `operand`,
/// which is null with MPI_NO_OP. `before`: null, or gets the old elements, packed.
void update(std::atomic<std::uint32_t>& lock, const Update& how, const Place& place, const std::byte* operand,
            std::byte* before, std::size_t bytes, std::size_t first = 0);

/// Performs MPI_Compare_and_swap on `bytes` bytes, at most 16.
void compare_and_swap(std::atomic<std::uint32_t>& lock, std::byte* at, const std::byte* compare,
                      const std::byte* value, std::byte* before, std::size_t bytes);

/// Returns the predefined type that a type consists of, or null if there are several or none.
const Datatype* only_element(const Datatype& type);

}  // namespace skein::vmpi
