// SPDX-License-Identifier: Apache-2.0
// Ties: a send and a receive on one PE that recur, as persistent ones do, the messages of partitioned
// transfers, and nonblocking ones that are kept in their places (recurring.hpp), are likely to meet each time
// once they have met. So they are tied to each other, and a start of one of them is a look at the tie, a
// copy, a flag.
//
// What may be seen is as without ties. The tie is in the queues of the receiver (match.hpp), by its key,
// which is what the receive names: context, source and tag. It owns that key:
//
//   of the key, no receive is posted in the queues and no message waits there, and
//   no receive with wildcards is posted that takes messages of the key.
//
// Whatever else comes of that key (a message by another send; a receive, a probe, with wildcards or without)
// first undoes the tie: what waits in it gets into the queues, with the number of its arrival, so in the
// place where it would have been. So do a cancel, MPI_Request_free, the end of MPI, a request that takes the
// place of one of them, and a stop for an LB step, at which either rank may move. They are tied anew when
// they meet again, unless that has been undone too often. Where a rank has very many ties, what has wildcards
// undoes some that it could not meet, too, instead of looking at all of them each time.
//
// States, and what each start makes of them:
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

/// In the receiver's slot. Both ranks are on this PE as long as it is there.
///
/// What a start looks at is in the first line of the cache.
struct alignas(64) Tie {
  struct Place {
    Tie* next;
    Tie* previous;
  };
  /// Data up to this is kept beside the rest.
  static constexpr std::size_t short_bytes = 64;

  TieState state = TieState::open;
  Request* send;
  Request* receive;
  std::size_t bytes;      ///< of a message
  const std::byte* from;  ///< of a send's data, and where a receive wants it; null unless both are contiguous
  std::byte* to;
  RankState* receiver;
  std::uint64_t order = 0;    ///< the message that waits: when it arrived
  std::byte* kept = nullptr;  ///< room for a message's data, once there was need for it
  Pattern key;
  Place in_bucket;
  Place in_order;  ///< of making
  std::byte short_data[short_bytes];
};

/// The tie of a send or a receive; null if it is not tied.
inline Tie* tie_of_message(const Request& request) {
  return request.kind == RequestKind::send ? request.sent.tie : static_cast<Tie*>(request.part);
}
/// The tie of any request; null if it has none.
inline Tie* tie_of(const Request& request) {
  return request.kind <= RequestKind::receive ? tie_of_message(request) : nullptr;
}
/// A tie that others undo as often is not made again: it would cost more than it saves.
inline constexpr std::uint8_t kMostUntied = 8;
/// Whether the data of a send that is short is worth leaving where it is, for its receive to find.
inline bool may_be_tied(const Request& send) { return recurs(send) && send.sent.untied < kMostUntied; }

}  // namespace skein::vmpi
