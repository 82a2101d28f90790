// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/partitioned.hpp"

#include <algorithm>
#include <new>
#include <vector>

#include "runtime/base/check.hpp"
#include "runtime/vmpi/check/check.hpp"
#include "runtime/vmpi/coll/nonblocking.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/start.hpp"
#include "runtime/vmpi/record/record.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* in_transfer = "in a partitioned transfer with %r of its communicator, %t";

/// What a sender tells its receiver.
struct Opening {
  std::int64_t context = 0;
  std::int64_t partitions = 0;
  std::uint64_t bytes = 0;   ///< packed, of all partitions
  TypeCode type = any_type;  ///< with --check: of all partitions
};

}  // namespace

/// A receiver's wait for it. In the slot, and there until it has come, even if the request is freed before:
/// the next one must not get it.
struct AwaitedOpening {
  AwaitedOpening(RankState& state, Comm& comm, int from, int tag)
      : receive(state, comm, {comm.partitioned_context(), from, tag}, byte_data(&opening, sizeof opening)) {}
  Opening opening;
  Request receive;
  AwaitedOpening* next = nullptr;  ///< among those of freed requests
};

namespace {

/// What a partitioned request has beside it. In the slot.
struct Partitioned {
  Partitioned(const PartitionedArguments& arguments, std::pmr::memory_resource* memory)
      : own(arguments), marked(memory), messages(memory), staged(memory), is_unpacked(memory) {}
  PartitionedArguments own;
  Opening opening;
  AwaitedOpening* awaited = nullptr;   ///< a receiver's
  std::pmr::vector<char> marked;       ///< a sender's, by partition
  int unmarked = 0;                    ///< how many of them are not
  std::pmr::vector<Request> messages;  ///< by partition of the sender; empty until these are known
  /// A receiver's where messages do not end with elements of its type: the packed bytes, and whether those of
  /// each message were put where they belong.
  std::pmr::vector<std::byte> staged;
  std::pmr::vector<char> is_unpacked;

  std::size_t bytes_each() const {
    return opening.partitions == 0 ? 0 : opening.bytes / static_cast<std::size_t>(opening.partitions);
  }
  /// The part of the receiver's data that message i is for.
  std::size_t begin(std::size_t i) const { return std::min(i * bytes_each(), own.whole.bytes); }
  std::size_t length(std::size_t i) const { return begin(i + 1) - begin(i); }
};

Partitioned& partitioned_of(const Request& request) {
  return *static_cast<Partitioned*>(collective_body(request));
}

template <class Object>
void give_back_to(RankState& state, Object* object) {
  object->~Object();
  state.memory.deallocate(object, sizeof(Object), alignof(Object));
}

/// The bytes [begin, begin + bytes) of the packed form, if they are whole elements.
bool piece_of(const Data& whole, std::size_t begin, std::size_t bytes, Data& piece) {
  const auto size = static_cast<std::size_t>(whole.type->size());
  auto* const buffer = static_cast<std::byte*>(whole.buffer);
  if (size == 0) return true;
  if (const std::byte* const first = whole.contiguous()) {
    piece = byte_data(buffer + (first - static_cast<std::byte*>(whole.place())) + begin, bytes);
    return true;
  }
  if (begin % size != 0 || bytes % size != 0) return false;
  piece = make_data(buffer + static_cast<std::int64_t>(begin / size) * whole.type->extent(),
                    static_cast<MPI_Count>(bytes / size), *whole.type);
  return true;
}

// ---- the receiver

/// Posts a receive for each message of a start.
void post_messages(Request& request, Partitioned& part) {
  const auto count = static_cast<std::size_t>(part.opening.partitions);
  part.messages.clear();
  part.messages.reserve(count);
  part.is_unpacked.assign(count, 1);
  for (std::size_t i = 0; i < count; ++i) {
    Data piece;
    if (!piece_of(part.own.whole, part.begin(i), part.length(i), piece)) {
      part.staged.resize(part.own.whole.bytes);
      part.is_unpacked[i] = 0;
      piece = byte_data(part.staged.data() + part.begin(i), part.length(i));
    }
    const Pattern pattern{part.opening.context, part.own.peer, static_cast<int>(i)};
    part.messages.emplace_back(*request.owner, *request.comm, pattern, piece);
  }
  for (Request& message : part.messages) start_receive(message);
}

/// Whether a message is there, and then in its place.
bool is_settled(Partitioned& part, std::size_t i) {
  const Request& message = part.messages[i];
  if (!message.complete) return false;
  if (!part.is_unpacked[i])
    part.own.whole.unpack(part.begin(i), part.staged.data() + part.begin(i), message.received.bytes);
  part.is_unpacked[i] = 1;
  return true;
}

// ---- both

/// Waits for all messages of a start. Returns the first error.
int wait_for_messages(Partitioned& part) {
  Waiter waiter{current_fiber(), 0};
  for (Request& message : part.messages) {
    if (message.complete) continue;
    message.waiter = &waiter;
    ++waiter.left;
  }
  if (waiter.left > 0) block({in_transfer, {part.own.peer, part.own.tag}});
  int error = MPI_SUCCESS;
  for (const Request& message : part.messages)
    if (error == MPI_SUCCESS) error = message.error;
  return error;
}

int run_send(void* body, Request&) { return wait_for_messages(*static_cast<Partitioned*>(body)); }

/// A partitioned receive has found its sender.
void check_opening(const Request& request, const Partitioned& part) {
  check_message(
      request, part.own.whole,
      {.source = part.own.peer, .tag = part.own.tag, .bytes = part.opening.bytes, .type = part.opening.type});
}

int run_receive(void* body, Request& request) {
  auto& part = *static_cast<Partitioned*>(body);
  if (part.awaited) {
    wait_for(part.awaited->receive, {in_transfer, {part.own.peer, part.own.tag}});
    part.opening = part.awaited->opening;
    if (checking) check_opening(request, part);
    give_back_to(*request.owner, part.awaited);
    part.awaited = nullptr;
  }
  post_messages(request, part);
  int error = wait_for_messages(part);
  for (std::size_t i = 0; i < part.messages.size(); ++i) (void)is_settled(part, i);
  if (part.opening.bytes > part.own.whole.bytes) error = MPI_ERR_TRUNCATE;
  const std::size_t bytes = std::min<std::size_t>(part.opening.bytes, part.own.whole.bytes);
  request.received = {part.own.peer, part.own.tag, bytes};
  return error;
}

/// Keeps an opening that has not come, and frees those of before that have.
void keep_until_it_comes(RankState& state, AwaitedOpening* opening) {
  if (opening) {
    ++opening->receive.comm->references;
    opening->next = state.unused_openings;
    state.unused_openings = opening;
  }
  for (AwaitedOpening** place = &state.unused_openings; *place;) {
    AwaitedOpening* const at = *place;
    if (!at->receive.complete) {
      place = &at->next;
      continue;
    }
    *place = at->next;
    release_comm(state, at->receive.comm);
    give_back_to(state, at);
  }
}

void drop(void* body, RankState& state) {
  auto* const part = static_cast<Partitioned*>(body);
  if (part->awaited) keep_until_it_comes(state, part->awaited);
  give_back_to(state, part);
}

Request& new_partitioned(RankState& state, Comm& comm, const PartitionedArguments& arguments,
                         RequestKind kind, int (*run)(void*, Request&)) {
  auto* const part = new (state.memory.allocate(sizeof(Partitioned), alignof(Partitioned)))
      Partitioned(arguments, &state.memory);
  Request& request = new_collective_request(state, comm, run, drop, part);
  request.kind = kind;
  request.data = arguments.whole;
  request.data.type->retain();
  return request;
}

/// The sender's messages of a start, of which each waits for its partition to be marked.
void prepare_messages(Request& request, Partitioned& part) {
  const Data& whole = part.own.whole;
  const MPI_Count each = part.own.partitions == 0 ? 0 : whole.count / part.own.partitions;
  part.messages.clear();
  part.messages.reserve(static_cast<std::size_t>(part.own.partitions));
  for (int i = 0; i < part.own.partitions; ++i) {
    const Pattern identity{part.opening.context, request.comm->rank, i};
    const Data piece =
        make_data(static_cast<std::byte*>(whole.buffer) + i * each * whole.type->extent(), each, *whole.type);
    part.messages.emplace_back(*request.owner, *request.comm, identity, part.own.peer, piece);
  }
}

}  // namespace

Request& new_partitioned_send(RankState& state, Comm& comm, const PartitionedArguments& arguments) {
  Request& request = new_partitioned(state, comm, arguments, RequestKind::partitioned_send, run_send);
  Partitioned& part = partitioned_of(request);
  part.marked.resize(static_cast<std::size_t>(arguments.partitions));
  if (arguments.peer == MPI_PROC_NULL) return request;
  part.opening = {contexts_per_comm * take_ids(state, 1), arguments.partitions, arguments.whole.bytes,
                  checking ? code_of(arguments.whole) : any_type};
  Request opening(state, comm, {comm.partitioned_context(), comm.rank, arguments.tag}, arguments.peer,
                  byte_data(&part.opening, sizeof part.opening), SendMode::ready);
  opening.sent.logged = false;
  start_send(opening);
  SKEIN_CHECK(opening.complete, "the %zu bytes that open a partitioned send have not left",
              sizeof part.opening);
  return request;
}

Request& new_partitioned_receive(RankState& state, Comm& comm, const PartitionedArguments& arguments) {
  keep_until_it_comes(state, nullptr);
  Request& request = new_partitioned(state, comm, arguments, RequestKind::partitioned_receive, run_receive);
  if (arguments.peer == MPI_PROC_NULL) return request;
  Partitioned& part = partitioned_of(request);
  part.awaited = new (state.memory.allocate(sizeof(AwaitedOpening), alignof(AwaitedOpening)))
      AwaitedOpening(state, comm, arguments.peer, arguments.tag);
  start_receive(part.awaited->receive);
  return request;
}

void start_partitioned(Request& request) {
  Partitioned& part = partitioned_of(request);
  const PartitionedArguments& own = part.own;
  const bool sends = request.kind == RequestKind::partitioned_send;
  leave_unrecorded(request);
  std::ranges::fill(part.marked, 0);
  part.unmarked = own.partitions;
  part.messages.clear();
  request.error = MPI_SUCCESS;
  if (own.peer == MPI_PROC_NULL) {
    request.active = true;
    request.complete = true;
    if (!sends) request.received = {MPI_PROC_NULL, MPI_ANY_TAG, 0};
    return;
  }
  if (sends)
    prepare_messages(request, part);
  else if (trace::recording)
    record_partitioned(request, trace::EventKind::receive, own.peer, own.tag, own.whole.bytes);
  start_collective(request);
}

int partitions_of(const Request& request) { return partitioned_of(request).own.partitions; }

bool is_marked(const Request& request, int partition) {
  return partitioned_of(request).marked[static_cast<std::size_t>(partition)] != 0;
}

void mark_ready(Request& request, int partition) {
  Partitioned& part = partitioned_of(request);
  const auto i = static_cast<std::size_t>(partition);
  part.marked[i] = 1;
  --part.unmarked;
  if (part.own.peer == MPI_PROC_NULL) return;
  if (trace::recording && part.unmarked == 0)
    record_partitioned(request, trace::EventKind::send, part.own.peer, part.own.tag, part.own.whole.bytes);
  start_send(part.messages[i]);
}

bool has_arrived(Request& request, int partition) {
  Partitioned& part = partitioned_of(request);
  if (request.complete) return true;
  if (part.messages.empty()) return false;  // nothing is known of the sender yet
  const std::size_t each = part.own.whole.bytes / static_cast<std::size_t>(part.own.partitions);
  const std::size_t begin = static_cast<std::size_t>(partition) * each, end = begin + each;
  bool all = true;
  for (std::size_t i = 0; i < part.messages.size(); ++i)
    if (part.begin(i) < end && part.begin(i) + part.length(i) > begin) all = is_settled(part, i) && all;
  return all;
}

}  // namespace skein::vmpi
