// SPDX-License-Identifier: Apache-2.0
// The messages of a recorded MPI program: the send that each receive got, wildcards included.
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

/// A message: the number-th of its channel.
struct Message {
  std::uint32_t channel = 0;  // index in Messages::channels()
  std::uint64_t number = 0;
};

/// The results of one object's nonblocking requests that their starting events do not tell.
struct Receives {
  struct MatchedRequest {
    std::uint64_t request;
    std::int32_t partner, tag;
    std::uint64_t bytes;
  };
  std::vector<MatchedRequest> matched;  // receives of any source or tag, or freed ones; by request
  std::vector<std::uint64_t> without;   // cancelled, or receives cut off by the recording's end
};

/// Throws TraceError if the stream contradicts itself.
Receives find_receives(const Trace& trace, ObjectIndex object);

/// A stream of an MPI program in which each event comes with its full meaning.
class MpiStream {
 public:
  struct Step {
    const Event* event = nullptr;
    std::uint64_t number = 0;        // of the event in the stream
    std::uint64_t burst_ns = 0;      // includes the bursts of events that are left out
    std::uint64_t request = 0;       // the request that the event starts, counted from 0
    std::optional<Channel> channel;  // of a send that was not cancelled, or a receive that took a message
    std::uint64_t bytes = 0;         // of a message, as its sender or receiver recorded it
    std::vector<std::uint64_t> requests;  // for a wait, counted from 0
  };

  /// `receives` must outlast this stream.
  MpiStream(const Trace& trace, ObjectIndex object, const Receives& receives);
  /// Returns the next event other than `matched`, or null. Valid until the next call.
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
  /// Finds the messages. Throws TraceError.
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

/// Throws TraceError if a rank receives more messages than it is sent: that cannot be played to its end.
void check_received(const Trace& trace, const Messages& messages);

/// Returns the end of a message about ranks that do not fit together.
std::string why_unlike(const Trace& trace);
/// Returns the place of an event, for messages: "rank 3, event 17".
std::string place_of(const Trace& trace, ObjectIndex object, std::uint64_t event);

}  // namespace skein::trace
