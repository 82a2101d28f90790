// SPDX-License-Identifier: Apache-2.0
// Sending and receiving between ranks: what the MPI calls, the collectives and the communicator functions
// share.
//
// The life of a message. Its sender looks up on which PE the receiver is. Same PE: a posted receive gets the
// data by one copy; otherwise a short message is kept in the receiver's slot, and of a long one only the
// envelope, until the receiver comes and copies from the sender's memory. A nonblocking send leaves only the
// envelope, too, when the message is short: most receivers come before the sender waits, and save a copy. If
// the sender is first to need the completion, it copies then (take_copy()), so a short send never waits for
// its receiver. Another PE: a short message goes along with its envelope (eager). For a long one the envelope
// goes alone, and the receiver's PE fetches the data once matched (rendezvous): by one copy out of the
// sender's slot when both PEs map it, a part of which the sender's PE may make (net/helped_copy.hpp), else by
// a bulk transfer between the two user buffers.
//
// All of it holds however ranks move between two steps of a message: envelopes name ranks, not PEs, and
// requests by their address, which is the same wherever their slot is. A slot moves only when no message and
// no transfer is under way (move/), so no message ever has to be forwarded, and none can overtake another.
#pragma once

#include "lb/collectives/thresholds.hpp"
#include "runtime/load/traffic_log.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/request.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

using collectives::kEagerBytes;
using collectives::kLocalCopyBytes;
/// From so many bytes on, nonblocking sends leave such payloads until later: less is copied sooner than its
/// sender's slot is looked into. Persistent sends leave all, as only what is still there can be tied
/// (tie.hpp).
inline constexpr std::size_t kLeastBytesCopiedLater = 256;

/// The envelope of the message that a send request describes; its data have still to be found.
inline Envelope envelope_of(Request& send) {
  return {.context = send.pattern.context,
          .source = send.pattern.source,
          .tag = send.pattern.tag,
          .bytes = send.data.bytes,
          .send = &send,
          .sender = send.owner->rank.id,
          .type = send.sent.type};
}

/// A message, for strategies that look at the graph.
[[gnu::noinline]] void log_traffic(RankState& owner, const Comm& comm, int to, std::size_t bytes);
/// A message is counted, and logged if `logged`.
[[gnu::always_inline]] inline void note_sent(RankState& owner, const Comm& comm, int to, std::size_t bytes,
                                             bool logged) {
  ++owner.sent_messages;
  owner.sent_bytes += bytes;
  if (load::traffic_wanted && logged) [[unlikely]]
    log_traffic(owner, comm, to, bytes);
}
/// Notes a send that is tied. Its communicator is on its request's other cache line.
[[gnu::always_inline]] inline void note_tied(RankState& owner, const Request& send, std::size_t bytes) {
  ++owner.sent_messages;
  owner.sent_bytes += bytes;
  if (load::traffic_wanted && send.sent.logged) [[unlikely]]
    log_traffic(owner, *send.comm, send.sent.to, bytes);
}
/// What each start of a send that is not tied begins with: it is active, counted and logged.
[[gnu::always_inline]] inline void begin_send(Request& send) {
  send.active = true;
  send.complete = false;
  send.copy_later = false;
  note_sent(*send.owner, *send.comm, send.sent.to, send.data.bytes, send.sent.logged);
}
/// A message has come that no posted receive has taken.
inline void wake_prober(RankState& receiver) {
  if (Waiter* const prober = receiver.probing) {
    receiver.probing = nullptr;
    if (--prober->left == 0) make_ready(*prober->fiber);
  }
}

/// A standard send that is over before it returns, and so needs no request: a short one of data in one piece
/// to another PE. False: it is another one, and nothing was done. Not for calls that are recorded or checked.
bool send_at_once(RankState& sender, const Comm& comm, int to, int tag, const Data& data);
/// Starts a send. `request` has owner, comm, data, peer, mode and pattern (context, own rank, tag) set; it is
/// complete on return when the data has been taken care of. Never switches.
void start_send(Request& request);
/// Completes a send under way that has `copy_later`: the data goes to its message. Does nothing with any
/// other request. From a fiber of its owner, on the PE where it was started. Never switches.
void take_copy(Request& send);
/// Before a rank may move, when senders and receivers may be parted: all such sends of it; and it is tied to
/// none (tie.hpp).
void prepare_to_part(RankState& state);
/// Starts a receive: owner, comm, data, pattern set. Complete on return when the message was there already.
void start_receive(Request& request);
/// Receives a message that a matched probe took out of the queue.
void start_matched_receive(Request& request, Unexpected* message);

/// From a rank: blocks until the request is complete. May switch, may move.
void wait_until_complete(Request& request, WaitReason why);
inline void wait_for(Request& request, WaitReason why) {
  if (!request.complete) wait_until_complete(request, why);
}
/// From a rank, in a call of the program for a message: blocks until the request is complete. The rank may
/// stop there for an LB step. May switch, may move.
void wait_for_message(Request& request, WaitReason why);

/// Blocking calls on plain bytes in a given context, for the library's own use. Tag and context are the
/// caller's to keep apart; `waiting` is what the deadlock report says, of a rank of the communicator (%d).
/// May switch.
struct Route {
  std::int64_t context;
  int tag;
  const char* waiting;
};
void send_bytes(Comm& comm, const Route& route, int to, const void* data, std::size_t bytes);
void receive_bytes(Comm& comm, const Route& route, int from, void* data, std::size_t bytes);
/// Both with one rank, which may be the caller.
void exchange_bytes(Comm& comm, const Route& route, int with, const void* mine, std::size_t my_bytes,
                    void* theirs, std::size_t their_bytes);

}  // namespace skein::vmpi
