// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/request.hpp"

#include <cstring>

#include "runtime/net/transport.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/flow_control.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/packing.hpp"

namespace skein::vmpi {
namespace {

struct CallBackHeader {  // sender's PE to receiver's: forget this message, unless it is matched
  int receiver;
  Envelope envelope;
  Request* answer;
};
struct CalledBackHeader {  // receiver's PE to sender's: whether it was forgotten
  Request* answer;
  bool forgotten;
};

net::Handler on_call_back, on_called_back;
const net::MessageKind call_back_message("cancel-call-back", on_call_back);
const net::MessageKind called_back_message("cancel-called-back", on_called_back);

bool forget(RankState& receiver, const Envelope& sent) {
  Unexpected* const message = receiver.matching.find_sent(sent);
  if (!message) return false;
  receiver.matching.remove_unexpected(message);
  receiver.matching.free_unexpected(message);
  note_room(receiver);
  return true;
}

void on_call_back(int from_pe, const std::byte* message, std::size_t) {
  CallBackHeader header;
  memcpy(&header, message, sizeof header);
  const CalledBackHeader answer{header.answer, forget(state_of(header.receiver), header.envelope)};
  net::send(from_pe, called_back_message, {&answer, sizeof answer});
}

void on_called_back(int, const std::byte* message, std::size_t) {
  CalledBackHeader header;
  memcpy(&header, message, sizeof header);
  if (header.forgotten) header.answer->ended = Ended::cancelled;
  complete(*header.answer);
}

/// Returns true if nobody has received the message, and nobody will. May switch.
bool call_back(Request& send) {
  const int receiver = send.comm->world_rank(send.sent.to);
  if (pe::is_here(receiver)) return forget(state_of(receiver), envelope_of(send));
  Request answer(*send.owner, RequestKind::send, send.comm);
  const CallBackHeader header{receiver, envelope_of(send), &answer};
  net::send(pe::pe_of(receiver), call_back_message, {&header, sizeof header});
  wait_for(answer, {"in MPI_Cancel of a send to %r, %t", {send.sent.to, send.pattern.tag}});
  return was_cancelled(answer);
}

}  // namespace

void cancel_send(Request& send) {
  if (!call_back(send)) return;
  send.ended = Ended::cancelled;
  if (send.complete) return;
  end_packing(send);
  complete(send);
}

}  // namespace skein::vmpi
