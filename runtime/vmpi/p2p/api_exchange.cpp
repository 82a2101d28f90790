// SPDX-License-Identifier: Apache-2.0
// MPI_Sendrecv and MPI_Sendrecv_replace, blocking and nonblocking, with int and with MPI_Count arguments.
#include "runtime/vmpi/check/check.hpp"
#include "runtime/vmpi/coll/api/nonblocking.hpp"
#include "runtime/vmpi/p2p/arguments.hpp"
#include "runtime/vmpi/p2p/flow_control.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/status.hpp"
#include "runtime/vmpi/record/waits.hpp"

namespace skein::vmpi {
namespace {

/// A send and a receive that run together. Trivially copyable: a nonblocking exchange keeps it in the slot.
struct Exchange {
  Comm* comm = nullptr;
  Data outgoing, incoming;
  int to = MPI_PROC_NULL;
  int from = MPI_PROC_NULL;
  int send_tag = 0;
  int receive_tag = 0;
  /// In the replace forms a copy of the outgoing data, in the slot, as the rank may move meanwhile.
  std::byte* copy = nullptr;
  TypeCode type = kAnyType;  ///< of the data in the copy, with --check
};

int get_exchange(const ApiCall& call, const MessageArguments& out, const MessageArguments& in, MPI_Comm comm,
                 Exchange& exchange) {
  SKEIN_TRY(check_send(call, out, comm, exchange.comm, exchange.outgoing));
  SKEIN_TRY(check_receive(call, in, comm, exchange.comm, exchange.incoming));
  exchange.to = out.peer;
  exchange.from = in.peer;
  exchange.send_tag = out.tag;
  exchange.receive_tag = in.tag;
  return MPI_SUCCESS;
}

/// Gets an exchange that has one buffer for both directions, and sends a copy of the data.
int get_replacement(const ApiCall& call, const MessageArguments& out, const MessageArguments& in,
                    MPI_Comm comm, Exchange& exchange) {
  SKEIN_TRY(get_exchange(call, out, in, comm, exchange));
  if (exchange.to == MPI_PROC_NULL) return MPI_SUCCESS;
  const Data& data = exchange.outgoing;
  exchange.copy = static_cast<std::byte*>(call.state.memory.allocate(data.bytes + 1, 16));
  data.pack(0, exchange.copy, data.bytes);
  if (settings.checking) exchange.type = code_of(data);
  exchange.outgoing = byte_data(exchange.copy, data.bytes);
  return MPI_SUCCESS;
}

void free_copy(RankState& state, const Exchange& exchange) {
  if (exchange.copy) state.memory.deallocate(exchange.copy, exchange.outgoing.bytes + 1, 16);
}

Request receive_of(RankState& state, const Exchange& exchange) {
  Comm& comm = *exchange.comm;
  return Request(state, comm, {comm.p2p_context(), exchange.from, exchange.receive_tag}, exchange.incoming);
}

Request send_of(RankState& state, const Exchange& exchange) {
  Comm& comm = *exchange.comm;
  Request request(state, comm, {comm.p2p_context(), comm.rank, exchange.send_tag}, exchange.to,
                  exchange.outgoing);
  request.sent.type = exchange.type;
  return request;
}

/// Runs the whole exchange. Called from a fiber of the rank. May switch, may move.
void run(const Exchange& exchange, Request& in, Request& out) {
  if (exchange.from != MPI_PROC_NULL) start_receive(in);
  if (exchange.to != MPI_PROC_NULL) {
    pass(*exchange.comm, exchange.to);
    start_send(out);
    wait_for_message(out,
                     {"in the sending half of an MPI_Sendrecv, to %r, %t", {exchange.to, exchange.send_tag}});
  }
  if (exchange.from != MPI_PROC_NULL)
    wait_for_message(
        in, {"in the receiving half of an MPI_Sendrecv, from %r, %t", {exchange.from, exchange.receive_tag}});
}

bool receives(const Exchange& exchange) { return exchange.from != MPI_PROC_NULL; }
bool sends(const Exchange& exchange) { return exchange.to != MPI_PROC_NULL; }

void record_exchange(Request& request, const Exchange& exchange) {
  const Request in = receive_of(*request.owner, exchange), out = send_of(*request.owner, exchange);
  record_exchange_start(request, receives(exchange) ? &in : nullptr, sends(exchange) ? &out : nullptr);
  request.pattern = in.pattern;
}

int finish_blocking(const ApiCall& call, const Exchange& exchange, MPI_Status* status) {
  Request in = receive_of(call.state, exchange), out = send_of(call.state, exchange);
  const RecordedExchange recorded(call.state, receives(exchange) ? &in : nullptr,
                                  sends(exchange) ? &out : nullptr);
  run(exchange, in, out);
  recorded.is_over(call.state, in);
  free_copy(call.state, exchange);
  if (exchange.from != MPI_PROC_NULL) return finish_receive(call, in, status);
  set_null_status(status);
  return MPI_SUCCESS;
}

/// Starts the blocking exchange on a fiber of its own, which keeps the types that the program may free
/// meanwhile.
int finish_nonblocking(const ApiCall& call, const Exchange& exchange, MPI_Request* handle) {
  for (const Data* data : {&exchange.outgoing, &exchange.incoming})
    if (data->type) data->type->retain();
  Request& request = new_collective_request(
      call.state, *exchange.comm,
      [exchange](Request& self) {
        Request in = receive_of(*self.owner, exchange), out = send_of(*self.owner, exchange);
        run(exchange, in, out);
        const bool received = exchange.from != MPI_PROC_NULL;
        self.received = received ? in.received : Request::Received{MPI_PROC_NULL, MPI_ANY_TAG, 0};
        self.data.bytes = exchange.incoming.bytes;
        if (const auto found = take_truncated(*self.owner, &in))
          note_truncated(*self.owner, {&self, 0, found->source, found->bytes, found->room});
        return in.error;
      },
      [exchange](RankState& state) {
        free_copy(state, exchange);
        for (const Data* data : {&exchange.outgoing, &exchange.incoming})
          if (data->type) data->type->release();
      });
  request.kind = RequestKind::exchange;
  if (trace::recording) [[unlikely]]
    record_exchange(request, exchange);
  *handle = RequestTable::handle_of(request);
  start_collective(request);
  return MPI_SUCCESS;
}

using Get = int(const ApiCall&, const MessageArguments& out, const MessageArguments& in, MPI_Comm, Exchange&);

int exchange(const char* function, Get* get, const MessageArguments& out, const MessageArguments& in,
             MPI_Comm comm, MPI_Status* status) {
  ApiCall call(function, Outside::shows_in_handle);
  Exchange arguments;
  SKEIN_TRY(get(call, out, in, comm, arguments));
  return finish_blocking(call, arguments, status);
}

int start_exchange(const char* function, Get* get, const MessageArguments& out, const MessageArguments& in,
                   MPI_Comm comm, MPI_Request* request) {
  ApiCall call(function, Outside::shows_in_handle);
  Exchange arguments;
  SKEIN_TRY(get(call, out, in, comm, arguments));
  return finish_nonblocking(call, arguments, request);
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

#include "mpi_forwards_exchanges.inc"
