// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/lazy_messages.hpp"

#include <algorithm>

namespace skein::simulate {

void send(Machine& machine, PeIndex from, PeIndex to, const LazyMessage& message, std::uint64_t bytes) {
  const MessageIndex index = machine.messages().add();
  Message& sent = machine.messages()[index];
  sent.kind = MessageKind::lazy;
  sent.tag = static_cast<std::int32_t>(message.kind);
  sent.sender = message.member;
  sent.bytes = message.point;
  machine.send(index, from, to, bytes);
}

void send_share(Machine& machine, PeIndex member, PeIndex decider, lb::lazy::Point point,
                std::uint64_t bytes) {
  using Kind = LazyMessage::Kind;
  for (; bytes > lazy_piece_bytes; bytes -= lazy_piece_bytes)
    send(machine, member, decider, {.kind = Kind::piece, .member = member, .point = point},
         lazy_message_bytes + lazy_piece_bytes);
  send(machine, member, decider, {.kind = Kind::share, .member = member, .point = point},
       lazy_message_bytes + bytes);
}

LazyMessage take_lazy(Machine& machine, MessageIndex index) {
  const Message message = machine.messages()[index];
  machine.messages().remove(index);
  return {
      .kind = static_cast<LazyMessage::Kind>(message.tag), .member = message.sender, .point = message.bytes};
}

}  // namespace skein::simulate
