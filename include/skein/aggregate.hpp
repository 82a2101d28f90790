// SPDX-License-Identifier: Apache-2.0
// Many small calls in few messages.
#pragma once

#include "skein/array.hpp"
#include "skein/chare/aggregator.hpp"

namespace skein {

/// Calls `method` of the element like ElementRef::send(), for calls so many and so small that a message for
/// each would cost more than the work. Calls to one PE are collected, and leave when a buffer of 16 KiB is
/// full, when this PE has nothing else to do, and on flush_aggregated(). Where they arrive they run one after
/// the other without passing the queue. Their time is charged to their elements in equal parts. Calls that
/// arrive where the element has left are collected again there, and the PE that sent them is told where it
/// is.
///
/// The method may also be a flow, threaded or awaited. Its parameters are plain values (numbers, structs of
/// them): their bytes are sent.
template <auto method, class T, class... A>
void aggregate(const ElementRef<T>& element, A&&... arguments) {
  static_assert(chare::check_call<method, T, A...>);
  chare::Aggregator<method, T>::of(element.array_number())
      .add(element.index(), typename chare::Entry<method>::Arguments(std::forward<A>(arguments)...));
}

/// Calls `method` with a priority: aggregate<&Cell::take>(cells[i].prioritized(-1), a). Calls of each
/// priority are collected in buffers of their own, so use few priorities.
template <auto method, class T, class... A>
void aggregate(const PrioritizedRef<T>& to, A&&... arguments) {
  static_assert(chare::check_call<method, T, A...>);
  chare::Aggregator<method, T>::of(to.element().array_number(), to.priority())
      .add(to.element().index(), typename chare::Entry<method>::Arguments(std::forward<A>(arguments)...));
}

/// Sends all calls that are collected on this PE.
inline void flush_aggregated() { chare::flush_aggregators(); }

}  // namespace skein
