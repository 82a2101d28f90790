// SPDX-License-Identifier: Apache-2.0
// Blocking forms over start_send() and start_receive().
#include "runtime/vmpi/p2p/p2p.hpp"

#include "runtime/pe/sync.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/check/check.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/buffered.hpp"
#include "runtime/vmpi/p2p/partitioned.hpp"
#include "runtime/vmpi/p2p/request.hpp"
#include "runtime/vmpi/p2p/start.hpp"
#include "runtime/vmpi/record/waits.hpp"

namespace skein::vmpi {
namespace {

/// Releases the part that requests of some kinds have.
[[gnu::cold]] void release_part(Request& request) {
  if (runs_on_fiber(request)) {
    release_collective(request);
  } else if (request.kind == RequestKind::joint) {
    release_joint(request);
  } else if (is_partitioned(request)) {
    release_partitioned(request);
  } else if (request.kind == RequestKind::generalized) {
    free_generalized(request);
  } else {
    release_buffered(request);
  }
}

}  // namespace

void end_unwaited(Request& request) {
  if (request.holder == Holder::transfer) return count_message(request);
  if (skein::trace::recording) record_freed(request);
  release_request(request);
}

void wait_until_complete(Request& request, WaitReason why) {
  Waiter waiter{current_fiber(), 1};
  request.waiter = &waiter;
  block(why);
}

void wait_for_message(Request& request, WaitReason why) {
  if (request.complete) return;
  Waiter waiter{current_fiber(), 1};
  request.waiter = &waiter;
  pe::wait_where_it_may_stop(waiter.left, why);
}

namespace {

Request send_on(Comm& comm, const Route& route, int to, const void* data, std::size_t bytes) {
  return Request(current_state(), comm, {route.context, comm.rank, route.tag}, to,
                 byte_data(const_cast<void*>(data), bytes));
}
Request receive_on(Comm& comm, const Route& route, int from, void* data, std::size_t bytes) {
  return Request(current_state(), comm, {route.context, from, route.tag}, byte_data(data, bytes));
}

}  // namespace

void send_bytes(Comm& comm, const Route& route, int to, const void* data, std::size_t bytes) {
  Request send = send_on(comm, route, to, data, bytes);
  start_send(send);
  wait_for(send, {route.waiting, {to, 0}});
}

void receive_bytes(Comm& comm, const Route& route, int from, void* data, std::size_t bytes) {
  Request receive = receive_on(comm, route, from, data, bytes);
  start_receive(receive);
  wait_for(receive, {route.waiting, {from, 0}});
}

void exchange_bytes(Comm& comm, const Route& route, int with, const void* mine, std::size_t my_bytes,
                    void* theirs, std::size_t their_bytes) {
  Request receive = receive_on(comm, route, with, theirs, their_bytes);
  Request send = send_on(comm, route, with, mine, my_bytes);
  start_receive(receive);
  start_send(send);
  wait_for(send, {route.waiting, {with, 0}});
  wait_for(receive, {route.waiting, {with, 0}});
}

void release_request(Request& request) {
  if (settings.checking) [[unlikely]]
    forget_request(request);
  if (request.part) release_part(request);
  give_back_request(request);
}

}  // namespace skein::vmpi
