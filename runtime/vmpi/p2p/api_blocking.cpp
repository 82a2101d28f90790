// SPDX-License-Identifier: Apache-2.0
// MPI_Send and its modes, MPI_Recv, MPI_Sendrecv, MPI_Sendrecv_replace.
#include <cstdlib>

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/p2p/buffered.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/status.hpp"

namespace skein::vmpi {
namespace {

int check_send(const ApiCall& call, const void* buffer, MPI_Count count, MPI_Datatype datatype, int to,
               int tag, MPI_Comm handle, Comm*& comm, Data& data) {
  SKEIN_TRY(get_comm(call, handle, comm));
  SKEIN_TRY(check_peer(call, comm, to));
  SKEIN_TRY(check_tag(call, comm, tag));
  return get_data(call, comm, buffer, count, datatype, data);
}

int check_receive(const ApiCall& call, const void* buffer, MPI_Count count, MPI_Datatype datatype, int from,
                  int tag, MPI_Comm handle, Comm*& comm, Data& data) {
  SKEIN_TRY(get_comm(call, handle, comm));
  SKEIN_TRY(check_source(call, comm, from));
  SKEIN_TRY(check_receive_tag(call, comm, tag));
  return get_data(call, comm, buffer, count, datatype, data);
}

WaitReason reason(const char* format, int peer, int tag) { return {format, {peer, tag}}; }

int send(const char* function, SendMode mode, const void* buffer, MPI_Count count, MPI_Datatype datatype,
         int to, int tag, MPI_Comm handle) {
  ApiCall call(function);
  Comm* comm = nullptr;
  Request request;
  SKEIN_TRY(check_send(call, buffer, count, datatype, to, tag, handle, comm, request.data));
  if (to == MPI_PROC_NULL) return MPI_SUCCESS;
  if (mode == SendMode::buffered) return buffered_send(call, *comm, request.data, to, tag);
  request.mode = mode;
  request.owner = &call.state;
  request.comm = comm;
  request.peer = to;
  request.pattern = {comm->p2p_context(), comm->rank, tag};
  start_send(request);
  wait_for(request, reason("in a send to rank %d of its communicator, tag %d", to, tag));
  return MPI_SUCCESS;
}

int finish_receive(const ApiCall& call, Request& request, MPI_Status* status) {
  set_status(status, request);
  if (request.error == MPI_SUCCESS) return MPI_SUCCESS;
  return raise_truncated(call, request);
}

int receive(const char* function, void* buffer, MPI_Count count, MPI_Datatype datatype, int from, int tag,
            MPI_Comm handle, MPI_Status* status) {
  ApiCall call(function);
  Comm* comm = nullptr;
  Request request;
  SKEIN_TRY(check_receive(call, buffer, count, datatype, from, tag, handle, comm, request.data));
  if (from == MPI_PROC_NULL) {
    set_null_status(status);
    return MPI_SUCCESS;
  }
  request.kind = RequestKind::receive;
  request.owner = &call.state;
  request.comm = comm;
  request.pattern = {comm->p2p_context(), from, tag};
  start_receive(request);
  wait_for(request, reason("in a receive from rank %d of its communicator, tag %d", from, tag));
  return finish_receive(call, request, status);
}

int exchange(const ApiCall& call, Comm& comm, const Data& outgoing, int to, int send_tag,
             const Data& incoming, int from, int receive_tag, MPI_Status* status) {
  Request in, out;
  in.kind = RequestKind::receive;
  in.owner = out.owner = &call.state;
  in.comm = out.comm = &comm;
  in.data = incoming;
  in.pattern = {comm.p2p_context(), from, receive_tag};
  out.data = outgoing;
  out.peer = to;
  out.pattern = {comm.p2p_context(), comm.rank, send_tag};
  if (from != MPI_PROC_NULL) start_receive(in);
  if (to != MPI_PROC_NULL) {
    start_send(out);
    wait_for(out, reason("in the sending half of MPI_Sendrecv, to rank %d, tag %d", to, send_tag));
  }
  if (from == MPI_PROC_NULL) {
    set_null_status(status);
    return MPI_SUCCESS;
  }
  wait_for(in, reason("in the receiving half of MPI_Sendrecv, from rank %d, tag %d", from, receive_tag));
  return finish_receive(call, in, status);
}

int send_receive(const char* function, const void* out, MPI_Count out_count, MPI_Datatype out_type, int to,
                 int send_tag, void* in, MPI_Count in_count, MPI_Datatype in_type, int from, int receive_tag,
                 MPI_Comm handle, MPI_Status* status) {
  ApiCall call(function);
  Comm* comm = nullptr;
  Data outgoing, incoming;
  SKEIN_TRY(check_send(call, out, out_count, out_type, to, send_tag, handle, comm, outgoing));
  SKEIN_TRY(check_receive(call, in, in_count, in_type, from, receive_tag, handle, comm, incoming));
  return exchange(call, *comm, outgoing, to, send_tag, incoming, from, receive_tag, status);
}

int send_receive_replace(const char* function, void* buffer, MPI_Count count, MPI_Datatype datatype, int to,
                         int send_tag, int from, int receive_tag, MPI_Comm handle, MPI_Status* status) {
  ApiCall call(function);
  Comm* comm = nullptr;
  Data data;
  SKEIN_TRY(check_send(call, buffer, count, datatype, to, send_tag, handle, comm, data));
  SKEIN_TRY(check_source(call, comm, from));
  SKEIN_TRY(check_receive_tag(call, comm, receive_tag));
  // The copy is the rank's: it may move while the exchange is under way.
  auto* const packed = static_cast<std::byte*>(call.state.memory.allocate(data.bytes + 1, 16));
  data.pack(0, packed, data.bytes);
  const int error =
      exchange(call, *comm, byte_data(packed, data.bytes), to, send_tag, data, from, receive_tag, status);
  call.state.memory.deallocate(packed, data.bytes + 1, 16);
  return error;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Send(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send("MPI_Send", SendMode::standard, buf, count, datatype, dest, tag, comm);
}
int MPI_Send_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send("MPI_Send_c", SendMode::standard, buf, count, datatype, dest, tag, comm);
}
int MPI_Ssend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send("MPI_Ssend", SendMode::synchronous, buf, count, datatype, dest, tag, comm);
}
int MPI_Ssend_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send("MPI_Ssend_c", SendMode::synchronous, buf, count, datatype, dest, tag, comm);
}
int MPI_Rsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send("MPI_Rsend", SendMode::ready, buf, count, datatype, dest, tag, comm);
}
int MPI_Rsend_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send("MPI_Rsend_c", SendMode::ready, buf, count, datatype, dest, tag, comm);
}
int MPI_Bsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send("MPI_Bsend", SendMode::buffered, buf, count, datatype, dest, tag, comm);
}
int MPI_Bsend_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send("MPI_Bsend_c", SendMode::buffered, buf, count, datatype, dest, tag, comm);
}

int MPI_Recv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
             MPI_Status* status) {
  return receive("MPI_Recv", buf, count, datatype, source, tag, comm, status);
}
int MPI_Recv_c(void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
               MPI_Status* status) {
  return receive("MPI_Recv_c", buf, count, datatype, source, tag, comm, status);
}

int MPI_Sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                 void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                 MPI_Status* status) {
  return send_receive("MPI_Sendrecv", sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                      recvtype, source, recvtag, comm, status);
}
int MPI_Sendrecv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                   void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag,
                   MPI_Comm comm, MPI_Status* status) {
  return send_receive("MPI_Sendrecv_c", sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                      recvtype, source, recvtag, comm, status);
}
int MPI_Sendrecv_replace(void* buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source,
                         int recvtag, MPI_Comm comm, MPI_Status* status) {
  return send_receive_replace("MPI_Sendrecv_replace", buf, count, datatype, dest, sendtag, source, recvtag,
                              comm, status);
}
int MPI_Sendrecv_replace_c(void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag,
                           int source, int recvtag, MPI_Comm comm, MPI_Status* status) {
  return send_receive_replace("MPI_Sendrecv_replace_c", buf, count, datatype, dest, sendtag, source, recvtag,
                              comm, status);
}

}  // extern "C"
