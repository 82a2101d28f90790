// SPDX-License-Identifier: Apache-2.0
// MPI's matching rules for all ranks of a job: posted receives, and messages that came before their receive.
//
// The k-th message of a sender, receiver, communicator and tag goes to the k-th receive (MPI 4.1, 3.5). So in
// each such channel either messages wait or receives, never both. Items that wait at a receiver are adjacent
// in its box as long as they fit; later items are in a table with an entry for each channel with waiting
// items: one look-up a message, however many wait. Receives from any source or of any tag also have channels
// if they take the same messages as in the recording (recorded_requests.hpp). If they take the message that
// comes first, they are listed separately, in the order of posting, and messages in the order of arrival.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lb/simulate/large_pages.hpp"
#include "lb/simulate/message.hpp"
#include "lb/simulate/places.hpp"

namespace skein::simulate {

struct MessageKey {
  ObjectIndex receiver = 0;
  ObjectIndex sender = 0;
  std::uint32_t communicator = 0;  // twice the communicator; odd: its collectives
  std::int32_t tag = 0;
  std::uint16_t place = kNoPlace;  // of communicator and tag, if they have one; collectives have none

  friend bool operator==(const MessageKey& a, const MessageKey& b) {
    return a.receiver == b.receiver && a.sender == b.sender && a.communicator == b.communicator &&
           a.tag == b.tag;
  }
  /// Returns a copy for a call that takes its parameter in memory, so that this key can stay in registers.
  MessageKey anew() const { return {receiver, sender, communicator, tag, place}; }
};

/// Lists of waiting items, by channel. Open addressing: an entry exists while its list is not empty.
class ChannelTable {
 public:
  struct Entry {
    MessageKey channel;
    std::uint32_t first = kNone;  // none: the entry is free
    std::uint32_t last = kNone;
    bool receives = false;  // true: receives wait; false: messages
  };
  /// Returns the entry of the channel; null if nothing waits. Valid until the next call that adds or erases.
  Entry* find(const MessageKey& channel);
  /// Returns the entry of the channel. A new entry has an empty list, which the caller must fill.
  Entry& find_or_add(const MessageKey& channel);
  /// Erases an entry whose list has become empty.
  void erase(Entry& entry);
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Entry& entry : entries_)
      if (entry.first != kNone) visit(entry);
  }

 private:
  std::size_t place(const MessageKey& channel) const;
  void grow();

  std::vector<Entry> entries_ = std::vector<Entry>(64);  // their number is a power of two
  std::size_t used_ = 0;
};

/// A receive that waits for its message.
struct Posted {
  Completion completion;
  std::uint32_t next = kNone;
  std::uint32_t order = 0;  // of posting, if wildcards take the first message
};

/// A receive from any source or of any tag that takes the first message.
struct WildReceive {
  std::int32_t source, tag;
  std::uint32_t communicator;  // as in MessageKey
  Completion completion;
  std::uint32_t order;

  bool takes(const MessageKey& channel) const {
    return communicator == channel.communicator &&
           (source == trace::kAny || static_cast<ObjectIndex>(source) == channel.sender) &&
           (tag == trace::kAny || tag == channel.tag);
  }
};

/// A message that waits for its receive. If it came as a whole and no sender waits for it to be taken, only
/// its length matters, and it has no Message.
struct Waiting {
  MessageIndex message = kNone;
  std::uint32_t bytes = 0;  // if there is no Message
};

/// The items that wait at one receiver, in the order of arrival: two cache lines. For channels whose sender
/// and place form one number; others are in the table alone.
///
/// Invariant: items in the box came before the items of the receiver's channels with keys that are in the
/// table (`beyond` of them). So the first item of a channel in the box is its first item.
///
/// All keys are compared at once, and a removed item leaves a gap: the position of the wanted item is
/// unpredictable, and a loop with a mispredicted end takes longer than comparing all.
class alignas(128) Box {
 public:
  static constexpr std::uint32_t room = 15;
  /// The upper bits of `what` tell its meaning: for a message, whether the rest is its index or its length;
  /// for a receive, whether it is a request of the receiver or a task with one operation less to wait for.
  static constexpr std::uint32_t message = 1u << 31, length = 1u << 30, task = 1u << 30;
  static constexpr std::uint32_t upper = message | length;

  Box() {
    std::ranges::fill(words_, gap);
    words_[counts] = 0;
  }

  static bool has_key(const MessageKey& channel) {
    return channel.place != kNoPlace && channel.sender < gap / TagPlaces::most;
  }
  bool takes() const { return items() - gaps() < room && beyond == 0; }
  /// Returns the place of the channel's first item; `room` if there is none.
  std::uint32_t find(const MessageKey& channel) const {
    const std::uint32_t key = key_of(channel);
    Four found = {};
    for (std::uint32_t i = 0; i < std::size(words_); i += 4) {
      const Four words = {words_[i], words_[i + 1], words_[i + 2], words_[i + 3]};
      const Four at = {bits[i], bits[i + 1], bits[i + 2], bits[i + 3]};
      found |= reinterpret_cast<Four>(words == key) & at;
    }
    const std::uint32_t all = found[0] | found[1] | found[2] | found[3];
    return static_cast<std::uint32_t>(std::countr_zero(all | 1u << room));
  }
  std::uint32_t what(std::uint32_t place) const { return whats_[place]; }
  void remove(std::uint32_t place) {
    words_[place] = gap;
    words_[counts] += one_gap;
    if (gaps() == items()) words_[counts] = 0;
  }
  /// Adds an item. Precondition: takes().
  void add(const MessageKey& channel, std::uint32_t what) {
    if (items() == room) close_gaps();
    const std::uint32_t place = words_[counts]++ % one_gap;
    words_[place] = key_of(channel);
    whats_[place] = what;
  }
  /// Calls visit(sender, place, what) for each item, in order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t i = 0; i < items(); ++i)
      if (const std::uint32_t key = words_[i]; key != gap)
        visit(key / TagPlaces::most, static_cast<std::uint16_t>(key % TagPlaces::most), whats_[i]);
  }

  std::uint32_t beyond = 0;

 private:
  /// Four keys that a processor compares at once; explicit, because the compiler does not always find it.
  using Four [[gnu::vector_size(16)]] = std::uint32_t;
  static constexpr std::uint32_t gap = ~std::uint32_t{0};  // no key
  static constexpr std::uint32_t counts = room, one_gap = 1 << 16;
  static constexpr std::uint32_t bits[room + 1] = {1 << 0,  1 << 1,  1 << 2, 1 << 3, 1 << 4,  1 << 5,
                                                   1 << 6,  1 << 7,  1 << 8, 1 << 9, 1 << 10, 1 << 11,
                                                   1 << 12, 1 << 13, 1 << 14};  // of words, without the last

  static std::uint32_t key_of(const MessageKey& channel) {
    return channel.sender * TagPlaces::most + channel.place;
  }
  std::uint32_t items() const { return words_[counts] % one_gap; }  // includes gaps
  std::uint32_t gaps() const { return words_[counts] / one_gap; }
  [[gnu::noinline]] void close_gaps();

  std::uint32_t whats_[room];
  /// Keys; a place without an item has a gap. The last word counts items, and in its upper half gaps.
  alignas(64) std::uint32_t words_[room + 1];
};
static_assert(sizeof(Box) == 128);

class Matching {
 public:
  /// `by_arrival`: wildcards take the first message.
  Matching(Pool<Message>& messages, const TagPlaces& places, std::size_t objects, bool by_arrival)
      : messages_(messages),
        places_(places),
        boxes_(by_arrival ? 0 : objects),
        wild_(by_arrival ? objects : 0) {}

  /// Takes the receive that waits for a message of this channel. Returns false if none waits.
  bool take_receive(const MessageKey& channel, Completion& receive) {
    Box* const box = box_of(channel);
    if (box) [[likely]] {
      if (const std::uint32_t place = box->find(channel); place != Box::room) {
        if (box->what(place) & Box::message) return false;
        receive = completion_of(channel.receiver, box->what(place));
        box->remove(place);
        return true;
      }
      if (box->beyond == 0) [[likely]]
        return false;
    }
    receive = take_receive_beyond(channel.anew());
    return receive.task != kNone;
  }
  /// Takes the message that waits for a receive of this channel. Returns false if none waits.
  bool take_message(const MessageKey& channel, Waiting& message) {
    Box* const box = box_of(channel);
    if (box) [[likely]] {
      if (const std::uint32_t place = box->find(channel); place != Box::room) {
        if (!(box->what(place) & Box::message)) return false;
        message = waiting_of(box->what(place));
        box->remove(place);
        return true;
      }
      if (box->beyond == 0) [[likely]]
        return false;
    }
    message = {take_message_beyond(channel.anew())};
    return message.message != kNone;
  }
  /// Returns true if a message of the channel waits.
  bool has_message(const MessageKey& channel);
  /// Adds a waiting receive. Precondition: no message of the channel waits.
  void post(const MessageKey& channel, Completion receive) {
    Box* const box = box_of(channel);
    const bool of_task = receive.request == kNone;
    const std::uint32_t number = of_task ? receive.task : receive.request;
    if (box && box->takes() && number < Box::task && (of_task || receive.task == channel.receiver)) [[likely]]
      box->add(channel, of_task ? number | Box::task : number);
    else
      post_beyond(channel.anew(), receive);
  }
  /// Takes a message for a wildcard that takes the first message; sets `receive.order`.
  bool take_message(ObjectIndex receiver, const WildReceive& receive, Waiting& message);
  void post(ObjectIndex receiver, WildReceive receive);
  /// Adds a waiting message. Precondition: no receive of the channel waits.
  void keep(const MessageKey& channel, MessageIndex message);
  /// Adds a waiting message of which only the length matters. Returns false if it needs a Message.
  bool keep_length(const MessageKey& channel, std::uint64_t bytes) {
    Box* const box = box_of(channel);
    if (!box || !box->takes() || bytes >= Box::length) return false;
    box->add(channel, static_cast<std::uint32_t>(bytes) | Box::upper);
    return true;
  }
  /// Calls visit(channel, completion) for each waiting receive of the object, except wildcards that take what
  /// comes first. Looks at all waiting items.
  template <class Visit>
  void for_receives_of(ObjectIndex receiver, Visit visit) const {
    if (!boxes_.empty()) {
      boxes_[receiver].for_each([&](ObjectIndex sender, std::uint16_t place, std::uint32_t what) {
        if (what & Box::message) return;
        const TagPlaces::Pair& pair = places_[place];
        visit(MessageKey{receiver, sender, pair.communicator, pair.tag, place},
              completion_of(receiver, what));
      });
    }
    table_.for_each([&](const ChannelTable::Entry& entry) {
      if (!entry.receives || entry.channel.receiver != receiver) return;
      for (std::uint32_t i = entry.first; i != kNone; i = i == entry.last ? kNone : posted_[i].next)
        visit(entry.channel, posted_[i].completion);
    });
  }
  /// Prefetches the items that wait at the object.
  void prefetch(ObjectIndex receiver) const {
    if (boxes_.empty()) return;
    prefetch_line(&boxes_[receiver]);
    prefetch_line(reinterpret_cast<const std::byte*>(&boxes_[receiver]) + sizeof(Box) / 2);
  }
  /// Prefetches the messages that wait at the object, whose box has been prefetched.
  void prefetch_messages(ObjectIndex receiver) const {
    if (boxes_.empty()) return;
    boxes_[receiver].for_each([&](ObjectIndex, std::uint16_t, std::uint32_t what) {
      if ((what & Box::upper) == Box::message) messages_.prefetch(what & ~Box::upper);
    });
  }

 private:
  /// The items that wait at one object, if wildcards take the first message.
  struct Wild {
    std::vector<WildReceive> receives;   // in the order of posting
    std::vector<MessageIndex> messages;  // in the order of arrival
  };
  void forget_message(ObjectIndex receiver, MessageIndex message);
  static Waiting waiting_of(std::uint32_t what) {
    return what & Box::length ? Waiting{kNone, what & ~Box::upper} : Waiting{what & ~Box::upper, 0};
  }
  static Completion completion_of(ObjectIndex receiver, std::uint32_t what) {
    if (what & Box::task) return {what & ~Box::task, kNone};
    return {receiver, what};
  }
  /// Returns the box with the channel's first waiting items; null if all are in the table.
  Box* box_of(const MessageKey& channel) {
    return !boxes_.data() || !Box::has_key(channel) ? nullptr : &boxes_.data()[channel.receiver];
  }
  /// Takes a receive that waits in the table. The key is passed by value: a rarely called function must not
  /// make its caller write the key to memory.
  [[gnu::noinline]] Completion take_receive_beyond(MessageKey channel);
  [[gnu::noinline]] MessageIndex take_message_beyond(MessageKey channel);
  [[gnu::noinline]] void post_beyond(MessageKey channel, Completion receive);
  bool take_receive_of_table(const MessageKey& channel, Completion& receive);

  template <class Item>
  void append(const MessageKey& channel, Pool<Item>& items, std::uint32_t item, bool receives);

  Pool<Message>& messages_;
  const TagPlaces& places_;
  LargeVector<Box> boxes_;  // by object; empty if wildcards take the first message
  Pool<Posted> posted_;
  ChannelTable table_;
  std::vector<Wild> wild_;  // by object
  std::uint32_t next_order_ = 0;
};

inline MessageKey channel_of(const Message& message) {
  return {message.receiver, message.sender, message.communicator * 2 + message.collective, message.tag,
          message.place};
}

}  // namespace skein::simulate
