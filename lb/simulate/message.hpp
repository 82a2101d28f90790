// SPDX-License-Identifier: Apache-2.0
// Messages under way and messages that wait for their receivers, and who waits for them.
#pragma once
#include <cstdint>

#include "lb/simulate/large_pages.hpp"
#include "lb/simulate/places.hpp"
#include "skein/lb/platform.hpp"
#include "skein/lb/simulate.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

using trace::ObjectIndex;
using MessageIndex = std::uint32_t;
/// What runs on a PE: the object of this number, or, from the number of objects on, a collective of a rank
/// that goes on beside it.
using TaskId = std::uint32_t;

inline constexpr std::uint32_t kNone = ~std::uint32_t{0};  // no message, no task, no request

/// What a send or receive completes: a request of an object; or, without a request, a task, which then waits
/// for one operation less.
struct Completion {
  TaskId task = kNone;
  std::uint32_t request = kNone;
};

enum class MessageKind : std::uint8_t {
  eager,     // with its data
  envelope,  // without: its data is where the sender is
  fetch,     // receiver to sender: send them
  bulk,      // they come
  left,      // to the sender itself, when they have come: its buffer is its own again
  matched,   // receiver to sender: a receive took it
  lazy,      // of the protocol of lazy balancing
  other,     // of whoever sent it
};

/// One line of the cache.
struct alignas(64) Message {
  Ns at = 0;          // when it arrives; its first byte, as long as it is in Machine::Pe::from_node
  Ns receive_ns = 0;  // what taking it keeps the PE busy for
  std::uint64_t bytes = 0;
  ObjectIndex sender = 0;
  ObjectIndex receiver = 0;
  Completion sent;      // the sender's; where nothing waits for it any more: none
  Completion received;  // the receiver's, once it is matched
  std::uint32_t communicator = 0;
  std::int32_t tag = 0;
  MessageIndex next = kNone;  // in the list that it is in
  std::uint16_t place = kNoPlace;
  MessageKind kind = MessageKind::eager;
  bool tell : 1 = false;  // the sender waits until a receive takes it
  bool collective : 1 = false;
};
static_assert(sizeof(Message) == 64);

/// Items that come and go, by number.
template <class Item>
class Pool {
 public:
  std::uint32_t add() {
    if (free_ == kNone) {
      items_.emplace_back();
      return static_cast<std::uint32_t>(items_.size() - 1);
    }
    const std::uint32_t index = free_;
    free_ = items_[index].next;
    items_[index] = {};
    return index;
  }
  void remove(std::uint32_t index) {
    items_[index].next = free_;
    free_ = index;
  }
  Item& operator[](std::uint32_t index) { return items_[index]; }
  const Item& operator[](std::uint32_t index) const { return items_[index]; }
  void prefetch(std::uint32_t index) const { prefetch_line(&items_[index]); }

 private:
  LargeVector<Item> items_;
  std::uint32_t free_ = kNone;
};

}  // namespace skein::simulate
