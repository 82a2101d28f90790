// SPDX-License-Identifier: Apache-2.0
// Accumulates on memory that this PE reaches: target := operand op target, element by element, and what was
// there before.
//
// Atomicity (MPI 4.1, section 12.7.1): accumulates on a target are made under one lock of the target's rank,
// by whichever PE makes them. It is in the rank's slot, so origins on other PEs of the node and the target's
// own PE, on behalf of origins on other nodes, take the same. It is held for a few kilobytes at a time and
// nobody switches meanwhile, so whoever waits for it spins.
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

/// Where an operation's elements are in the target's memory: typed data, or blocks in the order of packing.
struct Place {
  const Data* data = nullptr;
  const Block* blocks = nullptr;
  std::size_t block_count = 0;

  /// Bytes [offset, offset + size) of the packed form.
  void gather(std::size_t offset, std::byte* to, std::size_t size) const;
  void scatter(std::size_t offset, const std::byte* from, std::size_t size) const;
  /// Where the packed form lies as it is, or null.
  std::byte* contiguous() const;
};

/// What is done to the elements. `element` is a predefined type; the operation is predefined.
struct Update {
  const Op* op;
  const Datatype* element;
};

/// Updates `bytes` of `place`, whole elements, from `first` on, with as many at `operand`, packed; null with
/// MPI_NO_OP. `before`: null, or gets what was there, packed.
void update(std::atomic<std::uint32_t>& lock, const Update& how, const Place& place, const std::byte* operand,
            std::byte* before, std::size_t bytes, std::size_t first = 0);

/// MPI_Compare_and_swap of `bytes`, at most 16.
void compare_and_swap(std::atomic<std::uint32_t>& lock, std::byte* at, const std::byte* compare,
                      const std::byte* value, std::byte* before, std::size_t bytes);

/// The predefined type that a type is made of; null if there are several, or none.
const Datatype* only_element(const Datatype& type);

}  // namespace skein::vmpi
