// SPDX-License-Identifier: Apache-2.0
// Blocking forms over start_send() and start_receive().
#include "runtime/vmpi/p2p/p2p.hpp"

#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/coll/nonblocking.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/datatype/datatype.hpp"
#include "runtime/vmpi/p2p/buffered.hpp"
#include "runtime/vmpi/p2p/generalized.hpp"

namespace skein::vmpi {
namespace {

constexpr WaitReason in_send{"in a send to %r of its communicator, %t", {}};
constexpr WaitReason in_receive{"in a receive from %r of its communicator, %t", {}};

WaitReason reason(WaitReason why, int peer, int tag) {
  why.values[0] = peer;
  why.values[1] = tag;
  return why;
}

/// What only some requests have.
[[gnu::cold]] void release_part(Request& request) {
  if (runs_on_fiber(request)) {
    release_collective(request);
  } else if (request.kind == RequestKind::generalized) {
    free_generalized(request);
  } else {
    request.owner->attached_in_use -= request.data.bytes + MPI_BSEND_OVERHEAD;
    request.owner->memory.deallocate(request.part, request.data.bytes + 1, 16);
    if (request.owner->attached_in_use == 0) buffer_emptied(*request.owner);
  }
}

}  // namespace

void wait_until_complete(Request& request, WaitReason why) {
  Waiter waiter{current_fiber(), 1};
  request.waiter = &waiter;
  block(why);
}

void send_data(Comm& comm, std::int64_t context, int to, int tag, const Data& data) {
  Request send(current_state(), comm, {context, comm.rank, tag}, to, data);
  start_send(send);
  wait_for(send, reason(in_send, to, tag));
}

int receive_data(Comm& comm, std::int64_t context, int from, int tag, const Data& data) {
  Request receive(current_state(), comm, {context, from, tag}, data);
  start_receive(receive);
  wait_for(receive, reason(in_receive, from, tag));
  return receive.error;
}

int exchange_data(Comm& comm, std::int64_t context, int to, const Data& outgoing, int from,
                  const Data& incoming, int tag) {
  RankState& state = current_state();
  Request receive(state, comm, {context, from, tag}, incoming);
  Request send(state, comm, {context, comm.rank, tag}, to, outgoing);
  start_receive(receive);
  start_send(send);
  wait_for(send, reason(in_send, to, tag));
  wait_for(receive, reason(in_receive, from, tag));
  return receive.error;
}

void send_bytes(Comm& comm, std::int64_t context, int to, int tag, const void* data, std::size_t bytes) {
  send_data(comm, context, to, tag, byte_data(const_cast<void*>(data), bytes));
}

void receive_bytes(Comm& comm, std::int64_t context, int from, int tag, void* data, std::size_t bytes) {
  (void)receive_data(comm, context, from, tag, byte_data(data, bytes));
}

void release_request(Request& request) {
  if (request.part) release_part(request);
  if (request.comm) release_comm(*request.owner, request.comm);
  if (request.data.type) request.data.type->release();
  request.owner->requests.give_back(request);
}

}  // namespace skein::vmpi
