// SPDX-License-Identifier: Apache-2.0
// The life of a message between ranks, as runtime/vmpi/p2p/p2p.hpp describes it, and the time of each part:
//
// Same PE. The sender copies its data to a posted receive. Without one, up to 16 KiB are kept, and the
// receiver copies; of more only the envelope, and the sender waits until the receiver has copied.
// Other PE, up to 8 KiB: the data travels with the envelope. Longer: the envelope travels; once it is
// matched, the receiver copies from the sender's memory and tells the sender, if both are on one node; else
// it asks for the data, which come as a separate transfer, and both wait for its end.
// A synchronous send is complete when its receiver has reported the match, however short it is.
//
// Platform::pe, node and network may have other limits than 16 and 8 KiB (Level::eager_bytes). The time of a
// copy within a PE is in the trace's bursts; Platform::pe comes on top.
#pragma once
#include <cstdint>
#include <vector>

#include "lb/simulate/machine.hpp"
#include "lb/simulate/matching.hpp"
#include "lb/simulate/traffic.hpp"
#include "lb/simulate/waits.hpp"

namespace skein::simulate {

struct Sending {
  MessageKey channel;
  std::uint64_t bytes = 0;
  trace::SendMode mode = trace::SendMode::standard;
  bool logged = true;  // counts as an edge of the communication graph

  Sending anew() const { return {channel.anew(), bytes, mode, logged}; }  // see MessageKey
};

class PointToPoint {
 public:
  struct Counts {
    std::uint64_t messages = 0, remote_messages = 0, bytes = 0, remote_bytes = 0;
  };

  /// `by_arrival`: wildcards take the first message.
  PointToPoint(Machine& machine, Waits& waits, const std::vector<PeIndex>& pe_of, const Platform& platform,
               const TagPlaces& places, bool by_arrival);

  /// Starts a send on the sender's PE. Returns true if it completes at once; else `done` completes later.
  bool start_send(const Sending& sending, Completion done) {
    const PeIndex from = pe_of_[sending.channel.sender], to = pe_of_[sending.channel.receiver];
    ++counts_.messages;
    counts_.bytes += sending.bytes;
    if (traffic_ && sending.logged) [[unlikely]]
      traffic_->note(sending.channel.sender, sending.channel.receiver, sending.bytes);
    return from == to ? send_here(sending, done, from) : send_away(sending.anew(), done, from, to);
  }
  /// Starts a receive on the receiver's PE. Returns true if it completes at once; else `done` completes
  /// later.
  bool start_receive(const MessageKey& channel, Completion done) {
    Waiting message;
    if (!matching_.take_message(channel, message)) {
      matching_.post(channel, done);
      return false;
    }
    if (message.message != kNone) return accept_waiting(message.message, done);
    copy(channel.sender, channel.receiver, message.bytes);
    return true;
  }
  /// Starts a receive from any source or of any tag, by arrival.
  bool start_receive(ObjectIndex receiver, const WildReceive& receive);
  /// Returns true if a message of this channel is there. If not, makes the receiver's own task ready when one
  /// comes.
  bool probe(const MessageKey& channel);
  /// Takes a message from the inbox of the PE.
  void take(PeIndex pe, MessageIndex message);

  /// Logs edges to `traffic`; null: does not log them.
  void log_to(Traffic* traffic) { traffic_ = traffic; }
  const Counts& counts() const { return counts_; }
  const Matching& matching() const { return matching_; }

 private:
  /// Sends within the PE. Rarely called functions below get values, so that none need be in memory here.
  bool send_here(const Sending& sending, Completion done, PeIndex pe) {
    Completion receive;
    if (matching_.take_receive(sending.channel, receive)) {
      machine_.clock(pe) += machine_.overhead_here(sending.bytes).send;
      waits_.complete(receive);
      return true;
    }
    const bool kept = sending.mode == trace::SendMode::buffered ||
                      (sending.mode != trace::SendMode::synchronous && sending.bytes <= most_kept_);
    machine_.clock(pe) += machine_.overhead_here(kept ? sending.bytes : 0).send;
    if (!kept || !matching_.keep_length(sending.channel, sending.bytes))
      keep_message(sending.anew(), kept ? Completion{} : done);
    came(sending.channel);
    return kept;
  }
  /// Keeps a message; without `done` also its data.
  [[gnu::noinline]] void keep_message(Sending sending, Completion done);
  [[gnu::noinline]] bool send_away(Sending sending, Completion done, PeIndex from, PeIndex to);
  MessageIndex new_message(const Sending& sending, Completion done);
  /// Wakes the probe, if any, that waits for a message of the channel, one of which now waits.
  void came(const MessageKey& channel) {
    if (!probes_.empty()) [[unlikely]]
      came_to_probe(channel.anew());
  }
  [[gnu::noinline]] void came_to_probe(MessageKey channel);
  /// Adds the receiver's time for a message with its data, beyond the time that counted at its arrival.
  void copy(ObjectIndex sender, ObjectIndex receiver, std::uint64_t bytes) {
    const PeIndex here = pe_of_[receiver];
    if (here == pe_of_[sender]) machine_.clock(here) += machine_.overhead_here(bytes).receive;
  }
  /// Matches a message that waited for its receive. Returns true if the receive completes at once.
  [[gnu::noinline]] bool accept_waiting(MessageIndex message, Completion receive);
  /// Matches a message on the receiver's PE. Returns true if the receive completes at once.
  bool accept(MessageIndex message, Completion receive);
  [[gnu::noinline]] bool fetch(MessageIndex message, Completion receive);
  void notify_sender(MessageIndex message);
  /// Ends a message.
  void remove_and_complete(MessageIndex message, Completion done) {
    messages_.remove(message);
    waits_.complete(done);
  }
  std::uint64_t eager_bytes(const Level& level) const;

  Machine& machine_;
  Pool<Message>& messages_;
  Waits& waits_;
  const std::vector<PeIndex>& pe_of_;
  const Platform& platform_;
  const std::uint64_t most_kept_;  // bytes of a message within a PE that can wait for its receiver
  Matching matching_;
  Traffic* traffic_ = nullptr;
  Counts counts_;
  std::vector<MessageKey> probes_;  // of ranks that wait for a message; few
};

}  // namespace skein::simulate
