// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/nonblocking.hpp"

#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/p2p/start.hpp"

namespace skein::vmpi {
namespace {

// Room for the algorithm and for a reduction operation of the program's; only what is touched costs memory.
constexpr std::size_t stack_bytes = 128 * 1024;

struct Collective : Fiber {
  Request* request = nullptr;
  int (*call)(void* body, Request& request) = nullptr;
  void (*drop)(void* body, RankState& state) = nullptr;
  void* body = nullptr;
  std::byte* stack = nullptr;
};

Collective& collective_of(Request& request) { return *static_cast<Collective*>(request.part); }

void run(Fiber& fiber) {
  {
    fiber::RuntimeScope runtime;
    auto& collective = static_cast<Collective&>(fiber);
    collective.request->error = collective.call(collective.body, *collective.request);
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
  collective->stack = static_cast<std::byte*>(state.memory.allocate(stack_bytes, 64));
  request.part = collective;
  return request;
}

void start_collective(Request& request) {
  Collective& collective = collective_of(request);
  request.active = true;
  request.complete = false;
  prepare_fiber(collective, request.owner->rank, collective.stack, stack_bytes, run);
  make_ready(collective);
  yield();
}

const Fiber& fiber_of(const Request& request) { return *static_cast<const Collective*>(request.part); }

void release_collective(Request& request) {
  std::pmr::memory_resource& memory = request.owner->memory;
  Collective& collective = collective_of(request);
  memory.deallocate(collective.stack, stack_bytes, 64);
  collective.drop(collective.body, *request.owner);
  memory.deallocate(&collective, sizeof(Collective), alignof(Collective));
}

}  // namespace skein::vmpi
