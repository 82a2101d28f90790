// SPDX-License-Identifier: Apache-2.0
// MPI's matching rules for all ranks of a job: receives that were posted and messages that came before their
// receive, by what identifies them.
//
// Of one sender, receiver, communicator and tag, the k-th message goes to the k-th receive (MPI 4.1, 3.5). So
// of each such channel either messages wait or receives, never both, and a table with an entry for each
// channel in which anything waits is all there is: one look-up a message, however many wait. Receives from
// any source or of any tag have channels, too, if they are to take what they took when they were recorded
// (wildcards.hpp). If they are to take what comes first, they are listed beside, with their place in the
// order of posting, and so are messages, in the order of arrival.
#pragma once
#include <cstdint>
#include <vector>

#include "lb/simulate/message.hpp"

namespace skein::simulate {

struct Channel {
  ObjectIndex receiver = 0;
  ObjectIndex sender = 0;
  std::uint32_t communicator = 0;  // doubled; odd: collectives of it
  std::int32_t tag = 0;

  friend bool operator==(const Channel&, const Channel&) = default;
};

// Lists of waiting items, by channel. Open addressing: an entry is there while its list is not empty.
class ChannelTable {
 public:
  struct Entry {
    Channel channel;
    std::uint32_t first = none;  // none: the entry is free
    std::uint32_t last = none;
    bool receives = false;  // that wait; else messages
  };
  // Null: nothing waits. Valid until the next call that adds or erases.
  Entry* find(const Channel& channel);
  // That of the channel; with an empty list if there was none, which the caller fills.
  Entry& find_or_add(const Channel& channel);
  // Its list has become empty.
  void erase(Entry& entry);
  // Calls `change` with each entry until it returns true, having taken something out of that entry's list.
  template <class Change>
  void withdraw_first(Change change) {
    for (Entry& entry : entries_) {
      if (entry.first == none) continue;
      const Entry before = entry;
      if (!change(entry)) continue;
      if (entry.first == none) {
        entry.first = before.first;  // erase() is for entries that are there
        erase(entry);
      }
      return;
    }
  }
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Entry& entry : entries_)
      if (entry.first != none) visit(entry);
  }

 private:
  std::size_t place(const Channel& channel) const;
  void grow();

  std::vector<Entry> entries_ = std::vector<Entry>(64);  // a power of two of them
  std::size_t used_ = 0;
};

// A receive that waits for its message.
struct Posted {
  Completion completion;
  std::uint32_t next = none;
  std::uint32_t order = 0;  // of posting, where wildcards take what comes first
};

// A receive from any source or of any tag, where it takes what comes first.
struct WildReceive {
  std::int32_t source, tag;
  std::uint32_t communicator;  // as in Channel
  Completion completion;
  std::uint32_t order;

  bool takes(const Channel& channel) const {
    return communicator == channel.communicator &&
           (source == trace::any || static_cast<ObjectIndex>(source) == channel.sender) &&
           (tag == trace::any || tag == channel.tag);
  }
};

class Matching {
 public:
  // `by_arrival`: of so many objects, whose wildcards take what comes first; 0: there are no such.
  Matching(Pool<Message>& messages, std::size_t by_arrival) : messages_(messages), wild_(by_arrival) {}

  // The receive that takes a message of this channel, if one waits: it waits no longer.
  bool take_receive(const Channel& channel, Completion& receive);
  // The message that a receive of this channel takes, if one waits: it waits no longer. Else `none`.
  MessageIndex take_message(const Channel& channel);
  // The same, but it goes on waiting.
  MessageIndex find_message(const Channel& channel);
  // Nothing of the channel that belongs to these waits.
  void post(const Channel& channel, Completion receive);
  // Of a wildcard, where these take what comes first; `receive.order` is set here.
  MessageIndex take_message(ObjectIndex receiver, const WildReceive& receive);
  void post(ObjectIndex receiver, WildReceive receive);
  // Takes back a receive that was posted. Looks at all that waits.
  void withdraw(ObjectIndex receiver, Completion receive);
  void keep(const Channel& channel, MessageIndex message);

  const ChannelTable& table() const { return table_; }
  const Pool<Posted>& posted() const { return posted_; }

 private:
  // What waits at one object, where wildcards take what comes first.
  struct Wild {
    std::vector<WildReceive> receives;   // in the order of posting
    std::vector<MessageIndex> messages;  // in that of arrival
  };
  void forget_message(ObjectIndex receiver, MessageIndex message);

  Pool<Message>& messages_;
  Pool<Posted> posted_;
  ChannelTable table_;
  std::vector<Wild> wild_;  // by object
  std::uint32_t next_order_ = 0;
};

inline Channel channel_of(const Message& message) {
  return {message.receiver, message.sender, message.communicator * 2 + message.collective, message.tag};
}

}  // namespace skein::simulate
