// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/point_to_point.hpp"

#include <algorithm>

#include "lb/collectives/thresholds.hpp"

namespace skein::simulate {

PointToPoint::PointToPoint(Machine& machine, Waits& waits, const std::vector<PeIndex>& pe_of,
                           const Platform& platform, const TagPlaces& places, bool by_arrival)
    : machine_(machine),
      messages_(machine.messages()),
      waits_(waits),
      pe_of_(pe_of),
      platform_(platform),
      most_kept_(eager_bytes(platform.pe)),
      matching_(machine.messages(), places, pe_of.size(), by_arrival) {}

std::uint64_t PointToPoint::eager_bytes(const Level& level) const {
  if (level.eager_bytes != 0) return level.eager_bytes;
  return &level == &platform_.pe ? collectives::kLocalCopyBytes : collectives::kEagerBytes;
}

MessageIndex PointToPoint::new_message(const Sending& sending, Completion done) {
  const MessageIndex index = messages_.add();
  Message& message = messages_[index];
  message.bytes = sending.bytes;
  message.sender = sending.channel.sender;
  message.receiver = sending.channel.receiver;
  message.communicator = sending.channel.communicator / 2;
  message.collective = sending.channel.communicator % 2 != 0;
  message.tag = sending.channel.tag;
  message.place = sending.channel.place;
  message.sent = done;
  return index;
}

void PointToPoint::came_to_probe(MessageKey channel) {
  const auto probe = std::find(probes_.begin(), probes_.end(), channel);
  if (probe == probes_.end()) return;
  probes_.erase(probe);
  waits_.complete({channel.receiver, kNone});
}

bool PointToPoint::probe(const MessageKey& channel) {
  if (matching_.has_message(channel)) return true;
  probes_.push_back(channel);
  waits_.expect(channel.receiver);
  return false;
}

// ---- sending

void PointToPoint::keep_message(Sending sending, Completion done) {
  const MessageIndex message = new_message(sending, done);
  messages_[message].kind = done.task == kNone ? MessageKind::eager : MessageKind::envelope;
  matching_.keep(sending.channel, message);
}

bool PointToPoint::send_away(Sending sending, Completion done, PeIndex from, PeIndex to) {
  ++counts_.remote_messages;
  counts_.remote_bytes += sending.bytes;
  const bool eager = sending.bytes <= eager_bytes(machine_.level(from, to));
  const bool tell = sending.mode == trace::SendMode::synchronous;
  const bool waits = sending.mode != trace::SendMode::buffered && (tell || !eager);
  const MessageIndex message = new_message(sending, waits ? done : Completion{});
  messages_[message].kind = eager ? MessageKind::eager : MessageKind::envelope;
  messages_[message].tell = eager && tell;
  machine_.send(message, from, to, eager ? sending.bytes : 0);
  return !waits;
}

// ---- receiving

bool PointToPoint::start_receive(ObjectIndex receiver, const WildReceive& receive) {
  Waiting message;
  if (matching_.take_message(receiver, receive, message))
    return accept_waiting(message.message, receive.completion);  // in the table all messages have a Message
  matching_.post(receiver, receive);
  return false;
}

void PointToPoint::notify_sender(MessageIndex index) {
  Message& message = messages_[index];
  const PeIndex here = pe_of_[message.receiver], there = pe_of_[message.sender];
  if (here == there) return remove_and_complete(index, message.sent);
  message.kind = MessageKind::matched;
  machine_.send(index, here, there, 0);
}

bool PointToPoint::accept_waiting(MessageIndex index, Completion receive) {
  const Message& message = messages_[index];
  if (message.kind == MessageKind::eager) copy(message.sender, message.receiver, message.bytes);
  return accept(index, receive);
}

bool PointToPoint::accept(MessageIndex index, Completion receive) {
  const Message& message = messages_[index];
  if (message.kind == MessageKind::envelope) return fetch(index, receive);
  if (message.tell)
    notify_sender(index);
  else
    messages_.remove(index);
  return true;
}

bool PointToPoint::fetch(MessageIndex index, Completion receive) {
  Message& message = messages_[index];
  const PeIndex here = pe_of_[message.receiver], there = pe_of_[message.sender];
  if (machine_.same_node(here, there)) {
    const Level& level = here == there ? platform_.pe : platform_.node;
    // receive_time() of the envelope was added when it came.
    machine_.clock(here) +=
        here == there ? receive_time(level, message.bytes) : fetch_time(level, message.bytes);
    notify_sender(index);
    return true;
  }
  message.received = receive;
  message.kind = MessageKind::fetch;
  machine_.send(index, here, there, 0);
  return false;
}

void PointToPoint::take(PeIndex pe, MessageIndex index) {
  Message& message = messages_[index];
  switch (message.kind) {
    case MessageKind::eager:
    case MessageKind::envelope: {
      const MessageKey channel = channel_of(message);
      Completion receive;
      if (matching_.take_receive(channel, receive)) {
        if (accept(index, receive)) waits_.complete(receive);
        return;
      }
      if (message.kind == MessageKind::eager && !message.tell &&
          matching_.keep_length(channel, message.bytes))
        messages_.remove(index);
      else
        matching_.keep(channel, index);
      came(channel);
      return;
    }
    case MessageKind::fetch: {
      message.kind = MessageKind::bulk;
      const Completion sent = message.sent;
      const PeIndex to = pe_of_[message.receiver];
      machine_.send(index, pe, to, message.bytes);
      const MessageIndex notice = messages_.add();
      messages_[notice].kind = MessageKind::left;
      messages_[notice].sent = sent;
      machine_.notify_when_arrived(index, notice);
      return;
    }
    case MessageKind::bulk:
      return remove_and_complete(index, message.received);
    default:
      return remove_and_complete(index, message.sent);
  }
}

}  // namespace skein::simulate
