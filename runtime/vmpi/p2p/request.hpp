// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>

#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/api.hpp"
#include "runtime/vmpi/p2p/data.hpp"

namespace skein::vmpi {

struct Comm;
struct Generalized;
struct Tie;
struct Unexpected;

/// An exchange is a nonblocking MPI_Sendrecv: it runs like a collective and has a result like a receive. So
/// does a nonblocking access to a file, if it is not complete from the beginning. A joint one is a collective
/// without a fiber (coll/joint/joint.hpp). Partitioned ones are told of in partitioned.hpp.
enum class RequestKind : std::uint8_t {
  send,
  receive,
  collective,
  joint,
  exchange,
  generalized,
  file,
  one_sided,
  partitioned_send,
  partitioned_receive
};
enum class SendMode : std::uint8_t { standard, buffered, synchronous, ready };
/// Who is going to look at a request when it is complete: a call that has it on its stack, the program by a
/// handle, or nobody (freed while it is active, or a buffered send), so that completion releases it; or it is
/// a message of a partitioned transfer, which counts it.
enum class Holder : std::uint8_t { call, program, nobody, transfer };
/// What becomes of a request when its result is taken: its room is free; or it is kept for a call with the
/// same arguments (recurring.hpp), of which there has been none so far, or some; or it is the program's until
/// that frees it.
enum class Kept : std::uint8_t { no, in_place = 1, repeated = 3, persistent = 5 };

/// How a request ended that is complete. Failed: its `error` tells. Of generalized ones, collectives and
/// accesses to files or windows their error alone tells.
enum class Ended : std::uint8_t { well, cancelled, failed };

/// Which messages a receive takes. Source and tag may be wildcards.
///
/// Comparing patterns reads source and tag as one word. So they are written as one, too: a processor that
/// reads two words just written as one has to wait until they have left for the cache.
struct Pattern {
  std::int64_t context = 0;
  int source = 0;  ///< rank in the communicator, or MPI_ANY_SOURCE
  int tag = 0;     ///< or MPI_ANY_TAG

  Pattern() = default;
  Pattern(std::int64_t of_context, int from, int with_tag) : context(of_context) {
    const std::uint64_t both =
        static_cast<std::uint64_t>(static_cast<unsigned>(with_tag)) << 32 | static_cast<unsigned>(from);
    memcpy(reinterpret_cast<std::byte*>(this) + sizeof context, &both, sizeof both);
  }
};
static_assert(offsetof(Pattern, source) == 8 && offsetof(Pattern, tag) == 12);

/// What several requests, or a collective's fiber, are waited for with: when `left` reaches zero, the fiber
/// gets ready.
struct Waiter {
  Fiber* fiber = nullptr;
  int left = 0;
};

/// An operation under way, or a persistent one. Lives in the slot of its rank: in its table when the program
/// holds a handle to it, on the stack inside a blocking call.
///
/// Two lines of the cache: what matching and waiting look at, and what copying looks at. Ranks take turns, so
/// whatever a message touches has to come from the second-level cache anew.
struct alignas(64) Request {
  struct Listed {
    Request* next;
    Request* previous;
    std::uint64_t order;
  };
  struct Received {
    int source;  ///< rank in the communicator
    int tag;
    std::size_t bytes;
  };
  struct Sent {
    int to;               ///< rank in the communicator
    bool logged;          ///< by itself, not as part of a collective
    std::uint8_t untied;  ///< how often it was tied, or its data left to be tied, in vain (tie.hpp)
    std::uint16_t type;   ///< see Envelope
    Unexpected* message;  ///< if copy_later, and not tied
    Tie* tie;             ///< or null
  };

  /// None: room for one.
  explicit Request(RequestKind what) : sent{}, kind(what), owner(nullptr), comm(nullptr) {}
  /// One of another kind than the following.
  Request(RankState& rank, RequestKind what, Comm* communicator)
      : kind(what), owner(&rank), comm(communicator) {}
  /// A send.
  Request(RankState& rank, Comm& communicator, const Pattern& identity, int to, const Data& what,
          SendMode how = SendMode::standard)
      : pattern(identity),
        sent{to, true, 0, 0, nullptr, nullptr},
        kind(RequestKind::send),
        mode(how),
        data(what),
        owner(&rank),
        comm(&communicator) {}
  /// A receive.
  Request(RankState& rank, Comm& communicator, const Pattern& takes, const Data& where)
      : pattern(takes), kind(RequestKind::receive), data(where), owner(&rank), comm(&communicator) {}

  Pattern pattern{};  ///< receive: what it takes; send: context, own rank, tag
  union {
    Listed listed;      ///< a receive that is posted (match.hpp); whatever waits in a list of its rank
    Received received;  ///< a receive or an exchange that is complete and was not cancelled: its message. Of
                        ///< a file the bytes that went over
    Sent sent;          ///< a send
    int messages;       ///< a neighbourhood collective that is recorded: how many events started it
  };
  RequestKind kind;
  SendMode mode = SendMode::standard;
  Holder holder = Holder::call;
  Kept kept = Kept::no;
  bool active = false;    ///< between start and the Wait or Test that takes its result
  bool complete = false;  ///< meaningful while active
  Ended ended = Ended::well;
  /// A send that take_copy() can complete: its message waits without its data (p2p.hpp).
  bool copy_later = false;
  Waiter* waiter = nullptr;
  /// By kind. Collective and exchange: the fiber that runs it, and what it runs (coll/). Joint: its part.
  /// Partitioned: its messages.
  /// Generalized: its functions and status. Buffered send: its place in the attached buffer and the copy of
  /// the data. Receive: its tie (tie.hpp).
  void* part = nullptr;

  Data data{};
  RankState* owner;
  Comm* comm;
  union {
    std::uint32_t index = 0;  ///< in the rank's table
    std::uint32_t said;       ///< by the message of a collective that it has received: Envelope::type
  };
  int error = MPI_SUCCESS;
};
static_assert(sizeof(Request) == 2 * 64);

inline bool was_cancelled(const Request& request) { return request.ended == Ended::cancelled; }

/// The flags of a request, from `kind` to `copy_later`, as one word.
///
/// What comes once a message looks at all of them at once, and writes them so: a processor that reads a word
/// of which it has just written a part has to wait.
using Flags = std::uint64_t;
static_assert(offsetof(Request, kind) % 8 == 0 && offsetof(Request, mode) == offsetof(Request, kind) + 1 &&
              offsetof(Request, holder) == offsetof(Request, kind) + 2 &&
              offsetof(Request, kept) == offsetof(Request, kind) + 3 &&
              offsetof(Request, active) == offsetof(Request, kind) + 4 &&
              offsetof(Request, complete) == offsetof(Request, kind) + 5 &&
              offsetof(Request, ended) == offsetof(Request, kind) + 6 &&
              offsetof(Request, copy_later) == offsetof(Request, kind) + 7);
inline Flags flags_of(const Request& request) {
  Flags flags;
  memcpy(&flags, reinterpret_cast<const std::byte*>(&request) + offsetof(Request, kind), sizeof flags);
  return flags;
}
inline void set_flags(Request& request, Flags flags) {
  memcpy(reinterpret_cast<std::byte*>(&request) + offsetof(Request, kind), &flags, sizeof flags);
}
inline constexpr Flags kFlagActive = Flags{1} << 32, kFlagComplete = Flags{1} << 40,
                       kFlagCopyLater = Flags{1} << 56;
/// Whether the program holds it, and has started it.
inline bool is_active(Flags flags) {
  return (flags & 0xff'00ff'0000) == (Flags{static_cast<std::uint8_t>(Holder::program)} << 16 | kFlagActive);
}
/// The flags of a request that is started: active, not complete, ended well so far.
inline Flags started(Flags idle) { return (idle & 0xffff'ffff) | kFlagActive; }
/// Whether it is a message that the program holds and starts again and again, and has not started.
inline bool is_idle_persistent(Flags flags) {
  return (flags & 0x0000'00ff'ffff'00fe) == (Flags{static_cast<std::uint8_t>(Holder::program)} << 16 |
                                             Flags{static_cast<std::uint8_t>(Kept::persistent)} << 24);
}
/// Whether the result of a request is that of most: it is a message, complete, without an error, and the
/// request stays where it is (recurring.hpp) or is persistent.
inline bool is_plain(Flags active) {
  constexpr Flags looked_at = 0x00ff'ffff'01ff'00fe;  // of `kept` the bit that all have but `no`
  constexpr Flags of_most = 0x0000'0101'0101'0000;
  return (active & looked_at) == of_most;
}

/// Whether a Wait or Test can take its result without waiting: it is complete, or take_copy() makes it so.
inline bool ready(const Request& active) { return active.complete || active.copy_later; }

inline bool is_persistent(const Request& request) { return request.kept == Kept::persistent; }
/// Whether it has been started more than once, and is to be again.
inline bool recurs(const Request& request) { return request.kept >= Kept::repeated; }

inline bool is_partitioned(const Request& request) { return request.kind >= RequestKind::partitioned_send; }
/// Whether it is the blocking call on a fiber of its own (coll/api/nonblocking.hpp).
inline bool runs_on_fiber(const Request& request) {
  return request.kind == RequestKind::collective || request.kind == RequestKind::exchange ||
         request.kind == RequestKind::file;
}
/// Whether it stays where it is when it is complete, to be looked at and perhaps started again.
inline bool stays(const Request& request) {
  return request.holder == Holder::program || request.holder == Holder::transfer;
}
/// Whether a request that is complete has received a message, or would have from MPI_PROC_NULL.
inline bool has_received(const Request& request) {
  return (request.kind == RequestKind::receive || request.kind == RequestKind::exchange ||
          request.kind == RequestKind::partitioned_receive) &&
         !was_cancelled(request);
}

/// Gives the room and the references of a request in the rank's table back; its handle is none from here on.
void release_request(Request& request);

/// complete() of one that nobody, or a transfer, has.
void end_unwaited(Request& request);

/// Marks it complete and wakes who waits. Callable from any stack of the owner's PE.
inline void complete(Request& request) {
  request.complete = true;
  if (request.holder >= Holder::nobody) {
    end_unwaited(request);
  } else if (Waiter* waiter = request.waiter) {
    request.waiter = nullptr;
    if (--waiter->left == 0) make_ready(*waiter->fiber);
  }
}

// What requests of other kinds than sends and receives are started and released by.

/// Starts it on its fiber, which runs until it first has to wait. From a rank. May switch. In
/// coll/api/nonblocking.cpp.
void start_collective(Request& request);
/// Frees what the request holds for its collective. When the request is released.
void release_collective(Request& request);
/// From a rank; does not switch. In coll/joint/joint.cpp.
void start_joint(Request& request);
/// When the request is released.
void release_joint(Request& request);

// Calling sends back. The sender asks the receiver's PE to forget the message, and waits for the answer: so a
// send that is cancelled has been received nowhere, even if it had left already. No rank moves meanwhile,
// since the sender is at no sync point.

/// From a rank: calls the message of an active send, not a buffered one, back. Where no receive has taken it,
/// the send is cancelled and complete; otherwise it goes on as it was. May switch.
void cancel_send(Request& send);

// Generalized requests (MPI 4.1, section 13.2): operations of the program's own, completed by
// MPI_Grequest_complete.

/// Calls the program's query function to fill in the request's status and error.
void query_generalized(Request& request);
/// What the last query has filled in.
const MPI_Status& queried_status(const Request& request);
/// Calls the program's cancel function; returns what it returned.
int cancel_generalized(Request& request);
/// Calls the program's free function.
void free_generalized(Request& request);

}  // namespace skein::vmpi
