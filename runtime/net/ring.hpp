// SPDX-License-Identifier: Apache-2.0
// A queue of messages in memory that two processes share: one writes, the other reads, and neither ever waits
// for the other.
//
// It consists of cells, each a cache line. A message begins with a cell, whose first eight bytes are its
// *mark*, and lies in one piece: so one of up to 56 bytes costs the transfer of one line, and is read in
// place. The reader looks at the mark where the next message would be:
//
//     mark = 0                  nothing is there yet
//          = skip               it begins at the first cell: it did not fit behind this place
//          = word, bytes + 1    a message of so many bytes
//
// Behind the last message there may be bytes of an older one, which must not be taken for a mark. So the
// writer clears the mark behind a message before it writes the message's own mark. Mostly that mark was
// cleared with the message before: when a message is out, the writer clears as many further marks as a next
// message of the same length needs. So the lines of the next message are the writer's already, without a
// wait; further ahead the reader's core would prefetch them. For the same reason a cell stays empty behind a
// message of several.
//
// The reader says how far it has read, now and then; the writer looks only when it knows of no room. Places
// are counted in cells from the beginning of time:
//
//     read_to <= next of the reader <= next of the writer < cleared <= read_to + cells
//     the mark of each place from next of the writer up to `cleared` is 0
//
// Memory of zeros is an empty ring. Both ends are for one thread of one process.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace skein::net {

inline constexpr std::size_t kCellBytes = 64;

struct alignas(kCellBytes) RingCell {
  std::atomic<std::uint64_t> mark;
  std::byte bytes[kCellBytes - sizeof mark];
};
static_assert(sizeof(RingCell) == kCellBytes && std::atomic<std::uint64_t>::is_always_lock_free);

/// The start of a ring's memory; the cells follow.
struct alignas(kCellBytes) RingHead {
  std::atomic<std::uint64_t> read_to;
  RingCell* cells() { return reinterpret_cast<RingCell*>(this + 1); }
};

/// Returns the bytes of a ring with so many cells, a power of two.
constexpr std::size_t ring_bytes(std::size_t cells) { return sizeof(RingHead) + cells * kCellBytes; }
/// Returns the length of the longest message: it takes a cell more than a quarter of them, so that it finds
/// room as soon as all messages are read, however little the reader has told of it, and wherever the end of
/// the ring is.
constexpr std::size_t longest_in_ring(std::size_t cells) {
  return cells / 4 * kCellBytes - sizeof(std::uint64_t);
}

namespace ring {
inline constexpr std::uint64_t kSkip = ~std::uint64_t{0};
constexpr std::uint64_t mark_of(std::uint32_t word, std::size_t bytes) {
  return std::uint64_t{word} << 32 | (bytes + 1);
}
/// Returns the cells that a message takes, and one more behind several: a core that reads consecutive lines
/// prefetches the next one, into which the writer is about to put a mark.
constexpr std::uint64_t cells_of(std::size_t bytes) {
  const std::uint64_t full = (sizeof(std::uint64_t) + bytes + kCellBytes - 1) / kCellBytes;
  return full > 1 ? full + 1 : full;
}
/// Copies in words: a message that a sender has just stored in words would have to reach the cache before
/// memcpy() could read it in wider pieces.
inline void copy(std::byte* to, const void* from, std::size_t bytes) {
  if (bytes % sizeof(std::uint64_t) != 0 || bytes > kCellBytes) {
    if (bytes > 0) memcpy(to, from, bytes);
    return;
  }
  for (std::size_t i = 0; i < bytes; i += sizeof(std::uint64_t)) {
    std::uint64_t word;
    memcpy(&word, static_cast<const std::byte*>(from) + i, sizeof word);
    asm volatile("" : "+r"(word));  // else the compiler makes a memcpy() of it
    memcpy(to + i, &word, sizeof word);
  }
}
}  // namespace ring

class RingWriter {
 public:
  RingWriter() = default;
  /// Opens a ring into which nothing has been written.
  RingWriter(RingHead& head, std::size_t cells)
      : head_(&head), cells_(head.cells()), count_(cells), cleared_(cells) {}

  /// Writes two pieces as one message. Returns false if there is no room now. Preconditions: `word` is below
  /// 2^32 - 1; both pieces together have at most longest_in_ring() bytes.
  bool write(std::uint32_t word, const void* first, std::size_t first_bytes, const void* second = nullptr,
             std::size_t second_bytes = 0) {
    const std::size_t bytes = first_bytes + second_bytes;
    const std::uint64_t length = ring::cells_of(bytes), at = next_ & (count_ - 1);
    const bool skips = at + length > count_;
    const std::uint64_t begin = skips ? next_ + count_ - at : next_;
    // The message needs one more cell, whose mark is cleared.
    if (begin + length + 1 - read_to_ > count_ && !has_room(begin + length + 1)) [[unlikely]]
      return false;
    RingCell* const cell = cells_ + (begin & (count_ - 1));
    // These two need no order: both are before the mark that lets the reader come here.
    if (cleared_ <= begin + length) [[unlikely]]
      clear(begin + length);
    std::byte* to = cell->bytes;
    asm("" : "+r"(to));  // a message goes on in the next cells, which compilers take for a mistake
    ring::copy(to, first, first_bytes);
    ring::copy(to + first_bytes, second, second_bytes);
    // Release: with RingReader::peek().
    cell->mark.store(ring::mark_of(word, bytes), std::memory_order_release);
    if (skips) [[unlikely]]
      cells_[at].mark.store(ring::kSkip, std::memory_order_release);
    next_ = begin + length;
    for (const std::uint64_t end = std::min(next_ + 1 + std::min(length, most_ahead), read_to_ + count_);
         cleared_ < end;)
      clear(cleared_);
    return true;
  }

 private:
  /// Cells to clear ahead at most: more would delay a sender whose next message is short.
  static constexpr std::uint64_t most_ahead = 128;

  void clear(std::uint64_t place) {
    cells_[place & (count_ - 1)].mark.store(0, std::memory_order_relaxed);
    cleared_ = place + 1;
  }
  bool has_room(std::uint64_t end) {
    read_to_ = head_->read_to.load(std::memory_order_acquire);  // with RingReader::pop()
    return end - read_to_ <= count_;
  }

  RingHead* head_ = nullptr;
  RingCell* cells_ = nullptr;
  std::uint64_t count_ = 0;
  std::uint64_t next_ = 0;     // where the next message begins
  std::uint64_t cleared_ = 0;  // marks before this place are cleared or written
  std::uint64_t read_to_ = 0;  // the reader's read_to when it was last read
};

class RingReader {
 public:
  RingReader() = default;
  /// Opens a ring from which nothing has been read.
  RingReader(RingHead& head, std::size_t cells) : head_(&head), cells_(head.cells()), count_(cells) {}

  struct Message {
    const std::byte* bytes = nullptr;  // null: there is none
    std::size_t size = 0;
    std::uint32_t word = 0;
    explicit operator bool() const { return bytes != nullptr; }
  };
  /// Returns the oldest message that was not popped, in place.
  Message peek() {
    for (;;) {
      RingCell& cell = cells_[next_ & (count_ - 1)];
      const std::uint64_t mark = cell.mark.load(std::memory_order_acquire);  // with RingWriter::write()
      if (mark == 0) return {};
      if (mark != ring::kSkip) [[likely]]
        return {cell.bytes, static_cast<std::uint32_t>(mark) - std::size_t{1},
                static_cast<std::uint32_t>(mark >> 32)};
      next_ += count_ - (next_ & (count_ - 1));
    }
  }
  /// Gives the memory of the message that peek() returned back to the writer.
  void pop(const Message& message) {
    next_ += ring::cells_of(message.size);
    if (next_ - told_ < count_ / 4) return;
    told_ = next_;
    head_->read_to.store(told_, std::memory_order_release);  // with RingWriter::has_room()
  }

 private:
  RingHead* head_ = nullptr;
  RingCell* cells_ = nullptr;
  std::uint64_t count_ = 0;
  std::uint64_t next_ = 0;  // where the next message begins
  std::uint64_t told_ = 0;  // the last value stored in head_->read_to
};

}  // namespace skein::net
