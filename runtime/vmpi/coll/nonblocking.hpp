// SPDX-License-Identifier: Apache-2.0
// A nonblocking collective is the blocking one on a fiber of its own, which lives in the rank's slot beside
// the main fiber and moves with it. So each collective is written once, as plain code.
#pragma once

#include <new>
#include <type_traits>

#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/request.hpp"

namespace skein::vmpi {

/// Makes a request, not started, that will run `call(body)`; holds one reference to the communicator.
Request& new_collective_request(RankState& state, Comm& comm, int (*call)(void* body, Request& request),
                                void* body);

/// `body` is a lambda `int(Request&)` that captures by value what the collective needs and returns an MPI
/// error class, which the Wait or Test reports. It is copied into the slot, so it must not own memory of the
/// process. Arrays that an MPI call passes by pointer stay the program's until completion, as the standard
/// asks.
template <class Body>
Request& new_collective_request(RankState& state, Comm& comm, const Body& body) {
  static_assert(std::is_trivially_destructible_v<Body> && std::is_trivially_copyable_v<Body>);
  void* const copy = new (state.memory.allocate(sizeof(Body), alignof(Body))) Body(body);
  return new_collective_request(
      state, comm, [](void* b, Request& request) { return (*static_cast<Body*>(b))(request); }, copy);
}

/// Starts it on its fiber, which runs until it first has to wait. From a rank. May switch.
void start_collective(Request& request);

/// Frees what the request holds for its collective. When the request is released.
void release_collective(Request& request);

}  // namespace skein::vmpi
