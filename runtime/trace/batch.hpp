// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace skein::trace {

/// Events of known shapes as they come, until the encoder gets them.
class Batch {
 public:
  Batch() = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  /// The next event's: its burst and its call, as its shape has them. Before put().
  void number(std::uint32_t value) { *next_number_++ = value; }
  /// Precondition: it is not full.
  void put(std::uint16_t shape) { *next_shape_++ = shape; }
  bool full() const { return reinterpret_cast<std::uintptr_t>(next_shape_) % sizeof(Room::shapes) == 0; }
  bool empty() const { return next_shape_ == room_->shapes.data(); }

  std::span<const std::uint16_t> shapes() const { return {room_->shapes.data(), next_shape_}; }
  std::span<const std::uint32_t> numbers() const { return {room_->numbers.data(), next_number_}; }
  void clear() {
    next_shape_ = room_->shapes.data();
    next_number_ = room_->numbers.data();
  }

 private:
  static constexpr std::size_t most = 64;
  struct Room {
    // Where a full one ends shows in the address.
    alignas(most * sizeof(std::uint16_t)) std::array<std::uint16_t, most> shapes;
    std::array<std::uint32_t, 2 * most> numbers;
  };
  // Apart, so that what each event looks at is in one line of the cache with the rest of the stream.
  std::unique_ptr<Room> room_ = std::make_unique_for_overwrite<Room>();
  std::uint16_t* next_shape_ = room_->shapes.data();
  std::uint32_t* next_number_ = room_->numbers.data();
};

}  // namespace skein::trace
