// SPDX-License-Identifier: Apache-2.0
// Accounts for the buffer for buffered sends by the rules of the standard's model implementation (MPI 4.1,
// 3.6.1), so that a program that overruns its buffer with other MPIs gets the error here, too. The data
// itself is kept in the slot; nothing is written into the program's buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

namespace skein::vmpi {

/// The model's circular queue of messages. Each takes one contiguous piece. Pieces are given back from the
/// oldest on, so a message that was received takes room while an older one was not.
class AttachedBuffer {
 public:
  using Number = std::uint64_t;  ///< of a message, in the order in which they were added
  static constexpr Number no_room = ~Number{0};

  explicit AttachedBuffer(std::pmr::memory_resource& memory) : queue_(&memory) {}

  /// Sets the size of the buffer, all of which is free from then on.
  void resize(std::size_t bytes);
  /// Adds a message of `bytes` bytes, overhead included, to `receiver`, a rank of the world. Returns its
  /// number, or `no_room` if no contiguous piece is free.
  Number add(std::size_t bytes, int receiver);
  /// Notes that the message has been received. Numbers from before the last clear() or resize() are allowed.
  void finish(Number message);
  /// Removes all messages.
  void clear();
  /// Returns the bytes from the start of the oldest message to the end of the newest, in the order of the
  /// queue.
  std::size_t in_use() const;
  /// Calls `f(receiver)` for each message that was not received.
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
  Number oldest_ = 0;              // number of the oldest message, or of the next one if there is none
  std::size_t bytes_ = 0;
};

}  // namespace skein::vmpi
