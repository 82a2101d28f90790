// SPDX-License-Identifier: Apache-2.0
// Tags of messages in TI, which has one communicator, and whose waits name a request by sender, receiver and
// tag: of several such requests the one started first.
//
// Messages of the world keep their tags. Each tag of another communicator becomes a tag of its own, as does
// every collective that becomes messages. If a program waits for requests with equal names in another order
// than it started them, each of their messages gets its own tag.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "lb/trace/formats/collectives.hpp"
#include "lb/trace/formats/messages.hpp"

namespace skein::trace {

class TiTags {
 public:
  /// Throws TraceError if there are not enough tags.
  TiTags(const Trace& trace, const Messages& messages, const Collectives& collectives);

  std::int32_t of(const Message& message) const {
    const Tag& tag = tags_[message.channel];
    return tag.each ? tag.first + static_cast<std::int32_t>(message.number) : tag.first;
  }
  std::int32_t of_collective(std::uint32_t communicator, std::uint64_t number) const {
    return first_of_collectives_.at(communicator) + static_cast<std::int32_t>(number);
  }

 private:
  struct Tag {
    std::int32_t first = 0;
    bool each = false;  // each message of the channel has its own tag, counted from `first`
  };
  std::int32_t take(std::uint64_t count);

  std::vector<Tag> tags_;  // by channel
  std::map<std::uint32_t, std::int32_t> first_of_collectives_;
  std::set<std::int32_t> used_;  // by the program, in the world
  std::int64_t next_ = 1 << 20;  // mostly above the program's own tags
};

}  // namespace skein::trace
