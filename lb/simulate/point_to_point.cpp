// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/point_to_point.hpp"

#include <algorithm>

namespace skein::simulate {
namespace {

// As in runtime/vmpi/p2p/p2p.hpp.
constexpr std::uint64_t runtime_eager_bytes = 8 * 1024;
constexpr std::uint64_t runtime_kept_bytes = 16 * 1024;

}  // namespace

PointToPoint::PointToPoint(Machine& machine, Waits& waits, const std::vector<PeIndex>& pe_of,
                           const Platform& platform, const Places& places, bool by_arrival)
    : machine_(machine),
      messages_(machine.messages()),
      waits_(waits),
      pe_of_(pe_of),
      platform_(platform),
      matching_(machine.messages(), places, pe_of.size(), by_arrival) {}

std::uint64_t PointToPoint::eager_bytes(const Level& level) const {
  if (level.eager_bytes != 0) return level.eager_bytes;
  return &level == &platform_.pe ? runtime_kept_bytes : runtime_eager_bytes;
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

void PointToPoint::came(const Channel& channel) {
  if (probes_.empty()) return;
  const auto probe = std::find(probes_.begin(), probes_.end(), channel);
  if (probe == probes_.end()) return;
  probes_.erase(probe);
  waits_.complete({channel.receiver, none});
}

bool PointToPoint::probe(const Channel& channel) {
  if (matching_.has_message(channel)) return true;
  probes_.push_back(channel);
  waits_.expect(channel.receiver);
  return false;
}

// ---- sending

void PointToPoint::start_send(const Sending& sending, Completion done) {
  const PeIndex from = pe_of_[sending.channel.sender], to = pe_of_[sending.channel.receiver];
  ++counts_.messages;
  counts_.bytes += sending.bytes;
  if (traffic_ && sending.logged)
    traffic_->note(sending.channel.sender, sending.channel.receiver, sending.bytes);
  if (from == to) {
    send_here(sending, done, from);
    return;
  }
  ++counts_.remote_messages;
  counts_.remote_bytes += sending.bytes;
  send_away(sending, done, from, to);
}

void PointToPoint::send_here(const Sending& sending, Completion done, PeIndex pe) {
  Completion receive;
  if (matching_.take_receive(sending.channel, receive)) {
    machine_.clock(pe) += machine_.overhead_here(sending.bytes).send;
    waits_.complete(receive);
    waits_.complete(done);
    return;
  }
  const bool kept =
      sending.mode == trace::SendMode::buffered ||
      (sending.mode != trace::SendMode::synchronous && sending.bytes <= eager_bytes(platform_.pe));
  machine_.clock(pe) += machine_.overhead_here(kept ? sending.bytes : 0).send;
  if (!kept || !matching_.keep_length(sending.channel, sending.bytes)) {
    const MessageIndex message = new_message(sending, kept ? Completion{} : done);
    messages_[message].kind = kept ? MessageKind::eager : MessageKind::envelope;
    matching_.keep(sending.channel, message);
  }
  came(sending.channel);
  if (kept) waits_.complete(done);
}

void PointToPoint::send_away(const Sending& sending, Completion done, PeIndex from, PeIndex to) {
  const bool eager = sending.bytes <= eager_bytes(machine_.level(from, to));
  const bool tell = sending.mode == trace::SendMode::synchronous;
  const bool waits = sending.mode != trace::SendMode::buffered && (tell || !eager);
  const MessageIndex message = new_message(sending, waits ? done : Completion{});
  messages_[message].kind = eager ? MessageKind::eager : MessageKind::envelope;
  messages_[message].tell = eager && tell;
  machine_.send(message, from, to, eager ? sending.bytes : 0);
  if (!waits) waits_.complete(done);
}

// ---- receiving

void PointToPoint::start_receive(const Channel& channel, Completion done) {
  Waiting message;
  if (!matching_.take_message(channel, message)) {
    matching_.post(channel, done);
  } else if (message.message != none) {
    accept_waiting(message.message, done);
  } else {
    copy(channel.sender, channel.receiver, message.bytes);
    waits_.complete(done);
  }
}

void PointToPoint::start_receive(ObjectIndex receiver, const WildReceive& receive) {
  Waiting message;
  if (!matching_.take_message(receiver, receive, message))
    matching_.post(receiver, receive);
  else
    accept_waiting(message.message, receive.completion);  // in the table all are Messages
}

void PointToPoint::tell_sender(MessageIndex index) {
  Message& message = messages_[index];
  const PeIndex here = pe_of_[message.receiver], there = pe_of_[message.sender];
  if (here == there) {
    const Completion sent = message.sent;
    messages_.remove(index);
    waits_.complete(sent);
    return;
  }
  message.kind = MessageKind::matched;
  machine_.send(index, here, there, 0);
}

void PointToPoint::copy(ObjectIndex sender, ObjectIndex receiver, std::uint64_t bytes) {
  const PeIndex here = pe_of_[receiver];
  if (here == pe_of_[sender]) machine_.clock(here) += machine_.overhead_here(bytes).receive;
}

void PointToPoint::accept_waiting(MessageIndex index, Completion receive) {
  const Message& message = messages_[index];
  if (message.kind == MessageKind::eager) copy(message.sender, message.receiver, message.bytes);
  accept(index, receive);
}

void PointToPoint::accept(MessageIndex index, Completion receive) {
  const Message& message = messages_[index];
  if (message.kind == MessageKind::envelope) {
    fetch(index, receive);
    return;
  }
  if (message.tell)
    tell_sender(index);
  else
    messages_.remove(index);
  waits_.complete(receive);
}

void PointToPoint::fetch(MessageIndex index, Completion receive) {
  Message& message = messages_[index];
  const PeIndex here = pe_of_[message.receiver], there = pe_of_[message.sender];
  if (machine_.same_node(here, there)) {
    const Level& level = here == there ? platform_.pe : platform_.node;
    // receive_time() of what was sent, the envelope, has been counted when it came.
    machine_.clock(here) +=
        here == there ? receive_time(level, message.bytes) : fetch_time(level, message.bytes);
    tell_sender(index);
    waits_.complete(receive);
    return;
  }
  message.received = receive;
  message.kind = MessageKind::fetch;
  machine_.send(index, here, there, 0);
}

void PointToPoint::take(PeIndex pe, MessageIndex index) {
  Message& message = messages_[index];
  switch (message.kind) {
    case MessageKind::eager:
    case MessageKind::envelope: {
      const Channel channel = channel_of(message);
      Completion receive;
      if (matching_.take_receive(channel, receive)) return accept(index, receive);
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
      machine_.tell_when_arrived(index, notice);
      return;
    }
    case MessageKind::bulk: {
      const Completion received = message.received;
      messages_.remove(index);
      waits_.complete(received);
      return;
    }
    default: {
      const Completion sent = message.sent;
      messages_.remove(index);
      waits_.complete(sent);
      return;
    }
  }
}

}  // namespace skein::simulate
