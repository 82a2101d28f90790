// SPDX-License-Identifier: Apache-2.0
// Elements that are gathered at a sync point: for an LB step, to find that it is too early for one, or to
// leave it out.
//
// PEs go on from a gathering one after the other, and an element that waits at a sync point may be moved by a
// call. So it may come to a PE that is still in the gathering before its own, and must not go on with those
// that were in that one; or to a PE where its own is over, and must not wait for the next. Gatherings are
// numbered, alike on all PEs, and an element carries the number of its own; two PEs are never more than one
// apart.
#pragma once

#include "skein/chare/element.hpp"

namespace skein::chare {

/// The element stops, for the gathering that this PE has not gone on from.
void stop_for_gathering(Element& element);

/// Whether an element that has come while it is stopped is to go on, since its gathering is over here.
bool is_over_for(const Element& element);

/// The number of that one. A job that goes on from a state begins with that of its elements.
std::uint8_t& gathering_number();

/// On every PE, when all elements have stopped: those of this PE go on.
void end_gathering();

}  // namespace skein::chare
