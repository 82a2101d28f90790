// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>

#include "runtime/vmpi/check/check.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/datatype/datatype.hpp"
#include "runtime/vmpi/p2p/flow_control.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/recurring.hpp"
#include "runtime/vmpi/p2p/tying.hpp"
#include "runtime/vmpi/record/record.hpp"

namespace skein::vmpi {

/// Makes a request with these arguments (and the state) for the program to hold. It holds references to its
/// communicator and type, and is not started.
///
/// It is constructed in its final room: a copy would read what was just written in other widths, for which
/// processors wait.
template <class... Arguments>
[[gnu::always_inline]] inline Request& new_request(RankState& state, Arguments&&... arguments) {
  const auto [place, index] = state.requests.reserve();
  Request& request = *new (place) Request(state, arguments...);
  request.index = index;
  request.holder = Holder::program;
  if (request.comm) ++request.comm->references;
  if (request.data.type) request.data.type->retain();
  if (settings.checking) [[unlikely]]
    note_request(request);
  return request;
}

/// Starts a request of one of the rarer kinds, for start().
int start_other(const ApiCall& call, Request& request);

/// Starts a request: a send of any mode, a receive, or one of the other kinds. A send or receive with
/// MPI_PROC_NULL is complete at once. Used by nonblocking calls and MPI_Start.
inline int start(const ApiCall& call, Request& request) {
  if (request.kind > RequestKind::receive) return start_other(call, request);
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

/// Copies the data of a tied send to its receive.
[[gnu::always_inline]] inline void copy_tied(const Tie& tie) {
  if (tie.from) [[likely]]
    copy_block(tie.to, tie.from, tie.bytes);
  else
    copy_tied_pieces(tie);
}
/// Start a send and a receive that are tied, like start_send() and start_receive(). `flags`: started() ones.
/// Never switch. The rank's heap may be in force.
[[gnu::always_inline]] inline void start_tied_send(Request& send, Tie& tie, RankState& owner, Flags flags) {
  if (tie.state == TieState::receive_started) [[likely]] {
    note_tied(owner, send, tie.bytes);
    copy_tied(tie);
    tie.state = TieState::open;
    complete(*tie.receive);
    set_flags(send, flags | kFlagComplete);  // no fiber can wait for a send that starts now
    return;
  }
  set_flags(send, flags);
  if (tie.state == TieState::data_kept) [[unlikely]]
    return start_untied_send(send, tie);
  note_tied(owner, send, tie.bytes);
  leave_in_tie(send, tie);
}
[[gnu::always_inline]] inline void start_tied_receive(Request& receive, Tie& tie, Flags flags) {
  if (tie.state == TieState::open) {
    set_flags(receive, flags);
    tie.state = TieState::receive_started;
    return;
  }
  if (tie.state == TieState::send_started) {
    copy_tied(tie);
    complete(*tie.send);
  } else {
    take_from_tie(receive, tie);
  }
  tie.state = TieState::open;
  set_flags(receive, flags | kFlagComplete);
}
[[gnu::always_inline]] inline void start_tied(Request& request, Tie& tie, RankState& owner, Flags flags) {
  if (request.kind == RequestKind::send)
    start_tied_send(request, tie, owner, flags);
  else
    start_tied_receive(request, tie, flags);
}
/// Starts again a send or receive that recurs.
[[gnu::always_inline]] inline void start_again(Request& request) {
  if (trace::recording) [[unlikely]]
    record_start_again(request, *request.owner);
  if (Tie* const tie = tie_of(request)) [[likely]]
    start_tied(request, *tie, *request.owner, started(flags_of(request)));
  else if (request.kind == RequestKind::send)
    start_send(request);
  else
    start_receive(request);
}

/// Starts again a send or receive that recurs, in a call that has no ApiCall.
void start_from_program(Request& request);
/// Starts a request that find_kept() returned, and gives the program its handle. For calls without an
/// ApiCall.
[[gnu::always_inline]] inline void start_kept(RankState& state, Request& kept, RequestKind kind,
                                              MPI_Request* out) {
  if (kept.kind != kind) __builtin_unreachable();
  *out = RequestTable::handle_of(kept);
  Tie* const tie = tie_of(kept);
  if (!tie) [[unlikely]] {
    take_again(kept);
    return start_from_program(kept);
  }
  if (trace::recording) [[unlikely]]
    record_start_again(kept, state);
  const Flags flags = started_again(kind, kept.mode);
  if (kind == RequestKind::send)
    start_tied_send(kept, *tie, state, flags);
  else
    start_tied_receive(kept, *tie, flags);
}

/// Returns a request for a nonblocking send or receive of `data`: in its place (recurring.hpp) if it can be
/// kept there, else made by new_request().
template <class... Arguments>
[[gnu::always_inline]] inline Request& make_in_place(RankState& state, const RepeatableCall& wanted,
                                                     const Data& data, Arguments&&... arguments) {
  const bool can_stay = wanted.bytes > 0 && wanted.mode != SendMode::buffered && data.bytes == wanted.bytes &&
                        !data.type && !data.switched_out && !settings.checking;
  if (!can_stay) return new_request(state, arguments...);
  Request* const chosen = choose_place(state, wanted);
  if (!chosen) return new_request(state, arguments...);
  Request& place = *chosen;
  if (place.comm) untie(place);
  const std::uint32_t index = place.index;
  new (&place) Request(state, arguments...);
  place.index = index;
  place.holder = Holder::program;
  place.kept = Kept::in_place;
  return place;
}

/// Tells if a call starts the request that it makes.
enum class Then { start, keep_inactive };
/// Gives the program the handle of a request, and starts it or leaves it inactive and persistent.
inline int hand_out(const ApiCall& call, Request& request, Then then, MPI_Request* out) {
  *out = RequestTable::handle_of(request);
  if (then == Then::start) return start(call, request);
  request.kept = Kept::persistent;
  return MPI_SUCCESS;
}

/// Gives back the room and the references of a request in the rank's table. A request that recurs stays in
/// its place.
inline void give_back_request(Request& request) {
  if (request.kept != Kept::no && !is_persistent(request)) return keep_in_place(request);
  if (request.comm) release_comm(*request.owner, request.comm);
  if (request.data.type) request.data.type->release();
  request.owner->requests.give_back(request);
}

/// Retires a request whose result a Wait or Test has taken: a persistent request becomes inactive, another
/// one is freed and the program's handle set to MPI_REQUEST_NULL.
inline void retire(Request& request, MPI_Request* handle) {
  if (request.kept != Kept::no) [[likely]] {
    request.active = false;
    if (is_persistent(request)) return;
    request.holder = Holder::nobody;
    *handle = MPI_REQUEST_NULL;
    return;
  }
  *handle = MPI_REQUEST_NULL;
  if (settings.checking || request.part) [[unlikely]]
    release_request(request);
  else
    give_back_request(request);
}

}  // namespace skein::vmpi
