// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/partitioned.hpp"

#include <algorithm>
#include <new>
#include <vector>

#include "runtime/base/check.hpp"
#include "runtime/vmpi/check/check.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/datatype/datatype.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/start.hpp"
#include "runtime/vmpi/p2p/tying.hpp"
#include "runtime/vmpi/record/record.hpp"

namespace skein::vmpi {
namespace {

/// The message by which a sender opens a transfer with its receiver.
struct Opening {
  std::int64_t context = 0;
  std::int64_t partitions = 0;
  std::uint64_t bytes = 0;   ///< packed, of all partitions
  TypeCode type = kAnyType;  ///< with --check: of all partitions
};

}  // namespace

/// A receiver's wait for an opening. In the slot, where it stays until the opening has come, even if the
/// request is freed before: the next request must not get this opening.
struct AwaitedOpening {
  AwaitedOpening(RankState& state, Comm& comm, int from, int tag)
      : receive(state, comm, {comm.partitioned_context(), from, tag}, byte_data(&opening, sizeof opening)) {}
  Opening opening;
  Request receive;
  AwaitedOpening* next = nullptr;  ///< among those of freed requests
};

namespace {

/// The part of a partitioned request. In the slot. Its messages have it as their waiter: `left` of them are
/// not complete since the start.
struct Partitioned : Waiter {
  Partitioned(const PartitionedArguments& arguments, std::pmr::memory_resource* memory)
      : own(arguments),
        marked(memory),
        messages(memory),
        staged(memory),
        is_staged(memory),
        is_unpacked(memory) {}
  PartitionedArguments own;
  Request* request = nullptr;
  Opening opening;
  /// A receiver's wait for the opening, until the opening is known and the next start has used it.
  AwaitedOpening* awaited = nullptr;
  std::pmr::vector<char> marked;       ///< a sender's, by partition
  int unmarked = 0;                    ///< number of partitions that are not marked
  bool posted = false;                 ///< whether a receiver's messages of this start are posted
  std::pmr::vector<Request> messages;  ///< by partition of the sender; empty until that number is known
  /// For messages that do not end with an element of the type: the packed bytes, and for each message whether
  /// it is staged and whether a receiver has unpacked it.
  std::pmr::vector<std::byte> staged;
  std::pmr::vector<char> is_staged;
  std::pmr::vector<char> is_unpacked;

  std::size_t bytes_each() const {
    return opening.partitions == 0 ? 0 : opening.bytes / static_cast<std::size_t>(opening.partitions);
  }
  /// Return the part of the receiver's packed data that message i fills.
  std::size_t begin(std::size_t i) const { return std::min(i * bytes_each(), own.whole.bytes); }
  std::size_t length(std::size_t i) const { return begin(i + 1) - begin(i); }
};

Partitioned& partitioned_of(const Request& request) { return *static_cast<Partitioned*>(request.part); }

template <class Object>
void give_back_to(RankState& state, Object* object) {
  object->~Object();
  state.memory.deallocate(object, sizeof(Object), alignof(Object));
}

/// Returns a piece of `whole` with its place among switched-out thread-local variables.
Data beside(const Data& whole, Data piece) {
  piece.switched_out = nullptr;
  if (whole.switched_out)
    piece.switched_out =
        whole.switched_out + (static_cast<std::byte*>(piece.buffer) - static_cast<std::byte*>(whole.buffer));
  return piece;
}

/// Finds the bytes [begin, begin + bytes) of the packed form as data of their own. Returns false if they are
/// not whole elements.
bool piece_of(const Data& whole, std::size_t begin, std::size_t bytes, Data& piece) {
  const auto size = static_cast<std::size_t>(whole.type->size());
  auto* const buffer = static_cast<std::byte*>(whole.buffer);
  if (size == 0) return true;
  if (const std::byte* const first = whole.contiguous()) {
    piece =
        beside(whole, byte_data(buffer + (first - static_cast<std::byte*>(whole.place())) + begin, bytes));
    return true;
  }
  if (begin % size != 0 || bytes % size != 0) return false;
  piece = beside(whole, make_data(buffer + static_cast<std::int64_t>(begin / size) * whole.type->extent(),
                                  static_cast<MPI_Count>(bytes / size), *whole.type));
  return true;
}

// ---- both sides

/// Marks a message that is made once and started again and again.
void keep(Request& message) {
  message.kept = Kept::persistent;
  message.holder = Holder::transfer;
}

/// Completes a request whose messages of this start are complete.
void finish(Partitioned& part) {
  Request& request = *part.request;
  for (const Request& message : part.messages)
    if (request.error == MPI_SUCCESS) request.error = message.error;
  complete(request);
}

/// Starts a message, which is counted when it is complete, now or later.
void start_message(Partitioned& part, Request& message) {
  message.waiter = nullptr;
  message.ended = Ended::well;
  message.error = MPI_SUCCESS;
  if (Tie* const tie = tie_of_message(message))
    start_tied(message, *tie, *message.owner, started(flags_of(message)));
  else if (message.kind == RequestKind::send)
    start_send(message);
  else
    start_receive(message);
  if (message.complete)
    --part.left;
  else
    message.waiter = &part;
}

// ---- the receiver

/// Makes the receives, one for each message.
void make_receives(Partitioned& part) {
  const auto count = static_cast<std::size_t>(part.opening.partitions);
  part.messages.reserve(count);
  part.is_staged.assign(count, 0);
  part.is_unpacked.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    Data piece;
    if (!piece_of(part.own.whole, part.begin(i), part.length(i), piece)) {
      part.staged.resize(part.own.whole.bytes);
      part.is_staged[i] = 1;
      piece = byte_data(part.staged.data() + part.begin(i), part.length(i));
    }
    const Pattern pattern{part.opening.context, part.own.peer, static_cast<int>(i)};
    keep(part.messages.emplace_back(*part.request->owner, *part.request->comm, pattern, piece));
  }
}

/// Returns true if a message has arrived, and then unpacks its data if it is staged.
bool is_settled(Partitioned& part, std::size_t i) {
  const Request& message = part.messages[i];
  if (!message.complete) return false;
  if (!part.is_unpacked[i])
    part.own.whole.unpack(part.begin(i), part.staged.data() + part.begin(i), message.received.bytes);
  part.is_unpacked[i] = 1;
  return true;
}

/// Checks a partitioned receive that has found its sender against the opening.
void check_opening(const Request& request, const Partitioned& part) {
  check_message(
      request, part.own.whole,
      {.source = part.own.peer, .tag = part.own.tag, .bytes = part.opening.bytes, .type = part.opening.type});
}

void finish_receive(Partitioned& part) {
  for (std::size_t i = 0; i < part.messages.size(); ++i) (void)is_settled(part, i);
  if (part.opening.bytes > part.own.whole.bytes) {
    Request& request = *part.request;
    note_truncated(*request.owner, {&request, 0, part.own.peer, part.opening.bytes, part.own.whole.bytes});
    request.error = MPI_ERR_TRUNCATE;
  }
  const std::size_t bytes = std::min<std::size_t>(part.opening.bytes, part.own.whole.bytes);
  part.request->received = {part.own.peer, part.own.tag, bytes};
  finish(part);
}

/// Posts the messages of a start. The opening is known.
void post_messages(Partitioned& part) {
  if (part.messages.empty()) make_receives(part);
  part.posted = true;
  part.left = static_cast<int>(part.messages.size());
  for (std::size_t i = 0; i < part.messages.size(); ++i) {
    part.is_unpacked[i] = !part.is_staged[i];
    start_message(part, part.messages[i]);
  }
  if (part.left == 0) finish_receive(part);
}

/// Takes the opening that has come from the sender.
void take_opening(Partitioned& part) {
  part.opening = part.awaited->opening;
  if (settings.checking) check_opening(*part.request, part);
}

/// Keeps a wait for an opening that has not come, and frees earlier ones whose opening has.
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

Request& new_partitioned(RankState& state, Comm& comm, const PartitionedArguments& arguments,
                         RequestKind kind) {
  auto* const part = new (state.memory.allocate(sizeof(Partitioned), alignof(Partitioned)))
      Partitioned(arguments, &state.memory);
  Request& request = new_request(state, kind, &comm);
  request.part = part;
  request.data = arguments.whole;
  request.data.type->retain();
  part->request = &request;
  return request;
}

// ---- the sender

/// Makes the sends, one for each partition, each to be started when its partition is marked.
void make_sends(Partitioned& part) {
  const Data& whole = part.own.whole;
  const int partitions = part.own.partitions;
  const MPI_Count each = partitions == 0 ? 0 : whole.count / partitions;
  const bool ends_with_elements = each * partitions == whole.count;
  part.messages.reserve(static_cast<std::size_t>(partitions));
  if (!ends_with_elements) part.staged.resize(whole.bytes);
  for (int i = 0; i < partitions; ++i) {
    const Pattern identity{part.opening.context, part.request->comm->rank, i};
    auto* const buffer = static_cast<std::byte*>(whole.buffer) + i * each * whole.type->extent();
    const auto at = static_cast<std::size_t>(i);
    const Data piece = ends_with_elements ? beside(whole, make_data(buffer, each, *whole.type))
                                          : byte_data(part.staged.data() + part.begin(at), part.length(at));
    keep(part.messages.emplace_back(*part.request->owner, *part.request->comm, identity, part.own.peer,
                                    piece));
  }
}

}  // namespace

Request& new_partitioned_send(RankState& state, Comm& comm, const PartitionedArguments& arguments) {
  Request& request = new_partitioned(state, comm, arguments, RequestKind::partitioned_send);
  Partitioned& part = partitioned_of(request);
  part.marked.resize(static_cast<std::size_t>(arguments.partitions));
  if (arguments.peer == MPI_PROC_NULL) return request;
  part.opening = {kContextsPerComm * take_ids(state, 1), arguments.partitions, arguments.whole.bytes,
                  settings.checking ? code_of(arguments.whole) : kAnyType};
  Request opening(state, comm, {comm.partitioned_context(), comm.rank, arguments.tag}, arguments.peer,
                  byte_data(&part.opening, sizeof part.opening), SendMode::ready);
  opening.sent.logged = false;
  start_send(opening);
  SKEIN_CHECK(opening.complete, "the %zu bytes that open a partitioned send have not left",
              sizeof part.opening);
  make_sends(part);
  return request;
}

Request& new_partitioned_receive(RankState& state, Comm& comm, const PartitionedArguments& arguments) {
  keep_until_it_comes(state, nullptr);
  Request& request = new_partitioned(state, comm, arguments, RequestKind::partitioned_receive);
  if (arguments.peer == MPI_PROC_NULL) return request;
  Partitioned& part = partitioned_of(request);
  part.awaited = new (state.memory.allocate(sizeof(AwaitedOpening), alignof(AwaitedOpening)))
      AwaitedOpening(state, comm, arguments.peer, arguments.tag);
  Request& opening = part.awaited->receive;
  opening.holder = Holder::transfer;
  start_receive(opening);
  if (opening.complete)
    take_opening(part);
  else
    opening.waiter = &part;
  return request;
}

void start_partitioned(Request& request) {
  Partitioned& part = partitioned_of(request);
  const PartitionedArguments& own = part.own;
  const bool sends = request.kind == RequestKind::partitioned_send;
  leave_unrecorded(request);
  std::ranges::fill(part.marked, 0);
  part.unmarked = own.partitions;
  part.posted = false;
  request.error = MPI_SUCCESS;
  request.active = true;
  request.complete = own.peer == MPI_PROC_NULL;
  request.copy_later = false;
  if (own.peer == MPI_PROC_NULL) {
    if (!sends) request.received = {MPI_PROC_NULL, MPI_ANY_TAG, 0};
    return;
  }
  if (sends) {
    part.left = own.partitions;
    for (Request& message : part.messages) message.active = message.complete = false;
    if (part.left == 0) finish(part);
    return;
  }
  if (trace::recording)
    record_partitioned(request, trace::EventKind::receive, own.peer, own.tag, own.whole.bytes);
  if (part.awaited && part.awaited->receive.complete) {
    give_back_to(*request.owner, part.awaited);
    part.awaited = nullptr;
  }
  if (!part.awaited) post_messages(part);
}

void count_message(Request& message) {
  if (!message.waiter) return;  // start_message() counts it, or nobody wants it any more
  auto& part = static_cast<Partitioned&>(*message.waiter);
  message.waiter = nullptr;
  if (part.awaited && &message == &part.awaited->receive) {
    take_opening(part);
    if (part.request->active) post_messages(part);
    return;
  }
  if (--part.left > 0) return;
  if (message.kind == RequestKind::receive)
    finish_receive(part);
  else
    finish(part);
}

void untie_messages(Request& request) {
  for (Request& message : partitioned_of(request).messages) untie(message);
}

void take_copies(Request& request) {
  if (!request.active || request.complete) return;
  for (Request& message : partitioned_of(request).messages)
    if (message.kind == RequestKind::send) take_copy(message);
}

void release_partitioned(Request& request) {
  RankState& state = *request.owner;
  Partitioned& part = partitioned_of(request);
  untie_messages(request);
  if (part.awaited) {
    part.awaited->receive.waiter = nullptr;
    keep_until_it_comes(state, part.awaited);
  }
  give_back_to(state, &part);
}

Peer peer_of(const Request& request) {
  const PartitionedArguments& own = partitioned_of(request).own;
  return {own.peer, own.tag};
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
  if (!part.staged.empty())
    part.own.whole.pack(part.begin(i), part.staged.data() + part.begin(i), part.length(i));
  start_message(part, part.messages[i]);
  if (part.unmarked > 0) return;
  if (part.left == 0)
    finish(part);
  else
    request.copy_later = std::ranges::all_of(part.messages, ready);
}

bool has_arrived(Request& request, int partition) {
  Partitioned& part = partitioned_of(request);
  if (request.complete) return true;
  if (!part.posted) return false;  // the sender is not known yet
  const std::size_t each = part.own.whole.bytes / static_cast<std::size_t>(part.own.partitions);
  const std::size_t begin = static_cast<std::size_t>(partition) * each, end = begin + each;
  bool all = true;
  for (std::size_t i = 0; i < part.messages.size(); ++i)
    if (part.begin(i) < end && part.begin(i) + part.length(i) > begin) all = is_settled(part, i) && all;
  return all;
}

}  // namespace skein::vmpi
