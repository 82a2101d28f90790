// SPDX-License-Identifier: Apache-2.0
// Ties. A send and a receive on one PE that recur (persistent ones, the messages of partitioned transfers,
// nonblocking ones that are kept in their places, recurring.hpp) are likely to meet each time once they have
// met. So they are tied to each other, and to start one of them takes a look at the tie, a copy and a flag.
//
// The program sees no difference. The tie is in the receiver's queues (match.hpp) by its key, which is the
// pattern of the receive: context, source and tag. It owns that key:
//
//   of the key, no receive is posted in the queues and no message waits there, and
//   no receive with wildcards is posted that takes messages of the key.
//
// Anything else of that key (a message by another send; a receive or probe, with wildcards or without) first
// undoes the tie: the send or receive that waits in it gets into the queues at its old place, by the number
// of its arrival. A cancel, MPI_Request_free, the end of MPI, a request that takes the place of one of the
// two, and a stop for an LB step, at which either rank may move, undo the tie, too. The two are tied anew
// when they meet again, unless the tie has been undone too often. If a rank has very many ties, a pattern
// with wildcards also undoes ties that it could not meet, instead of looking at all ties each time.
//
// States, and their change at each start:
//
//                     the receive started      the send started
//   open              -> receive_started       -> send_started, or data_kept where it is short
//   receive_started   (it is active)           both complete, -> open
//   send_started      both complete, -> open   (it is active)
//   data_kept         it completes, -> open    a second message waits: undone, by the queues
//
//   send_started -> data_kept when the sender waits and take_copy() can complete the send
//
//   receive active and not complete  <=>  receive_started
//   send active and not complete     <=>  send_started
//   message longer than the receive, buffered send, data in thread-local variables, --check  =>  no tie
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/vmpi/p2p/request.hpp"

namespace skein::vmpi {

enum class TieState : std::uint8_t { open, receive_started, send_started, data_kept };

/// A tie, in the receiver's slot. Both ranks are on this PE while it exists. The members that a start reads
/// are in the first cache line.
struct alignas(64) Tie {
  struct Place {
    Tie* next;
    Tie* previous;
  };
  /// Data of up to this size is kept inside the tie (bytes).
  static constexpr std::size_t short_bytes = 64;

  TieState state = TieState::open;
  Request* send;
  Request* receive;
  std::size_t bytes;      ///< of a message
  const std::byte* from;  ///< the send's data; null unless both sides are contiguous
  std::byte* to;          ///< the receive's buffer; null unless both sides are contiguous
  RankState* receiver;
  std::uint64_t order = 0;    ///< arrival number of the message that waits
  std::byte* kept = nullptr;  ///< room for a message's data, allocated when first needed
  Pattern key;
  Place in_bucket;
  Place in_order;  ///< in which ties were made
  std::byte short_data[short_bytes];
};

/// Returns the tie of a send or a receive, or null if it is not tied.
inline Tie* tie_of_message(const Request& request) {
  return request.kind == RequestKind::send ? request.sent.tie : static_cast<Tie*>(request.part);
}
/// Returns the tie of a request of any kind, or null if it has none.
inline Tie* tie_of(const Request& request) {
  return request.kind <= RequestKind::receive ? tie_of_message(request) : nullptr;
}
/// A tie that others have undone this often is not made again: it would cost more than it saves.
inline constexpr std::uint8_t kMostUntied = 8;
/// Returns true if a short send should leave its data in place, so that its receive can be tied to it.
inline bool may_be_tied(const Request& send) { return recurs(send) && send.sent.untied < kMostUntied; }

}  // namespace skein::vmpi
