// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory_resource>

#include "runtime/rank/rank.hpp"
#include "runtime/vmpi/api.hpp"
#include "runtime/vmpi/p2p/data.hpp"

namespace skein::vmpi {

struct Comm;
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
struct Request {
  RequestKind kind = RequestKind::send;
  SendMode mode = SendMode::standard;
  bool persistent = false;
  bool active = false;    ///< between start and the Wait or Test that takes its result
  bool complete = false;  ///< meaningful while active
  bool freed = false;     ///< by MPI_Request_free, while active: vanishes at completion
  bool cancelled = false;
  int error = MPI_SUCCESS;
  RankState* owner = nullptr;
  Comm* comm = nullptr;
  Data data;
  int peer = 0;         ///< send: destination in the communicator
  Pattern pattern;      ///< receive: what it takes; send: context, own rank, tag
  MPI_Status status{};  ///< of the completed receive
  std::size_t received_bytes = 0;
  Waiter* waiter = nullptr;

  // While a receive is posted (match.hpp).
  Request* next = nullptr;
  Request* previous = nullptr;
  std::uint64_t order = 0;

  /// Persistent collectives and nonblocking ones: the fiber that runs it, and what it runs (coll/).
  void* collective = nullptr;
  void* generalized = nullptr;  ///< a generalized request's functions
  std::byte* packed = nullptr;  ///< buffered send: the copy, in the slot
  MPI_Request handle = MPI_REQUEST_NULL;
};

/// Requests come and go once a message, so their memory is kept.
class RequestPool {
 public:
  explicit RequestPool(std::pmr::memory_resource& memory) : memory_(&memory) {}
  Request* take();
  void give_back(Request* request);

 private:
  std::pmr::memory_resource* memory_;
  Request* free_ = nullptr;
};

/// Marks it complete and wakes who waits. Callable from any stack of the owner's PE.
void complete(Request& request);

}  // namespace skein::vmpi
