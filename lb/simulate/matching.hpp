// SPDX-License-Identifier: Apache-2.0
// MPI's matching rules for all ranks of a job: receives that were posted and messages that came before their
// receive, by what identifies them.
//
// Of one sender, receiver, communicator and tag, the k-th message goes to the k-th receive (MPI 4.1, 3.5). So
// of each such channel either messages wait or receives, never both, and a table with an entry for each
// channel in which anything waits is all there is: one look-up a message, however many wait. Wildcards that
// take what comes first are beside it (class Wildcards).
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
  std::size_t size() const { return used_; }
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
  std::uint32_t wildcard = none;  // where it is known to Wildcards
};

class Matching {
 public:
  explicit Matching(Pool<Message>& messages) : messages_(messages) {}

  // The receive that takes a message of this channel, if one waits: it waits no longer.
  bool take_receive(const Channel& channel, Completion& receive);
  // The message that a receive of this channel takes, if one waits: it waits no longer. Else `none`.
  MessageIndex take_message(const Channel& channel);
  // The same, but it goes on waiting.
  MessageIndex find_message(const Channel& channel);
  // Nothing of the channel that belongs to these waits.
  void post(const Channel& channel, Completion receive);
  void keep(const Channel& channel, MessageIndex message);

  const ChannelTable& table() const { return table_; }
  const Pool<Posted>& posted() const { return posted_; }

 private:
  Pool<Message>& messages_;
  Pool<Posted> posted_;
  ChannelTable table_;
};

inline Channel channel_of(const Message& message) {
  return {message.receiver, message.sender, message.communicator * 2 + message.collective, message.tag};
}

}  // namespace skein::simulate
