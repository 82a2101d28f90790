// SPDX-License-Identifier: Apache-2.0
// Requests that recur. Programs make the same nonblocking sends and receives again and again. So the
// arguments of a request lead to its room (a *place*, of which a rank has some), and the request stays there
// when its result is taken. A call with the same arguments finds the request checked and filled in, and
// perhaps tied to the one that it met the last time (tie.hpp), as if it were persistent.
//
//   in its place, idle      <=>  not active; no handle names it
//   arguments are the same  <=>  kind, mode, communicator, peer, tag, address and bytes are
//   kept                     =>  its data is one block, of elements of a predefined type, and not among
//                                thread-local variables
//
// A kept request holds no reference to its communicator: when that is freed, active requests get one, and
// idle requests are dropped. Of its two places a request gets an empty one, or one whose request is idle; if
// both are active, it is not kept. With --check no request is kept, as its room tells which call made it.
#pragma once

#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/request_table.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// The arguments of a send or receive of contiguous data.
struct RepeatableCall {
  RequestKind kind = RequestKind::send;
  SendMode mode = SendMode::standard;
  int peer = 0;
  int tag = 0;
  const void* buffer = nullptr;
  std::size_t bytes = 0;  ///< 0: data that is not kept
};

/// Returns the first of the two places, one of which holds the request if it is kept.
inline Request* places_of(RankState& state, const RepeatableCall& wanted) {
  const std::uint64_t peer_and_tag =
      std::uint64_t{static_cast<unsigned>(wanted.tag)} << 32 | static_cast<unsigned>(wanted.peer);
  return state.requests.pair_of_places(
      (reinterpret_cast<std::uintptr_t>(wanted.buffer) ^ peer_and_tag * 0xc2b2ae3d27d4eb4f) *
      0x9e3779b97f4a7c15);
}

/// Returns true if the request in a place has these arguments and is idle.
[[gnu::always_inline]] inline bool is_idle(const Request& place, const RepeatableCall& wanted,
                                           const Comm* comm) {
  return place.comm == comm && !place.active && place.data.buffer == wanted.buffer &&
         place.data.bytes == wanted.bytes && place.kind == wanted.kind && place.mode == wanted.mode &&
         place.pattern.tag == wanted.tag &&
         (wanted.kind == RequestKind::send ? place.sent.to : place.pattern.source) == wanted.peer;
}
/// Returns the kept request with these arguments if it is idle, else null.
[[gnu::always_inline]] inline Request* find_kept(RankState& state, const RepeatableCall& wanted,
                                                 MPI_Comm handle) {
  const Comm* const comm = find_comm(state, handle);
  if (!comm) return nullptr;
  Request* const places = places_of(state, wanted);
  if (is_idle(places[0], wanted, comm)) [[likely]]
    return &places[0];
  return is_idle(places[1], wanted, comm) ? &places[1] : nullptr;
}
/// Returns the place to keep a request in: an empty one, or one whose request is idle; null if neither is.
inline Request* choose_place(RankState& state, const RepeatableCall& wanted) {
  Request* const places = places_of(state, wanted);
  for (Request* const place : {&places[0], &places[1]})
    if (!place->active && !place->comm) return place;
  for (Request* const place : {&places[0], &places[1]})
    if (!place->active) return place;
  return nullptr;
}

/// Gives the program an idle request again, without starting it.
inline void take_again(Request& idle) {
  idle.kept = Kept::repeated;
  idle.holder = Holder::program;
  idle.ended = Ended::well;
}

/// Returns the flags of an idle request that the program gets again and starts at once.
inline Flags started_again(RequestKind kind, SendMode mode) {
  return Flags{static_cast<std::uint8_t>(kind)} | Flags{static_cast<std::uint8_t>(mode)} << 8 |
         Flags{static_cast<std::uint8_t>(Holder::program)} << 16 |
         Flags{static_cast<std::uint8_t>(Kept::repeated)} << 24 | kFlagActive;
}

/// Makes a request idle: its result is taken, or nobody wants it.
inline void keep_in_place(Request& request) {
  request.holder = Holder::nobody;
  request.active = false;
}

/// Before a communicator loses its handle: active requests in places get a reference to it, and idle ones are
/// dropped.
void leave_comm(RankState& state, Comm& comm);

}  // namespace skein::vmpi
