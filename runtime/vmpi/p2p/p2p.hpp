// SPDX-License-Identifier: Apache-2.0
// Sending and receiving between ranks: the core that MPI calls, collectives and communicator functions share.
//
// The life of a message. Its sender looks up on which PE the receiver is. Same PE: a posted receive gets the
// data by one copy. Otherwise the receiver's slot keeps a short message, or the envelope of a long one, whose
// data the receiver later copies from the sender's memory. A nonblocking send of a short message leaves only
// the envelope, too: most receivers come before the sender waits, which saves a copy. If the sender needs the
// completion first, it copies then (take_copy()), so a short send never waits for its receiver. Another PE: a
// short message goes along with its envelope (eager). For a long one the envelope goes alone, and the
// receiver's PE fetches the data once matched (rendezvous): by one copy out of the sender's slot when both
// PEs map it, a part of which the sender's PE may make (net/helped_copy.hpp), else by a bulk transfer between
// the two user buffers.
//
// This holds however ranks move between two steps of a message: envelopes name ranks, not PEs, and requests
// by their address, which is the same wherever their slot is. A slot moves only when no message and no
// transfer is under way (move/), so no message ever has to be forwarded, and none can overtake another.
#pragma once

#include "lb/collectives/thresholds.hpp"
#include "runtime/load/traffic_log.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/request.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

using collectives::kEagerBytes;
using collectives::kLocalCopyBytes;
/// Nonblocking sends leave payloads of this size or more with the sender until later (bytes): copying less is
/// faster than looking into the sender's slot. Persistent sends leave payloads of any size, as a receive can
/// only be tied (tie.hpp) to a send whose data is still there.
inline constexpr std::size_t kLeastBytesCopiedLater = 256;

/// Returns the envelope of the message that a send request describes, without the data.
inline Envelope envelope_of(Request& send) {
  return {.context = send.pattern.context,
          .source = send.pattern.source,
          .tag = send.pattern.tag,
          .bytes = send.data.bytes,
          .send = &send,
          .sender = send.owner->rank.id,
          .type = send.sent.type};
}

/// Adds a message to the communication graph that strategies see.
[[gnu::noinline]] void log_traffic(RankState& owner, const Comm& comm, int to, std::size_t bytes);
/// Counts a message, and logs it for strategies if `logged`.
[[gnu::always_inline]] inline void note_sent(RankState& owner, const Comm& comm, int to, std::size_t bytes,
                                             bool logged) {
  ++owner.sent_messages;
  owner.sent_bytes += bytes;
  if (load::traffic_wanted && logged) [[unlikely]]
    log_traffic(owner, comm, to, bytes);
}
/// Counts and logs a send that is tied. Reads the communicator only to log, as it is on the request's other
/// cache line.
[[gnu::always_inline]] inline void note_tied(RankState& owner, const Request& send, std::size_t bytes) {
  ++owner.sent_messages;
  owner.sent_bytes += bytes;
  if (load::traffic_wanted && send.sent.logged) [[unlikely]]
    log_traffic(owner, *send.comm, send.sent.to, bytes);
}
/// Begins a send that is not tied: marks it active, counts and logs it.
[[gnu::always_inline]] inline void begin_send(Request& send) {
  send.active = true;
  send.complete = false;
  send.copy_later = false;
  note_sent(*send.owner, *send.comm, send.sent.to, send.data.bytes, send.sent.logged);
}
/// Wakes the fiber that probes: a message has come that no posted receive has taken.
inline void wake_prober(RankState& receiver) {
  if (Waiter* const prober = receiver.probing) {
    receiver.probing = nullptr;
    if (--prober->left == 0) make_ready(*prober->fiber);
  }
}

/// Sends a short message of contiguous data to another PE as a standard send, which is over on return and
/// needs no request. Returns false, with nothing done, for any other send. Not for calls that are recorded or
/// checked.
bool send_at_once(RankState& sender, const Comm& comm, int to, int tag, const Data& data);
/// Starts a send. `request` has owner, comm, data, peer, mode and pattern (context, own rank, tag) set. It is
/// complete on return if the data has been taken care of. Never switches.
void start_send(Request& request);
/// Completes an active send that has `copy_later` by copying its data to its message. Does nothing with other
/// requests. Called from a fiber of its owner, on the PE where it was started. Never switches.
void take_copy(Request& send);
/// Prepares a rank to move away from its partners: completes its sends that have `copy_later`, and undoes its
/// ties (tie.hpp).
void prepare_to_part(RankState& state);
/// Starts a receive that has owner, comm, data and pattern set. It is complete on return if the message was
/// there already.
void start_receive(Request& request);
/// Receives a message that a matched probe took out of the queue.
void start_matched_receive(Request& request, Unexpected* message);

/// Blocks until the request is complete. Called from a rank. May switch, may move.
void wait_until_complete(Request& request, WaitReason why);
inline void wait_for(Request& request, WaitReason why) {
  if (!request.complete) wait_until_complete(request, why);
}
/// Blocks until the request is complete, in a program's call for a message, where the rank may stop for an LB
/// step. Called from a rank. May switch, may move.
void wait_for_message(Request& request, WaitReason why);

/// Names the path of blocking calls on plain bytes, for the library's own use. The caller keeps tags and
/// contexts apart; `waiting` is the text of the deadlock report, with %d for a rank of the communicator. May
/// switch.
struct Route {
  std::int64_t context;
  int tag;
  const char* waiting;
};
void send_bytes(Comm& comm, const Route& route, int to, const void* data, std::size_t bytes);
void receive_bytes(Comm& comm, const Route& route, int from, void* data, std::size_t bytes);
/// Sends to and receives from one rank, which may be the caller.
void exchange_bytes(Comm& comm, const Route& route, int with, const void* mine, std::size_t my_bytes,
                    void* theirs, std::size_t their_bytes);

}  // namespace skein::vmpi
