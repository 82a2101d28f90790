// SPDX-License-Identifier: Apache-2.0
// Messages under way, messages that wait for their receivers, and the tasks that wait for messages.
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
/// The number of a task that runs on a PE: an object's number, or, from the number of objects on, that of a
/// nonblocking collective of a rank.
using TaskId = std::uint32_t;

inline constexpr std::uint32_t kNone = ~std::uint32_t{0};  // no message, no task, no request

/// The target of a completed send or receive: a request of an object; or, without a request, a task, which
/// then waits for one operation less.
struct Completion {
  TaskId task = kNone;
  std::uint32_t request = kNone;
};

enum class MessageKind : std::uint8_t {
  eager,     // comes with its data
  envelope,  // comes without its data, which stays with the sender
  fetch,     // receiver to sender: asks for the data
  bulk,      // the requested data
  left,      // to the sender itself when the data has arrived: its buffer is free
  matched,   // receiver to sender: a receive matched it
  lazy,      // for the protocol of lazy balancing
  other,     // defined by its sender
};

/// Takes one cache line.
struct alignas(64) Message {
  Ns at = 0;          // the arrival; while in Machine::Pe::from_node, of the first byte
  Ns receive_ns = 0;  // how long taking it occupies the PE
  std::uint64_t bytes = 0;
  ObjectIndex sender = 0;
  ObjectIndex receiver = 0;
  Completion sent;      // the sender's; `none` if nothing waits for it any more
  Completion received;  // the receiver's, once the message is matched
  std::uint32_t communicator = 0;
  std::int32_t tag = 0;
  MessageIndex next = kNone;  // in the message's list
  std::uint16_t place = kNoPlace;
  MessageKind kind = MessageKind::eager;
  bool tell : 1 = false;  // the sender waits until a receive matches it
  bool collective : 1 = false;
};
static_assert(sizeof(Message) == 64);

/// Items with numbers, which are reused.
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
