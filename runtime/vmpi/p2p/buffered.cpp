// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/buffered.hpp"

#include <cstring>
#include <set>

#include "runtime/net/transport.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/check/check.hpp"
#include "runtime/vmpi/comm/session.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/start.hpp"

namespace skein::vmpi {
namespace {

/// The data that the request of a buffered send has beside it. In the slot.
struct Buffered {
  BufferPool* pool;
  AttachedBuffer::Number number;
  std::byte* copy;  ///< null once the data has left
  std::size_t bytes;
};

/// Bytes that a message takes in the model beside its packed data: those of its request. MPI_BSEND_OVERHEAD
/// is the bound that programs can count on; charging less accepts programs that attach less, as other MPIs
/// do.
constexpr std::size_t kOverhead = sizeof(Request);
static_assert(kOverhead <= MPI_BSEND_OVERHEAD);

Buffered& buffered_of(const Request& send) { return *static_cast<Buffered*>(send.part); }

// ---- messages between PEs by which a sender learns of receipts that are still under way: an answer
// overtakes no receipt that was sent before it.
struct Question {
  Request* asker;
};
net::Handler on_question, on_answer;
const net::MessageKind question_message("buffered-question", on_question);
const net::MessageKind answer_message("buffered-answer", on_answer);

void on_question(int from_pe, const std::byte* message, std::size_t bytes) {
  net::send(from_pe, answer_message, {message, bytes});
}

void on_answer(int, const std::byte* message, std::size_t) {
  Question question;
  memcpy(&question, message, sizeof question);
  complete(*question.asker);
}

/// Returns when all receipts that had been sent before the call are noted. May switch.
void hear_of_receipts(RankState& state, const BufferPool& pool) {
  std::set<int> pes;
  pool.model.for_each_receiver([&](int receiver) {
    if (!pe::is_here(receiver)) pes.insert(pe::pe_of(receiver));
  });
  for (const int pe : pes) {  // no rank moves meanwhile: the caller is at no sync point
    Request asker(state, RequestKind::send, nullptr);
    const Question question{&asker};
    net::send(pe, question_message, {reinterpret_cast<const std::byte*>(&question), sizeof question});
    wait_for(asker, {"in a buffered send, for news of those before it", {}});
  }
}

void release_pool(RankState& state, BufferPool* pool) {
  if (--pool->references > 0) return;
  pool->~BufferPool();
  state.memory.deallocate(pool, sizeof(BufferPool), alignof(BufferPool));
}

/// Starts a request that is complete once the data of all buffered messages has left.
///
/// Not inline: gcc would assume that the request of drain(), which waits for it, is left behind in the list.
[[gnu::noinline]] void start_flush(Request& request, BufferPool& pool) {
  request.active = true;
  if (pool.under_way == 0) {
    pool.model.clear();
    complete(request);
    return;
  }
  request.listed.next = pool.flushes;
  pool.flushes = &request;
}

void drain(RankState& state, BufferPool& pool) {
  Request request(state, *state.own_self, {}, MPI_PROC_NULL, {});
  start_flush(request, pool);
  wait_for(request, {"in a flush of its attached buffer", {}});
}

/// Completes the flushes of a pool when the last buffered message has left.
void complete_flushes(BufferPool& pool) {
  if (!pool.flushes) return;
  pool.model.clear();
  Request* request = pool.flushes;
  pool.flushes = nullptr;
  while (request) {
    Request* const next = request->listed.next;
    complete(*request);
    request = next;
  }
}

/// Returns the pool that a buffered send on `comm` uses.
BufferPool& pool_for(RankState& state, const Comm& comm) {
  if (comm.buffers) return *comm.buffers;
  const Session* const session = state.sessions.find(comm.session);
  return session && session->buffers ? *session->buffers : state.buffers;
}

}  // namespace

void detach_buffers(RankState& state, BufferPool*& pool) {
  drain(state, *pool);
  release_pool(state, pool);
  pool = nullptr;
}

void buffered_data_left(Request& send) {
  Buffered& part = buffered_of(send);
  if (!part.copy) return;
  send.owner->memory.deallocate(part.copy, part.bytes + 1, 16);
  part.copy = nullptr;
  if (--part.pool->under_way == 0) complete_flushes(*part.pool);
}

void release_buffered(Request& send) {
  buffered_data_left(send);
  RankState& state = *send.owner;
  BufferPool* const pool = buffered_of(send).pool;
  pool->model.finish(buffered_of(send).number);
  release_pool(state, pool);
  state.memory.deallocate(send.part, sizeof(Buffered), alignof(Buffered));
}

int buffered_send(const ApiCall& call, Comm& comm, const Data& data, int to, int tag) {
  RankState& state = call.state;
  BufferPool& pool = pool_for(state, comm);
  AttachedBuffer::Number number = AttachedBuffer::no_room;
  if (pool.buffer != MPI_BUFFER_AUTOMATIC) {
    const std::size_t needed = data.bytes + kOverhead;
    const int receiver = comm.world_rank(to);
    number = pool.model.add(needed, receiver);
    if (number == AttachedBuffer::no_room) {
      hear_of_receipts(state, pool);
      number = pool.model.add(needed, receiver);
    }
    if (number == AttachedBuffer::no_room)
      return raise(
          call, &comm, MPI_ERR_BUFFER,
          "%zu bytes, and %zu beside them, do not fit the attached buffer: %zu of its %zu bytes are in use "
          "by messages that were not received, or lie between such; call MPI_Buffer_flush, or attach a "
          "larger buffer or MPI_BUFFER_AUTOMATIC",
          data.bytes, kOverhead, pool.model.in_use(), pool.bytes);
  }
  auto* const copy = static_cast<std::byte*>(state.memory.allocate(data.bytes + 1, 16));
  data.pack(0, copy, data.bytes);
  Request& send = new_request(state, comm, Pattern{comm.p2p_context(), comm.rank, tag}, to,
                              byte_data(copy, data.bytes), SendMode::buffered);
  send.holder = Holder::nobody;
  if (settings.checking) send.sent.type = code_of(data);
  send.part = new (state.memory.allocate(sizeof(Buffered), alignof(Buffered)))
      Buffered{&pool, number, copy, data.bytes};
  ++pool.references;
  ++pool.under_way;
  start_send(send);
  return MPI_SUCCESS;
}

int attach_buffer(const ApiCall& call, BufferPool& pool, void* buffer, MPI_Count bytes) {
  if (bytes < 0)
    return raise(call, nullptr, MPI_ERR_ARG, "a buffer of %lld bytes", static_cast<long long>(bytes));
  if (pool.buffer) return raise(call, nullptr, MPI_ERR_BUFFER, "a buffer is attached already");
  pool.buffer = buffer;
  pool.bytes = static_cast<std::size_t>(bytes);
  pool.model.resize(pool.bytes);
  return MPI_SUCCESS;
}

void detach_buffer(RankState& state, BufferPool& pool, void* buffer_address, MPI_Count& bytes) {
  drain(state, pool);
  *static_cast<void**>(buffer_address) = pool.buffer;
  bytes = static_cast<MPI_Count>(pool.bytes);
  pool.buffer = nullptr;
  pool.bytes = 0;
  pool.model.resize(0);
}

void flush_buffer(RankState& state, BufferPool& pool) { drain(state, pool); }

Request& flush_later(RankState& state, BufferPool& pool) {
  Request& request = new_request(state, *state.own_self, Pattern{}, MPI_PROC_NULL, Data{});
  leave_unrecorded(request);
  start_flush(request, pool);
  return request;
}

}  // namespace skein::vmpi
