// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/rma/update.hpp"

#include <sched.h>

#include <algorithm>
#include <cstring>

#include "runtime/vmpi/datatype/packer.hpp"

namespace skein::vmpi {
namespace {

constexpr int kSpinsBeforeYielding = 200;

/// Holds the lock of a rank's memory. The exchange acquires what the store of the last holder released.
class Updating {
 public:
  explicit Updating(std::atomic<std::uint32_t>& lock) : lock_(lock) {
    for (int spins = 1; lock_.exchange(1, std::memory_order_acquire) != 0; ++spins) {
      // The holder may have lost its processor to this PE.
      if (spins % kSpinsBeforeYielding == 0)
        sched_yield();
      else
        __builtin_ia32_pause();
    }
  }
  ~Updating() { lock_.store(0, std::memory_order_release); }
  Updating(const Updating&) = delete;
  Updating& operator=(const Updating&) = delete;

 private:
  std::atomic<std::uint32_t>& lock_;
};

/// Calls each(part of a block, its position in the piece) for the bytes [offset, offset + size) of the
/// blocks.
template <class Each>
void for_each_part(const Place& place, std::size_t offset, std::size_t size, const Each& each) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < place.block_count && begin < offset + size; ++i) {
    const Block& block = place.blocks[i];
    const std::size_t from = std::max(offset, begin), to = std::min(offset + size, begin + block.bytes);
    if (from < to) each(Block{block.at + (from - begin), to - from}, from - offset);
    begin += block.bytes;
  }
}

constexpr std::size_t kPieceBytes = 4096;

bool aligned(const void* address, const Datatype& element) {
  return reinterpret_cast<std::uintptr_t>(address) % element.basic()->alignment == 0;
}

/// Elements of the packed form laid out for arithmetic: side by side, each with its padding, aligned.
class Elements {
 public:
  Elements(const Datatype& type, std::size_t count) : type_(type), count_(static_cast<std::int64_t>(count)) {}
  void unpack(const std::byte* packed) {
    unpack_range(bytes_, count_, type_, 0, count_ * type_.size(), packed);
  }
  void pack(std::byte* packed) const { pack_range(bytes_, count_, type_, 0, count_ * type_.size(), packed); }
  std::byte* data() { return bytes_; }

 private:
  const Datatype& type_;
  std::int64_t count_;
  alignas(64) std::byte bytes_[kPieceBytes];
};

/// Updates one piece, whose elements may be anywhere.
void update_piece(const Update& how, const Place& place, std::size_t offset, const std::byte* operand,
                  std::byte* before, std::size_t count) {
  const Datatype& type = *how.element;
  const std::size_t bytes = count * static_cast<std::size_t>(type.size());
  std::byte packed[kPieceBytes];
  place.gather(offset, packed, bytes);
  if (before) memcpy(before, packed, bytes);
  if (how.op->code() == OpCode::no_op) return;
  if (how.op->code() == OpCode::replace) return place.scatter(offset, operand, bytes);
  Elements there(type, count), given(type, count);
  there.unpack(packed);
  given.unpack(operand);
  reduce(*how.op, given.data(), there.data(), static_cast<std::int64_t>(count), type, MPI_DATATYPE_NULL);
  there.pack(packed);
  place.scatter(offset, packed, bytes);
}

}  // namespace

void Place::gather(std::size_t offset, std::byte* to, std::size_t size) const {
  if (data) return data->pack(offset, to, size);
  for_each_part(*this, offset, size,
                [&](const Block& part, std::size_t at) { memcpy(to + at, part.at, part.bytes); });
}

void Place::scatter(std::size_t offset, const std::byte* from, std::size_t size) const {
  if (data) return data->unpack(offset, from, size);
  for_each_part(*this, offset, size,
                [&](const Block& part, std::size_t at) { memcpy(part.at, from + at, part.bytes); });
}

std::byte* Place::contiguous() const {
  return data ? data->contiguous() : block_count == 1 ? blocks[0].at : nullptr;
}

void update(std::atomic<std::uint32_t>& lock, const Update& how, const Place& place, const std::byte* operand,
            std::byte* before, std::size_t bytes, std::size_t first) {
  const Datatype& type = *how.element;
  const auto size = static_cast<std::size_t>(type.size());
  const std::size_t per_piece = kPieceBytes / static_cast<std::size_t>(type.extent()) * size;
  std::byte* const begin = place.contiguous();
  std::byte* const at = begin ? begin + first : nullptr;
  const bool in_place = at && type.dense() && aligned(at, type) && aligned(operand, type);
  for (std::size_t offset = 0; offset < bytes; offset += per_piece) {
    const std::size_t piece = std::min(per_piece, bytes - offset);
    const std::byte* const given = operand ? operand + offset : nullptr;
    std::byte* const old = before ? before + offset : nullptr;
    const Updating updating(lock);
    if (!in_place) {
      update_piece(how, place, first + offset, given, old, piece / size);
      continue;
    }
    if (old) memcpy(old, at + offset, piece);
    if (given)
      reduce(*how.op, given, at + offset, static_cast<std::int64_t>(piece / size), type, MPI_DATATYPE_NULL);
  }
}

void compare_and_swap(std::atomic<std::uint32_t>& lock, std::byte* at, const std::byte* compare,
                      const std::byte* value, std::byte* before, std::size_t bytes) {
  const Updating updating(lock);
  memcpy(before, at, bytes);
  if (memcmp(before, compare, bytes) == 0) memcpy(at, value, bytes);
}

const Datatype* only_element(const Datatype& type) {
  if (type.basic()) return predefined_datatype(type.basic()->handle);
  const Construction& made = type.construction();
  if (made.lowered) return only_element(*made.lowered);
  const Datatype* found = nullptr;
  for (const Datatype* const inner : made.inner) {
    if (inner->size() == 0) continue;
    const Datatype* const element = only_element(*inner);
    if (!element || (found && found != element)) return nullptr;
    found = element;
  }
  return found;
}

}  // namespace skein::vmpi
