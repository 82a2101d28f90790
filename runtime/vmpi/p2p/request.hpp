// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory_resource>

#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/api.hpp"
#include "runtime/vmpi/p2p/data.hpp"

namespace skein::vmpi {

struct Comm;
struct Generalized;
struct Unexpected;

enum class RequestKind : std::uint8_t { send, receive, collective, generalized };
enum class SendMode : std::uint8_t { standard, buffered, synchronous, ready };

/// Which messages a receive takes. Source and tag may be wildcards.
struct Pattern {
  std::int64_t context = 0;
  int source = 0;  ///< rank in the communicator, or MPI_ANY_SOURCE
  int tag = 0;     ///< or MPI_ANY_TAG
};

/// What several requests, or a collective's fiber, are waited for with: when `left` reaches zero, the fiber
/// gets ready.
struct Waiter {
  Fiber* fiber = nullptr;
  int left = 0;
};

/// An operation under way, or a persistent one. Lives in the slot of its rank: on the heap when the program
/// holds a handle to it, on the stack inside a blocking call.
//
// Three lines of the cache, in the order in which the steps of a message need them: what matching and waiting
// look at, what copying looks at, and the result. Ranks take turns, so whatever a message touches has to come
// from the second-level cache anew.
struct alignas(64) Request {
  Pattern pattern{};  ///< receive: what it takes; send: context, own rank, tag
  // While a receive is posted (match.hpp).
  Request* next = nullptr;
  Request* previous = nullptr;
  std::uint64_t order = 0;
  RequestKind kind = RequestKind::send;
  SendMode mode = SendMode::standard;
  bool persistent = false;
  bool active = false;    ///< between start and the Wait or Test that takes its result
  bool complete = false;  ///< meaningful while active
  bool freed = false;     ///< by MPI_Request_free, while active: vanishes at completion
  bool cancelled = false;
  Waiter* waiter = nullptr;
  /// A send that take_copy() can complete: its message, which waits without its data (p2p.hpp). Else null, or
  /// the request is complete.
  Unexpected* copy_later = nullptr;

  Data data{};
  RankState* owner = nullptr;
  Comm* comm = nullptr;
  MPI_Request handle = MPI_REQUEST_NULL;

  int peer = 0;  ///< send: destination in the communicator
  int error = MPI_SUCCESS;
  int received_from = 0;  ///< of the completed receive: rank in the communicator, tag and size of its message
  int received_tag = 0;
  std::size_t received_bytes = 0;
  /// Persistent collectives and nonblocking ones: the fiber that runs it, and what it runs (coll/).
  void* collective = nullptr;
  Generalized* generalized = nullptr;  ///< a generalized request's functions and status
  std::byte* packed = nullptr;         ///< buffered send: the copy, in the slot
};
static_assert(sizeof(Request) == 3 * 64);

/// Whether a Wait or Test can take its result without waiting: it is complete, or take_copy() makes it so.
inline bool ready(const Request& active) { return active.complete || active.copy_later; }

/// A send and a receive, not started.
inline Request send_request(RankState& owner, Comm& comm, const Pattern& pattern, int to, const Data& data,
                            SendMode mode = SendMode::standard) {
  return {.pattern = pattern,
          .kind = RequestKind::send,
          .mode = mode,
          .data = data,
          .owner = &owner,
          .comm = &comm,
          .peer = to};
}
inline Request receive_request(RankState& owner, Comm& comm, const Pattern& pattern, const Data& data) {
  return {.pattern = pattern, .kind = RequestKind::receive, .data = data, .owner = &owner, .comm = &comm};
}

/// Requests come and go once a message, so their memory is kept.
class RequestPool {
 public:
  explicit RequestPool(std::pmr::memory_resource& memory) : memory_(&memory) {}
  /// Room for a request to be made in.
  void* take() {
    if (!free_) return memory_->allocate(sizeof(Request), alignof(Request));
    Request* const request = free_;
    free_ = request->next;
    return request;
  }
  void give_back(Request* request) {
    request->next = free_;
    free_ = request;
  }

 private:
  std::pmr::memory_resource* memory_;
  Request* free_ = nullptr;
};

/// Gives a request's memory and references back; its handle, if any, is the caller's to remove.
void release_request(Request& request);

/// Marks it complete and wakes who waits. Callable from any stack of the owner's PE.
inline void complete(Request& request) {
  request.complete = true;
  if (request.freed) {
    release_request(request);
  } else if (Waiter* waiter = request.waiter) {
    request.waiter = nullptr;
    if (--waiter->left == 0) make_ready(*waiter->fiber);
  }
}

}  // namespace skein::vmpi
