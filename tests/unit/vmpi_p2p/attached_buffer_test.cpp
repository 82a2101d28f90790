// SPDX-License-Identifier: Apache-2.0
// Compares the attached buffer with the text of the model implementation (MPI 4.1, 3.6.1), written with one
// mark a byte.
#include <doctest/doctest.h>

#include <deque>
#include <random>
#include <vector>

#include "runtime/vmpi/p2p/attached_buffer.hpp"

using skein::vmpi::AttachedBuffer;

namespace {

/// Takes the steps of the model, on bytes that are taken or free.
class Model {
 public:
  explicit Model(std::size_t bytes) : taken_(bytes, false) {}

  bool add(std::size_t bytes) {
    while (!queue_.empty() && queue_.front().received) {
      mark(queue_.front(), false);
      queue_.pop_front();
    }
    const std::size_t tail = queue_.empty() ? 0 : queue_.back().begin + queue_.back().bytes;
    for (const std::size_t begin : {tail, std::size_t{0}}) {
      if (!free(begin, bytes)) continue;
      queue_.push_back({begin, bytes, next_++, false});
      mark(queue_.back(), true);
      return true;
    }
    return false;
  }
  void finish(std::size_t number) {
    for (Entry& entry : queue_)
      if (entry.number == number) entry.received = true;
  }
  std::size_t added() const { return next_; }

 private:
  struct Entry {
    std::size_t begin, bytes, number;
    bool received;
  };
  bool free(std::size_t begin, std::size_t bytes) const {
    if (begin + bytes > taken_.size()) return false;
    for (std::size_t i = begin; i < begin + bytes; ++i)
      if (taken_[i]) return false;
    return true;
  }
  void mark(const Entry& entry, bool value) {
    for (std::size_t i = 0; i < entry.bytes; ++i) taken_[entry.begin + i] = value;
  }
  std::vector<bool> taken_;
  std::deque<Entry> queue_;
  std::size_t next_ = 0;
};

}  // namespace

TEST_CASE("attached buffer: takes and refuses what the model implementation does") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::size_t bytes = 1 + random() % 100;
    std::pmr::monotonic_buffer_resource memory;
    AttachedBuffer buffer(memory);
    buffer.resize(bytes);
    Model model(bytes);
    std::vector<AttachedBuffer::Number> numbers;
    int refused = 0;
    for (int step = 0; step < 300; ++step) {
      if (random() % 2 == 0 && !numbers.empty()) {
        const std::size_t which = numbers.size() - 1 - random() % std::min<std::size_t>(numbers.size(), 5);
        buffer.finish(numbers[which]);
        model.finish(which);
        continue;
      }
      const std::size_t wanted = 1 + random() % bytes;
      const AttachedBuffer::Number number = buffer.add(wanted, 0);
      REQUIRE((number != AttachedBuffer::no_room) == model.add(wanted));
      if (number != AttachedBuffer::no_room)
        numbers.push_back(number);
      else
        ++refused;
    }
    CHECK(numbers.size() == model.added());
    CHECK(refused > 0);
  }
}

TEST_CASE("attached buffer: after it was cleared, messages of before count no more") {
  std::pmr::monotonic_buffer_resource memory;
  AttachedBuffer buffer(memory);
  buffer.resize(10);
  const auto first = buffer.add(10, 3);
  CHECK(buffer.in_use() == 10);
  CHECK(buffer.add(1, 4) == AttachedBuffer::no_room);
  buffer.clear();
  CHECK(buffer.in_use() == 0);
  const auto second = buffer.add(6, 5);
  CHECK(second != first);
  buffer.finish(first);
  CHECK(buffer.add(6, 5) == AttachedBuffer::no_room);
  int receiver = -1;
  buffer.for_each_receiver([&](int r) { receiver = r; });
  CHECK(receiver == 5);
  buffer.finish(second);
  CHECK(buffer.add(10, 6) != AttachedBuffer::no_room);
}
