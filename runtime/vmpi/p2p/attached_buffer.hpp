// SPDX-License-Identifier: Apache-2.0
// How much of the buffer for buffered sends is in use: by the rules of the standard's model implementation
// (MPI 4.1, 3.6.1), so that a program that overruns its buffer elsewhere is told so here. The data itself is
// kept in the slot; nothing is written into the program's buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

namespace skein::vmpi {

/// The model's circular queue of messages. Each takes one contiguous piece; pieces are given back from the
/// oldest on, so one that was received still takes room while an older one was not.
class AttachedBuffer {
 public:
  using Number = std::uint64_t;  ///< of a message, in the order in which they were added
  static constexpr Number no_room = ~Number{0};

  explicit AttachedBuffer(std::pmr::memory_resource& memory) : queue_(&memory) {}

  /// The buffer has so many bytes from now on, all of them free.
  void resize(std::size_t bytes);
  /// Adds a message of so many bytes, its overhead included, to a rank of the world; `no_room` where no
  /// contiguous piece is free.
  Number add(std::size_t bytes, int receiver);
  /// The message has been received. One of before the last clear() or resize() is allowed.
  void finish(Number message);
  /// All have left.
  void clear();
  /// From the first byte of the oldest message to the last of the newest, in the order of the queue.
  std::size_t in_use() const;
  /// Calls `f(receiver)` for every message that was not received.
  template <class F>
  void for_each_receiver(F f) const {
    for (const Piece& piece : queue_)
      if (!piece.received) f(piece.receiver);
  }

 private:
  struct Piece {
    std::size_t begin, bytes;
    int receiver;
    bool received;
  };
  void drop_received();

  std::pmr::vector<Piece> queue_;  // oldest first
  Number oldest_ = 0;              // its number, or the next one's
  std::size_t bytes_ = 0;
};

}  // namespace skein::vmpi
