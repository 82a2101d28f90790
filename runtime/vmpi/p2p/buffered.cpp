// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/buffered.hpp"

#include <cstring>
#include <set>

#include "runtime/net/transport.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/start.hpp"

namespace skein::vmpi {
namespace {

/// What the request of a buffered send has beside it. In the slot.
struct Buffered {
  AttachedBuffer::Number number;
  std::byte* copy;  ///< null once the data has left
  std::size_t bytes;
};

/// What an entry of the model takes beside the packed data: its request. MPI_BSEND_OVERHEAD is the bound that
/// programs can count on; to charge less accepts programs that attach less, as they do with other MPIs.
constexpr std::size_t overhead = sizeof(Request);
static_assert(overhead <= MPI_BSEND_OVERHEAD);

Buffered& part_of(const Request& send) { return *static_cast<Buffered*>(send.part); }

// ---- what goes between PEs, to find out whether a message is on its way that would tell of a receipt: it is
// overtaken by no answer.
struct Question {
  Request* asker;
};
int question_handler, answer_handler;

void on_question(int from_pe, const std::byte* message, std::size_t bytes) {
  net::send(from_pe, answer_handler, {message, bytes});
}

void on_answer(int, const std::byte* message, std::size_t) {
  Question question;
  memcpy(&question, message, sizeof question);
  complete(*question.asker);
}

/// Returns when all receipts that the caller could know of are noted. May switch.
void hear_of_receipts(RankState& state) {
  std::set<int> pes;
  state.attached.for_each_receiver([&](int receiver) {
    if (!pe::is_here(receiver)) pes.insert(pe::pe_of(receiver));
  });
  for (const int pe : pes) {  // no rank moves meanwhile: the caller is at no sync point
    Request asker(state, RequestKind::send, nullptr);
    const Question question{&asker};
    net::send(pe, question_handler, {reinterpret_cast<const std::byte*>(&question), sizeof question});
    wait_for(asker, {"in a buffered send, for news of those before it", {}});
  }
}

int attach(const char* function, void* buffer, std::size_t bytes) {
  ApiCall call(function);
  if (call.state.attached_buffer) return raise(call, nullptr, MPI_ERR_BUFFER, "a buffer is attached already");
  call.state.attached_buffer = buffer;
  call.state.attached_bytes = bytes;
  call.state.attached.resize(bytes);
  return MPI_SUCCESS;
}

/// Starts a request that is complete once everything buffered has left.
void start_flush(Request& request) {
  RankState& state = *request.owner;
  request.active = true;
  if (state.buffered_here == 0) {
    state.attached.clear();
    complete(request);
    return;
  }
  request.listed.next = state.flushes;
  state.flushes = &request;
}

void drain(RankState& state) {
  Request request(state, *state.self, {}, MPI_PROC_NULL, {});
  start_flush(request);
  wait_for(request, {"in a flush of its attached buffer", {}});
}

int detach(const char* function, void* buffer_address, std::size_t& bytes) {
  ApiCall call(function);
  drain(call.state);
  *static_cast<void**>(buffer_address) = call.state.attached_buffer;
  bytes = call.state.attached_bytes;
  call.state.attached_buffer = nullptr;
  call.state.attached_bytes = 0;
  return MPI_SUCCESS;
}

/// When the last buffered message has left: completes the flushes.
void complete_flushes(RankState& state) {
  if (!state.flushes) return;
  state.attached.clear();
  Request* request = state.flushes;
  state.flushes = nullptr;
  while (request) {
    Request* const next = request->listed.next;
    complete(*request);
    request = next;
  }
}

}  // namespace

void start_buffering() {
  question_handler = net::register_handler(on_question);
  answer_handler = net::register_handler(on_answer);
}

void buffered_data_left(Request& send) {
  Buffered& part = part_of(send);
  if (!part.copy) return;
  RankState& state = *send.owner;
  state.memory.deallocate(part.copy, part.bytes + 1, 16);
  part.copy = nullptr;
  if (--state.buffered_here == 0) complete_flushes(state);
}

void release_buffered(Request& send) {
  buffered_data_left(send);
  RankState& state = *send.owner;
  state.attached.finish(part_of(send).number);
  state.memory.deallocate(send.part, sizeof(Buffered), alignof(Buffered));
}

int buffered_send(const ApiCall& call, Comm& comm, const Data& data, int to, int tag) {
  RankState& state = call.state;
  AttachedBuffer::Number number = AttachedBuffer::no_room;
  if (state.attached_buffer != MPI_BUFFER_AUTOMATIC) {
    const std::size_t needed = data.bytes + overhead;
    const int receiver = comm.world_rank(to);
    number = state.attached.add(needed, receiver);
    if (number == AttachedBuffer::no_room) {
      hear_of_receipts(state);
      number = state.attached.add(needed, receiver);
    }
    if (number == AttachedBuffer::no_room)
      return raise(
          call, &comm, MPI_ERR_BUFFER,
          "%zu bytes, and %zu beside them, do not fit the attached buffer: %zu of its %zu bytes are in use "
          "by messages that were not received, or lie between such; MPI_Buffer_flush, a larger buffer "
          "or MPI_BUFFER_AUTOMATIC",
          data.bytes, overhead, state.attached.in_use(), state.attached_bytes);
  }
  auto* const copy = static_cast<std::byte*>(state.memory.allocate(data.bytes + 1, 16));
  data.pack(0, copy, data.bytes);
  Request& send = new_request(state, comm, Pattern{comm.p2p_context(), comm.rank, tag}, to,
                              byte_data(copy, data.bytes), SendMode::buffered);
  send.holder = Holder::nobody;
  send.part =
      new (state.memory.allocate(sizeof(Buffered), alignof(Buffered))) Buffered{number, copy, data.bytes};
  ++state.buffered_here;
  start_send(send);
  return MPI_SUCCESS;
}

}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Buffer_attach(void* buffer, int size) {
  return attach("MPI_Buffer_attach", buffer, static_cast<std::size_t>(size));
}
int MPI_Buffer_attach_c(void* buffer, MPI_Count size) {
  return attach("MPI_Buffer_attach_c", buffer, static_cast<std::size_t>(size));
}
int MPI_Buffer_detach(void* buffer_addr, int* size) {
  std::size_t bytes = 0;
  const int error = detach("MPI_Buffer_detach", buffer_addr, bytes);
  *size = static_cast<int>(bytes);
  return error;
}
int MPI_Buffer_detach_c(void* buffer_addr, MPI_Count* size) {
  std::size_t bytes = 0;
  const int error = detach("MPI_Buffer_detach_c", buffer_addr, bytes);
  *size = static_cast<MPI_Count>(bytes);
  return error;
}
int MPI_Buffer_flush(void) {
  ApiCall call("MPI_Buffer_flush");
  drain(call.state);
  return MPI_SUCCESS;
}
int MPI_Buffer_iflush(MPI_Request* out) {
  ApiCall call("MPI_Buffer_iflush");
  SKEIN_TRY(check_pointer(call, nullptr, out, "request"));
  RankState& state = call.state;
  Request& request = new_request(state, *state.self, Pattern{}, MPI_PROC_NULL, Data{});
  leave_unrecorded(request);
  *out = RequestTable::handle_of(request);
  start_flush(request);
  return MPI_SUCCESS;
}

}  // extern "C"
