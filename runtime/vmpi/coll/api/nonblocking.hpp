// SPDX-License-Identifier: Apache-2.0
// A nonblocking collective is the blocking one on a fiber of its own, which lives in the rank's slot beside
// the main fiber and moves with it. So each collective is written once, as plain code.
#pragma once

#include <new>
#include <type_traits>

#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/request.hpp"

namespace skein::vmpi {

/// Makes a request that will run `call(body)` at each start, without starting it. When it is released,
/// `drop(body)` releases what the body holds, and the body's memory. Holds one reference to the communicator.
Request& new_collective_request(RankState& state, Comm& comm, int (*call)(void* body, Request& request),
                                void (*drop)(void* body, RankState& state), void* body);

/// Makes a request of lambdas. `body`, `int(Request&)`, captures by value what the collective needs and
/// returns an MPI error class, which the Wait or Test reports; `drop`, `void(RankState&)`, releases what it
/// refers to. They are copied into the slot, so they must not own memory of the process.
template <class Body, class Drop>
Request& new_collective_request(RankState& state, Comm& comm, const Body& body, const Drop& drop) {
  struct InSlot {
    Body body;
    Drop drop;
  };
  static_assert(std::is_trivially_destructible_v<InSlot> && std::is_trivially_copyable_v<InSlot>);
  void* const kept = new (state.memory.allocate(sizeof(InSlot), alignof(InSlot))) InSlot{body, drop};
  return new_collective_request(
      state, comm, [](void* b, Request& request) { return static_cast<InSlot*>(b)->body(request); },
      [](void* b, RankState& s) {
        static_cast<InSlot*>(b)->drop(s);
        s.memory.deallocate(b, sizeof(InSlot), alignof(InSlot));
      },
      kept);
}
template <class Body>
Request& new_collective_request(RankState& state, Comm& comm, const Body& body) {
  return new_collective_request(state, comm, body, [](RankState&) {});
}

/// Returns the fiber that the request of a collective runs on.
const Fiber& fiber_of(const Request& request);

}  // namespace skein::vmpi
