// SPDX-License-Identifier: Apache-2.0
// What happens when: items by time, those of equal time by a number that the caller gives.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "skein/lb/simulate.hpp"

namespace skein::simulate {

class TimeQueue {
 public:
  struct Item {
    Ns at;
    std::uint64_t order;
    std::uint32_t value;

    bool before(const Item& other) const { return at != other.at ? at < other.at : order < other.order; }
  };

  bool empty() const { return heap_.empty(); }
  const Item& top() const { return heap_[0]; }

  void push(const Item& item) {
    std::size_t hole = heap_.size();
    heap_.push_back(item);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / arity;
      if (!item.before(heap_[parent])) break;
      heap_[hole] = heap_[parent];
      hole = parent;
    }
    heap_[hole] = item;
  }

  void pop() {
    const Item last = heap_.back();
    heap_.pop_back();
    if (heap_.empty()) return;
    std::size_t hole = 0;
    while (true) {
      const std::size_t first = hole * arity + 1, end = std::min(first + arity, heap_.size());
      if (first >= end) break;
      std::size_t least = first;
      for (std::size_t child = first + 1; child < end; ++child)
        if (heap_[child].before(heap_[least])) least = child;
      if (!heap_[least].before(last)) break;
      heap_[hole] = heap_[least];
      hole = least;
    }
    heap_[hole] = last;
  }

 private:
  // Children of one parent lie beside each other, and the heap is half as deep as a binary one.
  static constexpr std::size_t arity = 4;
  std::vector<Item> heap_;
};

}  // namespace skein::simulate
