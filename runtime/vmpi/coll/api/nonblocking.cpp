// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/api/nonblocking.hpp"

#include "runtime/rank/scheduler.hpp"
#include "runtime/rank/side_stacks.hpp"
#include "runtime/vmpi/p2p/start.hpp"

namespace skein::vmpi {
namespace {

struct Collective : Fiber {
  Request* request = nullptr;
  int (*call)(void* body, Request& request) = nullptr;
  void (*drop)(void* body, RankState& state) = nullptr;
  void* body = nullptr;
  SideStack* stack = nullptr;
};

Collective& collective_of(Request& request) { return *static_cast<Collective*>(request.part); }

void run(Fiber& fiber) {
  {
    fiber::RuntimeScope runtime;
    auto& collective = static_cast<Collective&>(fiber);
    collective.request->error = collective.call(collective.body, *collective.request);
    give_back(*fiber.rank, *collective.stack);
    complete(*collective.request);
  }
  finish_fiber();
}

}  // namespace

Request& new_collective_request(RankState& state, Comm& comm, int (*call)(void* body, Request& request),
                                void (*drop)(void* body, RankState& state), void* body) {
  Request& request = new_request(state, RequestKind::collective, &comm);
  auto* const collective = new (state.memory.allocate(sizeof(Collective), alignof(Collective))) Collective;
  collective->request = &request;
  collective->call = call;
  collective->drop = drop;
  collective->body = body;
  request.part = collective;
  return request;
}

void start_collective(Request& request) {
  Collective& collective = collective_of(request);
  request.active = true;
  request.complete = false;
  const SideStack& stack = *(collective.stack = &take_side_stack(request.owner->rank, collective));
  prepare_fiber(collective, request.owner->rank, stack.begin(),
                static_cast<std::size_t>(stack.end() - stack.begin()), run);
  make_ready(collective);
  yield();
}

const Fiber& fiber_of(const Request& request) { return *static_cast<const Collective*>(request.part); }

void release_collective(Request& request) {
  std::pmr::memory_resource& memory = request.owner->memory;
  Collective& collective = collective_of(request);
  collective.drop(collective.body, *request.owner);
  memory.deallocate(&collective, sizeof(Collective), alignof(Collective));
}

}  // namespace skein::vmpi
