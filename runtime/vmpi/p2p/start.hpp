// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>

#include "runtime/vmpi/check/check.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/datatype/datatype.hpp"
#include "runtime/vmpi/p2p/flow_control.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/record/record.hpp"

namespace skein::vmpi {

/// A request with these arguments (and the state) that the program will hold, holding references to its
/// communicator and type. Not started.
//
// Made in its place: a copy would read what was just written in other widths, for which processors wait.
template <class... Arguments>
[[gnu::always_inline]] inline Request& new_request(RankState& state, Arguments&&... arguments) {
  const auto [place, index] = state.requests.reserve();
  Request& request = *new (place) Request(state, arguments...);
  request.index = index;
  request.holder = Holder::program;
  if (request.comm) ++request.comm->references;
  if (request.data.type) request.data.type->retain();
  if (checking) [[unlikely]]
    note_request(request);
  return request;
}

/// The rarer cases of start().
int start_other(const ApiCall& call, Request& request);

/// Starts what the request describes: a send of any mode, or a receive; with MPI_PROC_NULL for a peer it is
/// complete at once. For nonblocking calls and MPI_Start.
inline int start(const ApiCall& call, Request& request) {
  if (runs_on_fiber(request)) return start_other(call, request);
  if (trace::recording) [[unlikely]]
    record_start(request);
  if (request.kind == RequestKind::send && request.sent.to != MPI_PROC_NULL &&
      request.mode != SendMode::buffered)
    start_send(request);
  else if (request.kind == RequestKind::receive && request.pattern.source != MPI_PROC_NULL)
    start_receive(request);
  else
    return start_other(call, request);
  return MPI_SUCCESS;
}

/// What a call that makes a request does with it.
enum class Then { start, keep_inactive };
/// Gives the program the request: started, or inactive and persistent.
inline int hand_out(const ApiCall& call, Request& request, Then then, MPI_Request* out) {
  *out = RequestTable::handle_of(request);
  if (then == Then::start) return start(call, request);
  request.persistent = true;
  return MPI_SUCCESS;
}

/// Gives back the room of a request in the rank's table, and its references.
inline void give_back_request(Request& request) {
  if (request.comm) release_comm(*request.owner, request.comm);
  if (request.data.type) request.data.type->release();
  request.owner->requests.give_back(request);
}

/// After a Wait or Test has taken the result: a persistent request becomes inactive, another one is freed and
/// the program's handle set to MPI_REQUEST_NULL.
inline void retire(Request& request, MPI_Request* handle) {
  if (request.persistent) {
    request.active = false;
    return;
  }
  *handle = MPI_REQUEST_NULL;
  if (checking || request.part) [[unlikely]]
    release_request(request);
  else
    give_back_request(request);
}

}  // namespace skein::vmpi
