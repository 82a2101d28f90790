// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/flow_control.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/base/check.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/vmpi/comm/comm.hpp"

namespace skein::vmpi {

PerRuntime<HeldBack> held_back;

namespace {

constexpr std::uint64_t kBetweenLooksNs = 5000;

struct RoomHeader {  // receiver's PE to senders' PEs: whether to hold back messages for this rank
  int receiver;
  bool is_full;
};

net::Handler on_room;
const net::MessageKind room_message("p2p-room", on_room);

void on_room(int, const std::byte* message, std::size_t) {
  RoomHeader header;
  memcpy(&header, message, sizeof header);
  held_back->is_full.resize(static_cast<std::size_t>(job_ranks.count));
  auto is_full = held_back->is_full[static_cast<std::size_t>(header.receiver)];
  SKEIN_CHECK(is_full != header.is_full, "PE %d was told twice that rank %d %s", own_pe, header.receiver,
              header.is_full ? "is full" : "has room");
  is_full = header.is_full;
  if (header.is_full)
    ++held_back->receivers;
  else
    --held_back->receivers;
}

void tell(int pe, const RankState& receiver, bool is_full) {
  const RoomHeader header{receiver.rank.id, is_full};
  net::send(pe, room_message, {&header, sizeof header});
}

}  // namespace

void limit_eager_memory(std::size_t bytes) { settings.eager_memory = bytes; }

void hold_back(RankState& receiver, int pe) {
  auto& pes = receiver.pes_held_back;
  if (std::ranges::find(pes, pe) != pes.end()) return;
  pes.push_back(pe);
  receiver.matching.await_room();
  tell(pe, receiver, true);
}

void let_go_on(RankState& receiver) {
  for (const int pe : receiver.pes_held_back) tell(pe, receiver, false);
  receiver.pes_held_back.clear();
}

WaitReason why_it_waits(const Request& send) {
  const bool is_here = pe::is_here(send.comm->world_rank(send.sent.to));
  const bool is_short = send.data.bytes <= (is_here ? kLocalCopyBytes : kEagerBytes);
  if (is_short && send.mode == SendMode::standard)
    return {"in a send to %r of its communicator, %t; the receiver keeps as much as --eager-memory allows",
            {send.sent.to, send.pattern.tag}};
  return {"in a send to %r of its communicator, %t", {send.sent.to, send.pattern.tag}};
}

void look_and_let_catch_up(const Comm& comm, int to) {
  const fiber::RuntimeScope runtime;
  poll_if_due();
  let_receiver_catch_up(comm, to);
}

void let_receiver_catch_up(const Comm& comm, int to) {
  if (to == MPI_PROC_NULL) return;
  const int receiver = comm.world_rank(to);
  if (pe::is_here(receiver)) return;
  const int pe = pe::pe_of(receiver);  // no rank moves meanwhile: the caller is at no sync point
  if (net::backlog(pe) <= kMostBacklog) return;
  while (net::backlog(pe) > kMostBacklog / 2) sleep_for(kBetweenLooksNs);
}

}  // namespace skein::vmpi
