// SPDX-License-Identifier: Apache-2.0
// Nonblocking and persistent sends and receives: MPI_Isend ... MPI_Irecv, MPI_Send_init ... MPI_Start.
#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/coll/nonblocking.hpp"
#include "runtime/vmpi/p2p/start.hpp"

namespace skein::vmpi {
namespace {

enum class Then { start, keep_inactive };

int finish(const ApiCall& call, Request& request, Then then, MPI_Request* out) {
  *out = request.handle;
  if (then == Then::start) return start(call, request);
  request.persistent = true;
  return MPI_SUCCESS;
}

int make_send(const char* function, SendMode mode, Then then, const void* buffer, MPI_Count count,
              MPI_Datatype datatype, int to, int tag, MPI_Comm handle, MPI_Request* out) {
  ApiCall call(function);
  Comm* comm = nullptr;
  Data data;
  SKEIN_TRY(get_comm(call, handle, comm));
  SKEIN_TRY(check_peer(call, comm, to));
  SKEIN_TRY(check_tag(call, comm, tag));
  SKEIN_TRY(get_data(call, comm, buffer, count, datatype, data));
  SKEIN_TRY(check_pointer(call, comm, out, "request"));
  Request& request = new_request(call.state, *comm, RequestKind::send, data);
  request.mode = mode;
  request.peer = to;
  request.pattern = {comm->p2p_context(), comm->rank, tag};
  return finish(call, request, then, out);
}

int make_receive(const char* function, Then then, void* buffer, MPI_Count count, MPI_Datatype datatype,
                 int from, int tag, MPI_Comm handle, MPI_Request* out) {
  ApiCall call(function);
  Comm* comm = nullptr;
  Data data;
  SKEIN_TRY(get_comm(call, handle, comm));
  SKEIN_TRY(check_source(call, comm, from));
  SKEIN_TRY(check_receive_tag(call, comm, tag));
  SKEIN_TRY(get_data(call, comm, buffer, count, datatype, data));
  SKEIN_TRY(check_pointer(call, comm, out, "request"));
  Request& request = new_request(call.state, *comm, RequestKind::receive, data);
  request.pattern = {comm->p2p_context(), from, tag};
  return finish(call, request, then, out);
}

int start_persistent(const ApiCall& call, MPI_Request handle) {
  Request* const request = call.state.requests.find(handle);
  if (!request || !request->persistent)
    return raise(call, nullptr, MPI_ERR_REQUEST, "0x%zx is no persistent request",
                 static_cast<std::size_t>(handle_value(handle)));
  if (request->active)
    return raise(call, request->comm, MPI_ERR_REQUEST, "the persistent request is active already");
  return start(call, *request);
}

// MPI_Isendrecv is a blocking exchange on a fiber of its own.
int exchange_beside(const ApiCall& call, Comm& comm, const Data& outgoing, int to, int send_tag,
                    const Data& incoming, int from, int receive_tag, std::byte* owned, MPI_Request* out) {
  Request& request = new_collective_request(call.state, comm, [=, &comm](Request& self) {
    RankState& state = *self.owner;
    Request in, send;
    in.kind = RequestKind::receive;
    in.owner = send.owner = &state;
    in.comm = send.comm = &comm;
    in.data = incoming;
    in.pattern = {comm.p2p_context(), from, receive_tag};
    send.data = outgoing;
    send.peer = to;
    send.pattern = {comm.p2p_context(), comm.rank, send_tag};
    if (from != MPI_PROC_NULL) start_receive(in);
    if (to != MPI_PROC_NULL) start_send(send);
    if (to != MPI_PROC_NULL) wait_for(send, {"in the sending half of MPI_Isendrecv, to rank %d", {to, 0}});
    if (from != MPI_PROC_NULL)
      wait_for(in, {"in the receiving half of MPI_Isendrecv, from rank %d", {from, 0}});
    if (owned) state.memory.deallocate(owned, outgoing.bytes + 1, 16);
    self.status.MPI_SOURCE = from == MPI_PROC_NULL ? MPI_PROC_NULL : in.status.MPI_SOURCE;
    self.status.MPI_TAG = from == MPI_PROC_NULL ? MPI_ANY_TAG : in.status.MPI_TAG;
    self.received_bytes = in.received_bytes;
    self.data.bytes = incoming.bytes;
    return in.error;
  });
  request.kind = RequestKind::receive;
  *out = request.handle;
  start_collective(request);
  return MPI_SUCCESS;
}

int send_receive(const char* function, const void* out, MPI_Count out_count, MPI_Datatype out_type, int to,
                 int send_tag, void* in, MPI_Count in_count, MPI_Datatype in_type, int from, int receive_tag,
                 MPI_Comm handle, MPI_Request* request) {
  ApiCall call(function);
  Comm* comm = nullptr;
  Data outgoing, incoming;
  SKEIN_TRY(get_comm(call, handle, comm));
  SKEIN_TRY(check_peer(call, comm, to));
  SKEIN_TRY(check_tag(call, comm, send_tag));
  SKEIN_TRY(check_source(call, comm, from));
  SKEIN_TRY(check_receive_tag(call, comm, receive_tag));
  SKEIN_TRY(get_data(call, comm, out, out_count, out_type, outgoing));
  SKEIN_TRY(get_data(call, comm, in, in_count, in_type, incoming));
  SKEIN_TRY(check_pointer(call, comm, request, "request"));
  return exchange_beside(call, *comm, outgoing, to, send_tag, incoming, from, receive_tag, nullptr, request);
}

int send_receive_replace(const char* function, void* buffer, MPI_Count count, MPI_Datatype datatype, int to,
                         int send_tag, int from, int receive_tag, MPI_Comm handle, MPI_Request* request) {
  ApiCall call(function);
  Comm* comm = nullptr;
  Data data;
  SKEIN_TRY(get_comm(call, handle, comm));
  SKEIN_TRY(check_peer(call, comm, to));
  SKEIN_TRY(check_tag(call, comm, send_tag));
  SKEIN_TRY(check_source(call, comm, from));
  SKEIN_TRY(check_receive_tag(call, comm, receive_tag));
  SKEIN_TRY(get_data(call, comm, buffer, count, datatype, data));
  SKEIN_TRY(check_pointer(call, comm, request, "request"));
  auto* const packed = static_cast<std::byte*>(call.state.memory.allocate(data.bytes + 1, 16));
  data.pack(0, packed, data.bytes);
  return exchange_beside(call, *comm, byte_data(packed, data.bytes), to, send_tag, data, from, receive_tag,
                         packed, request);
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Isend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return make_send("MPI_Isend", SendMode::standard, Then::start, buf, count, datatype, dest, tag, comm,
                   request);
}
int MPI_Isend_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request* request) {
  return make_send("MPI_Isend_c", SendMode::standard, Then::start, buf, count, datatype, dest, tag, comm,
                   request);
}
int MPI_Ibsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return make_send("MPI_Ibsend", SendMode::buffered, Then::start, buf, count, datatype, dest, tag, comm,
                   request);
}
int MPI_Ibsend_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                 MPI_Request* request) {
  return make_send("MPI_Ibsend_c", SendMode::buffered, Then::start, buf, count, datatype, dest, tag, comm,
                   request);
}
int MPI_Issend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return make_send("MPI_Issend", SendMode::synchronous, Then::start, buf, count, datatype, dest, tag, comm,
                   request);
}
int MPI_Issend_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                 MPI_Request* request) {
  return make_send("MPI_Issend_c", SendMode::synchronous, Then::start, buf, count, datatype, dest, tag, comm,
                   request);
}
int MPI_Irsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return make_send("MPI_Irsend", SendMode::ready, Then::start, buf, count, datatype, dest, tag, comm,
                   request);
}
int MPI_Irsend_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                 MPI_Request* request) {
  return make_send("MPI_Irsend_c", SendMode::ready, Then::start, buf, count, datatype, dest, tag, comm,
                   request);
}
int MPI_Send_init(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  return make_send("MPI_Send_init", SendMode::standard, Then::keep_inactive, buf, count, datatype, dest, tag,
                   comm, request);
}
int MPI_Send_init_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request* request) {
  return make_send("MPI_Send_init_c", SendMode::standard, Then::keep_inactive, buf, count, datatype, dest,
                   tag, comm, request);
}
int MPI_Bsend_init(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return make_send("MPI_Bsend_init", SendMode::buffered, Then::keep_inactive, buf, count, datatype, dest, tag,
                   comm, request);
}
int MPI_Bsend_init_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                     MPI_Comm comm, MPI_Request* request) {
  return make_send("MPI_Bsend_init_c", SendMode::buffered, Then::keep_inactive, buf, count, datatype, dest,
                   tag, comm, request);
}
int MPI_Ssend_init(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return make_send("MPI_Ssend_init", SendMode::synchronous, Then::keep_inactive, buf, count, datatype, dest,
                   tag, comm, request);
}
int MPI_Ssend_init_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                     MPI_Comm comm, MPI_Request* request) {
  return make_send("MPI_Ssend_init_c", SendMode::synchronous, Then::keep_inactive, buf, count, datatype, dest,
                   tag, comm, request);
}
int MPI_Rsend_init(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return make_send("MPI_Rsend_init", SendMode::ready, Then::keep_inactive, buf, count, datatype, dest, tag,
                   comm, request);
}
int MPI_Rsend_init_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                     MPI_Comm comm, MPI_Request* request) {
  return make_send("MPI_Rsend_init_c", SendMode::ready, Then::keep_inactive, buf, count, datatype, dest, tag,
                   comm, request);
}
int MPI_Irecv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return make_receive("MPI_Irecv", Then::start, buf, count, datatype, source, tag, comm, request);
}
int MPI_Irecv_c(void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                MPI_Request* request) {
  return make_receive("MPI_Irecv_c", Then::start, buf, count, datatype, source, tag, comm, request);
}
int MPI_Recv_init(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  return make_receive("MPI_Recv_init", Then::keep_inactive, buf, count, datatype, source, tag, comm, request);
}
int MPI_Recv_init_c(void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                    MPI_Request* request) {
  return make_receive("MPI_Recv_init_c", Then::keep_inactive, buf, count, datatype, source, tag, comm,
                      request);
}
int MPI_Isendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                  void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                  MPI_Request* request) {
  return send_receive("MPI_Isendrecv", sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                      recvtype, source, recvtag, comm, request);
}
int MPI_Isendrecv_replace(void* buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source,
                          int recvtag, MPI_Comm comm, MPI_Request* request) {
  return send_receive_replace("MPI_Isendrecv_replace", buf, count, datatype, dest, sendtag, source, recvtag,
                              comm, request);
}
int MPI_Isendrecv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                    void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag,
                    MPI_Comm comm, MPI_Request* request) {
  return send_receive("MPI_Isendrecv_c", sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                      recvtype, source, recvtag, comm, request);
}
int MPI_Isendrecv_replace_c(void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag,
                            int source, int recvtag, MPI_Comm comm, MPI_Request* request) {
  return send_receive_replace("MPI_Isendrecv_replace_c", buf, count, datatype, dest, sendtag, source, recvtag,
                              comm, request);
}

int MPI_Start(MPI_Request* request) {
  ApiCall call("MPI_Start");
  SKEIN_TRY(check_pointer(call, nullptr, request, "request"));
  return start_persistent(call, *request);
}
int MPI_Startall(int count, MPI_Request array_of_requests[]) {
  ApiCall call("MPI_Startall");
  for (int i = 0; i < count; ++i) SKEIN_TRY(start_persistent(call, array_of_requests[i]));
  return MPI_SUCCESS;
}

}  // extern "C"
