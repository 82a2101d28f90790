// SPDX-License-Identifier: Apache-2.0
// Messages that have come to a PE, or come soon, in order. The first few are in a ring, with their receivers;
// the others are in a list. The ring is in one cache line, which tells what to prefetch before a message is
// accessed.
#pragma once
#include <array>
#include <cstdint>

#include "lb/simulate/message.hpp"

namespace skein::simulate {

class alignas(64) Inbox {
 public:
  /// Returns the first message; `none` if the inbox is empty.
  MessageIndex first() const { return count_ > 0 ? ring_[begin_].message : beyond_first_; }

  /// Adds a message behind all others.
  void append(Pool<Message>& messages, MessageIndex message) {
    if (beyond_first_ == kNone && count_ < room) {
      ring_[place(count_++)] = {message, messages[message].receiver};
      return;
    }
    messages[message].next = kNone;
    (beyond_first_ == kNone ? beyond_first_ : messages[beyond_last_].next) = message;
    beyond_last_ = message;
  }

  /// Inserts a message in the order of Message::at, and among equal times in that of before(message, other).
  /// An inbox must be filled by insert() alone or by append() alone.
  template <class Before>
  void insert(Pool<Message>& messages, MessageIndex message, Before before) {
    const Ns at = messages[message].at;
    if (at > last_at_ || first() == kNone) [[likely]] {  // needs no access to another message
      append(messages, message);
      last_at_ = at;
      return;
    }
    const auto comes_before = [&](MessageIndex a, MessageIndex b) {
      return messages[a].at != messages[b].at ? messages[a].at < messages[b].at : before(a, b);
    };
    const MessageIndex last = beyond_first_ != kNone ? beyond_last_ : ring_[place(count_ - 1)].message;
    if (!comes_before(message, last))
      append(messages, message);
    else if (beyond_first_ != kNone && !comes_before(message, beyond_first_))
      insert_beyond(messages, message, comes_before);
    else
      insert_in_ring(messages, message, comes_before);
  }

  /// Precondition: the inbox is not empty.
  void remove_first(const Pool<Message>& messages) {
    if (count_ > 0) {
      begin_ = static_cast<std::uint8_t>(place(1));
      --count_;
    } else {
      beyond_first_ = messages[beyond_first_].next;
    }
  }

  /// Calls visit(message, receiver) for each message in the ring.
  template <class Visit>
  void for_nearest(Visit visit) const {
    for (std::uint32_t i = 0; i < count_; ++i) visit(ring_[place(i)].message, ring_[place(i)].receiver);
  }
  /// Returns the first message after the ring; `none` if there is none.
  MessageIndex beyond() const { return beyond_first_; }

 private:
  static constexpr std::uint32_t room = 5;
  struct Item {
    MessageIndex message;
    ObjectIndex receiver;
  };

  std::uint32_t place(std::uint32_t i) const {
    const std::uint32_t at = begin_ + i;
    return at < room ? at : at - room;
  }

  /// Inserts into the list. Precondition: the message comes neither first nor last there.
  template <class Before>
  void insert_beyond(Pool<Message>& messages, MessageIndex message, Before before) {
    MessageIndex at = beyond_first_;
    while (!before(message, messages[at].next)) at = messages[at].next;
    messages[message].next = messages[at].next;
    messages[at].next = message;
  }

  template <class Before>
  void insert_in_ring(Pool<Message>& messages, MessageIndex message, Before before) {
    if (count_ == room) {
      const MessageIndex last = ring_[place(room - 1)].message;
      if (!before(message, last)) {
        put_before_beyond(messages, message);
        return;
      }
      put_before_beyond(messages, last);
      --count_;
    }
    std::uint32_t i = count_++;
    for (; i > 0 && before(message, ring_[place(i - 1)].message); --i) ring_[place(i)] = ring_[place(i - 1)];
    ring_[place(i)] = {message, messages[message].receiver};
  }

  void put_before_beyond(Pool<Message>& messages, MessageIndex message) {
    if (beyond_first_ == kNone) beyond_last_ = message;
    messages[message].next = beyond_first_;
    beyond_first_ = message;
  }

  std::array<Item, room> ring_;
  Ns last_at_ = 0;  // the time of the last message inserted behind all others
  MessageIndex beyond_first_ = kNone, beyond_last_ = kNone;
  std::uint8_t begin_ = 0, count_ = 0;
};
static_assert(sizeof(Inbox) == 64);

}  // namespace skein::simulate
