// SPDX-License-Identifier: Apache-2.0
// The messages of a recorded MPI program: which send each receive got, wildcards included.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "lb/trace/channel.hpp"
#include "skein/lb/trace.hpp"

namespace skein::trace {

/// One message: the number-th of its channel.
struct Message {
  std::uint32_t channel = 0;  // index in Messages::channels()
  std::uint64_t number = 0;
};

/// What became of the nonblocking receives and sends of one object of which that is not said where they
/// begin.
struct Receives {
  struct MatchedRequest {
    std::uint64_t request;
    std::int32_t partner, tag;
    std::uint64_t bytes;
  };
  std::vector<MatchedRequest> matched;  // that wanted any source or tag, or were freed, by request
  std::vector<std::uint64_t> without;   // a message: cancelled, or receives cut off by the recording's end
};

/// Throws TraceError where the stream contradicts itself.
Receives find_receives(const Trace& trace, ObjectIndex object);

/// A stream of an MPI program, with what an event means said at the event.
class MpiStream {
 public:
  struct Step {
    const Event* event = nullptr;
    std::uint64_t number = 0;             // of the event in the stream
    std::uint64_t burst_ns = 0;           // with those of events that are not shown
    std::uint64_t request = 0;            // that the event starts, counted from 0
    std::optional<Channel> channel;       // of a send that was not cancelled, and a receive that took one
    std::uint64_t bytes = 0;              // of a message: as its sender or receiver tells them
    std::vector<std::uint64_t> requests;  // wait: which, as above
  };

  /// `receives` must outlast it.
  MpiStream(const Trace& trace, ObjectIndex object, const Receives& receives);
  /// The next event other than `matched`, or null. Lasts until the next call.
  const Step* next();

 private:
  Cursor cursor_;
  ObjectIndex object_;
  const Receives& receives_;
  std::size_t next_matched_ = 0, next_without_ = 0;
  std::uint64_t started_ = 0;
  std::uint64_t events_ = 0;
  Step step_;
};

class Messages {
 public:
  /// Throws TraceError.
  explicit Messages(const Trace& trace);

  struct Count {
    Channel channel;
    std::uint64_t sends = 0;
    std::uint64_t receives = 0;
  };
  std::span<const Count> channels() const { return channels_; }
  std::uint32_t index(const Channel& channel) const { return index_.at(channel); }
  MpiStream stream(ObjectIndex object) const { return {trace_, object, receives_[object]}; }

 private:
  Trace trace_;
  std::vector<Receives> receives_;  // by object
  std::vector<Count> channels_;
  std::unordered_map<Channel, std::uint32_t, ChannelHash> index_;
};

/// Numbers the messages of one object, in the order of its stream.
class MessageCounter {
 public:
  MessageCounter(const Messages& messages, ObjectIndex object) : messages_(messages), object_(object) {}
  Message count(const Channel& channel, bool is_send);

 private:
  const Messages& messages_;
  ObjectIndex object_;
  std::unordered_map<std::uint64_t, std::uint64_t> next_;  // by channel and side
};

/// Throws TraceError where a rank receives more messages than it is sent: nothing can play that to its end.
void check_received(const Trace& trace, const Messages& messages);

/// The end of a message about ranks that do not fit together.
std::string why_unlike(const Trace& trace);
/// Where an event is, for messages about it: "rank 3, event 17".
std::string place_of(const Trace& trace, ObjectIndex object, std::uint64_t event);

}  // namespace skein::trace
