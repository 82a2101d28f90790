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

/// The kinds of requests. An exchange is a nonblocking MPI_Sendrecv: it runs like a collective and has a
/// result like a receive. A nonblocking access to a file that is not complete at once does the same. A joint
/// request is a collective without a fiber (coll/joint/joint.hpp). partitioned.hpp describes the partitioned
/// ones.
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
/// The holder of a request, which looks at it when it is complete: a call that has it on its stack, the
/// program by a handle, nobody (the request was freed while active, or is a buffered send: completion
/// releases it), or the partitioned transfer of which it is a message, which counts it.
enum class Holder : std::uint8_t { call, program, nobody, transfer };
/// The fate of a request when its result is taken. no: its room is freed. in_place: it is kept for a call
/// with the same arguments (recurring.hpp), and none has come so far. repeated: such calls have come.
/// persistent: it stays until the program frees it.
enum class Kept : std::uint8_t { no, in_place = 1, repeated = 3, persistent = 5 };

/// How a complete request ended. If it failed, `error` gives the class. Generalized requests, collectives and
/// accesses to files or windows use `error` alone.
enum class Ended : std::uint8_t { well, cancelled, failed };

/// The messages that a receive takes. Source and tag may be wildcards.
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

/// A fiber that waits for several requests, or for a collective's fiber. It gets ready when `left` reaches
/// zero.
struct Waiter {
  Fiber* fiber = nullptr;
  int left = 0;
};

/// An operation under way, or a persistent one. Lives in the slot of its rank: in its request table if the
/// program holds a handle to it, on the stack inside a blocking call.
///
/// Takes two cache lines: the first for matching and waiting, the second for copying. Ranks take turns, so a
/// message fetches each line it touches from the second-level cache anew.
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
    bool logged;          ///< counts by itself, not as part of a collective
    std::uint8_t untied;  ///< how often it was tied, or its data left to be tied, in vain (tie.hpp)
    std::uint16_t type;   ///< see Envelope
    Unexpected* message;  ///< if copy_later and not tied: the message in the receiver's queue
    Tie* tie;             ///< or null
  };

  /// Makes an empty place for a request.
  explicit Request(RequestKind what) : sent{}, kind(what), owner(nullptr), comm(nullptr) {}
  /// Makes a request that is neither a send nor a receive.
  Request(RankState& rank, RequestKind what, Comm* communicator)
      : kind(what), owner(&rank), comm(communicator) {}
  /// Makes a send.
  Request(RankState& rank, Comm& communicator, const Pattern& identity, int to, const Data& what,
          SendMode how = SendMode::standard)
      : pattern(identity),
        sent{to, true, 0, 0, nullptr, nullptr},
        kind(RequestKind::send),
        mode(how),
        data(what),
        owner(&rank),
        comm(&communicator) {}
  /// Makes a receive.
  Request(RankState& rank, Comm& communicator, const Pattern& takes, const Data& where)
      : pattern(takes), kind(RequestKind::receive), data(where), owner(&rank), comm(&communicator) {}

  Pattern pattern{};  ///< receive: the messages it takes; send: context, own rank, tag
  union {
    Listed listed;      ///< a posted receive (match.hpp), or any request that waits in a list of its rank
    Received received;  ///< a receive or exchange that is complete and was not cancelled: its message. A file
                        ///< access: the bytes moved
    Sent sent;          ///< a send
    int messages;       ///< a neighbourhood collective that is recorded: the number of events that started it
  };
  RequestKind kind;
  SendMode mode = SendMode::standard;
  Holder holder = Holder::call;
  Kept kept = Kept::no;
  bool active = false;    ///< between start and the Wait or Test that takes its result
  bool complete = false;  ///< meaningful while active
  Ended ended = Ended::well;
  /// Set if take_copy() can complete this send: its message waits without its data (p2p.hpp).
  bool copy_later = false;
  Waiter* waiter = nullptr;
  /// Depends on the kind. Collective and exchange: the fiber that runs it, and the function it runs (coll/).
  /// Joint: its part. Partitioned: its messages. Generalized: its functions and status. Buffered send: its
  /// place in the attached buffer and the copy of the data. Receive: its tie (tie.hpp).
  void* part = nullptr;

  Data data{};
  RankState* owner;
  Comm* comm;
  union {
    std::uint32_t index = 0;  ///< place in the rank's request table
    std::uint32_t said;       ///< claim in the message of a collective that it has received: Envelope::type
  };
  int error = MPI_SUCCESS;
};
static_assert(sizeof(Request) == 2 * 64);

inline bool was_cancelled(const Request& request) { return request.ended == Ended::cancelled; }

/// The flags of a request, from `kind` to `copy_later`, as one word.
///
/// Code that runs once a message reads all flags at once and writes them at once: a processor that reads a
/// word of which it has just written a part has to wait.
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
/// Returns true if the program holds the request and has started it.
inline bool is_active(Flags flags) {
  return (flags & 0xff'00ff'0000) == (Flags{static_cast<std::uint8_t>(Holder::program)} << 16 | kFlagActive);
}
/// Returns the flags of a request that is being started: active, not complete, ended well so far.
inline Flags started(Flags idle) { return (idle & 0xffff'ffff) | kFlagActive; }
/// Returns true if the request is a persistent send or receive that the program holds and has not started.
inline bool is_idle_persistent(Flags flags) {
  return (flags & 0x0000'00ff'ffff'00fe) == (Flags{static_cast<std::uint8_t>(Holder::program)} << 16 |
                                             Flags{static_cast<std::uint8_t>(Kept::persistent)} << 24);
}
/// Returns true if the request has the most frequent kind of result: it is a complete send or receive without
/// an error, and stays in its place (recurring.hpp) or is persistent.
inline bool is_plain(Flags active) {
  constexpr Flags looked_at = 0x00ff'ffff'01ff'00fe;  // of `kept`, the bit that all values but `no` have
  constexpr Flags of_most = 0x0000'0101'0101'0000;
  return (active & looked_at) == of_most;
}

/// Returns true if a Wait or Test can take the result without waiting: the request is complete, or
/// take_copy() makes it so.
inline bool ready(const Request& active) { return active.complete || active.copy_later; }

inline bool is_persistent(const Request& request) { return request.kept == Kept::persistent; }
/// Returns true if the request has been started more than once, or is persistent, and may be started again.
inline bool recurs(const Request& request) { return request.kept >= Kept::repeated; }

inline bool is_partitioned(const Request& request) { return request.kind >= RequestKind::partitioned_send; }
/// Returns true if the request runs as the blocking call on a fiber of its own (coll/api/nonblocking.hpp).
inline bool runs_on_fiber(const Request& request) {
  return request.kind == RequestKind::collective || request.kind == RequestKind::exchange ||
         request.kind == RequestKind::file;
}
/// Returns true if the request stays in its place when it is complete, where it may be looked at and started
/// again.
inline bool stays(const Request& request) {
  return request.holder == Holder::program || request.holder == Holder::transfer;
}
/// Returns true if a complete request has received a message, or the empty one of MPI_PROC_NULL.
inline bool has_received(const Request& request) {
  return (request.kind == RequestKind::receive || request.kind == RequestKind::exchange ||
          request.kind == RequestKind::partitioned_receive) &&
         !was_cancelled(request);
}

/// Gives back the room and the references of a request in the rank's table. Its handle is invalid from here
/// on.
void release_request(Request& request);

/// Ends a complete request whose holder is nobody, which releases it, or a transfer, which counts it.
void end_unwaited(Request& request);

/// Marks the request complete and wakes the fiber that waits for it. Callable from any stack of the owner's
/// PE.
inline void complete(Request& request) {
  request.complete = true;
  if (request.holder >= Holder::nobody) {
    end_unwaited(request);
  } else if (Waiter* waiter = request.waiter) {
    request.waiter = nullptr;
    if (--waiter->left == 0) make_ready(*waiter->fiber);
  }
}

// Functions that start and release requests that are neither sends nor receives.

/// Starts a collective on its fiber, which runs until it first has to wait. Called from a rank. May switch.
/// Defined in coll/api/nonblocking.cpp.
void start_collective(Request& request);
/// Frees what a request that is released holds for its collective.
void release_collective(Request& request);
/// Starts a joint operation. Called from a rank; does not switch. Defined in coll/joint/joint.cpp.
void start_joint(Request& request);
/// Frees the part of a joint operation whose request is released.
void release_joint(Request& request);

// Cancelling sends. The sender asks the receiver's PE to forget the message, and waits for the answer: so a
// send that is cancelled has been received nowhere, even if it had left already. No rank moves meanwhile,
// since the sender is at no sync point.

/// Calls back the message of an active send, which is not a buffered one. If no receive has taken it, the
/// send is cancelled and complete; otherwise it goes on. Called from a rank. May switch.
void cancel_send(Request& send);

// Generalized requests (MPI 4.1, section 13.2): the program's own operations, which MPI_Grequest_complete
// completes.

/// Calls the program's query function to fill in the request's status and error.
void query_generalized(Request& request);
/// Returns the status that the last query filled in.
const MPI_Status& queried_status(const Request& request);
/// Calls the program's cancel function; returns what it returned.
int cancel_generalized(Request& request);
/// Calls the program's free function.
void free_generalized(Request& request);

}  // namespace skein::vmpi
