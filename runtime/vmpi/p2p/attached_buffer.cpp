// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/attached_buffer.hpp"

#include <algorithm>

namespace skein::vmpi {

void AttachedBuffer::resize(std::size_t bytes) {
  clear();
  bytes_ = bytes;
}

AttachedBuffer::Number AttachedBuffer::add(std::size_t bytes, int receiver) {
  drop_received();
  std::size_t begin = 0, end = bytes_;  // the free piece behind the newest message, or the whole buffer
  if (!queue_.empty()) {
    const std::size_t head = queue_.front().begin, tail = queue_.back().begin + queue_.back().bytes;
    begin = tail;
    if (tail <= head) {
      end = head;
    } else if (bytes_ - tail < bytes) {  // too close to the end: begins again at the start
      begin = 0;
      end = head;
    }
  }
  if (end - begin < bytes) return no_room;
  queue_.push_back({begin, bytes, receiver, false});
  return oldest_ + queue_.size() - 1;
}

void AttachedBuffer::finish(Number message) {
  if (message - oldest_ < queue_.size()) queue_[message - oldest_].received = true;
}

void AttachedBuffer::clear() {
  oldest_ += queue_.size();
  queue_.clear();
}

std::size_t AttachedBuffer::in_use() const {
  if (queue_.empty()) return 0;
  const std::size_t head = queue_.front().begin, tail = queue_.back().begin + queue_.back().bytes;
  return tail > head ? tail - head : bytes_ - head + tail;
}

void AttachedBuffer::drop_received() {
  const auto first = std::ranges::find(queue_, false, &Piece::received);
  oldest_ += static_cast<Number>(first - queue_.begin());
  queue_.erase(queue_.begin(), first);
}

}  // namespace skein::vmpi
