// SPDX-License-Identifier: Apache-2.0
// Loops inside an entry method, which idle PEs of the node share.
#pragma once

#include <array>
#include <new>
#include <type_traits>

#include "skein/node_table.hpp"
#include "skein/node_vector.hpp"
#include "skein/reduction.hpp"

namespace skein {

namespace chare {

/// Iterations first to last - 1, at least one. `result`: the place of their combined value, if there is one.
struct Chunk {
  const void* body;
  std::int64_t first, last;
  void* result;
};
struct Loop {
  const FunctionInfo& run_chunk;
  const void* body;
  std::size_t body_bytes;
  std::int64_t first, last, grain;
  std::size_t result_bytes;
};
inline constexpr std::size_t longest_body = 512;

/// Memory of the node for the results of the chunks, in their order.
class LoopResults {
 public:
  LoopResults(const Loop& loop);
  ~LoopResults() { free_on_node(place_, bytes_); }
  LoopResults(const LoopResults&) = delete;
  LoopResults& operator=(const LoopResults&) = delete;
  std::uint64_t place() const { return place_; }
  std::int64_t chunks() const { return chunks_; }
  const std::byte* data() const { return node_memory.begin + place_; }

 private:
  std::int64_t chunks_;
  std::size_t bytes_;
  std::uint64_t place_;
};
/// Runs the loop until all chunks are done, here and on other PEs. Throws what a body threw.
void run_loop(const Loop& loop, const LoopResults& results);
/// Makes the PEs of this job help others with their loops. Called while static objects are made.
bool want_loops();

template <class F>
constexpr bool from_zero_bytes() {
  (void)__builtin_bit_cast(F, std::array<unsigned char, sizeof(F)>());
  return true;
}
/// True for types that consist of plain values only. The captures of a lambda have no names; but a constant
/// can be made of bytes only if neither it nor any part of it is a pointer, a reference or a union
/// ([bit.cast]). GCC 12 does not look into arrays.
template <class F>
concept plain_parts = std::is_trivially_copyable_v<F> && requires {
  typename std::bool_constant<from_zero_bytes<F>()>;
};

/// The body of a loop; R is void without a reducer.
template <class F, class R, class V>
struct LoopBody {
  static void call(Bytes packed) {
    Chunk chunk;
    memcpy(&chunk, packed.data(), sizeof chunk);
    const F& body = *std::launder(static_cast<const F*>(chunk.body));
    if constexpr (!std::is_void_v<R>) {
      V all = body(chunk.first);
      for (std::int64_t i = chunk.first + 1; i < chunk.last; ++i) R{}(all, V(body(i)));
      memcpy(chunk.result, &all, sizeof all);
    } else if constexpr (std::is_invocable_v<const F&, std::int64_t, std::int64_t>) {
      body(chunk.first, chunk.last);
    } else {
      for (std::int64_t i = chunk.first; i < chunk.last; ++i) body(i);
    }
  }
  static FunctionInfo info;
};
template <class F, class R, class V>
FunctionInfo LoopBody<F, R, V>::info = register_function({(want_loops(), call), 0}, &info);

template <class F>
consteval bool check_body() {
  static_assert(
      std::is_trivially_copyable_v<F>,
      "the body of a parallel loop goes to other processes: it captures plain values only, as [=] or [n, "
      "span] of numbers and of NodeVector::span()");
  static_assert(
      !std::is_trivially_copyable_v<F> || plain_parts<F>,
      "the body of a parallel loop captures a reference, `this` or another pointer, which lead nowhere in "
      "other processes, or a union, which may hide one: it captures values by [=], memory of the node by "
      "NodeVector::span(), and what a std::optional or a std::variant has, not the whole");
  static_assert(sizeof(F) <= longest_body && alignof(F) <= 64,
                "the body of a parallel loop captures at most 512 bytes, aligned to 64 at most");
  return true;
}

template <class Info, class F>
Loop loop_of(std::int64_t first, std::int64_t last, std::int64_t grain, const F& body,
             std::size_t result_bytes) {
  return {Info::info, &body, std::is_empty_v<F> ? 0 : sizeof body, first, last, grain, result_bytes};
}

}  // namespace chare

/// Calls body(i), or body(begin, end) for some consecutive iterations, for all i from first to last - 1, each
/// once, in chunks of `grain` iterations (the last may be smaller); a chunk should take some 10 us or more.
/// This PE takes chunks, and so do idle PEs of its node, as long as they stay idle. Returns when all
/// iterations have run; does not switch. For entry methods, flows and threads between two waits, and
/// functions of callbacks.
///
/// PEs are processes. So the body is an object, usually a lambda, that captures plain values by copy:
/// numbers, NodeVector::span(). It reads and writes the node's memory (NodeTable, NodeVector), reads globals
/// that are equal everywhere (ReadOnly), and calls nothing else of Skein. A body that captures a reference,
/// `this` or another pointer does not compile, nor does one with a union (Clang 14: with a complex number or
/// a bit-field, which it cannot distinguish). Chunks run concurrently: no two iterations may write to one
/// value.
///
/// An exception in the body is thrown here, after the running chunks have ended; one from another PE as a
/// std::runtime_error with its text. A nested loop runs on its PE alone. The time that other PEs spend on the
/// loop counts as load of the calling element, like the caller's own.
template <class F>
void parallel_for(std::int64_t first, std::int64_t last, std::int64_t grain, const F& body) {
  static_assert(chare::check_body<F>());
  static_assert(
      std::is_invocable_v<const F&, std::int64_t> ||
          std::is_invocable_v<const F&, std::int64_t, std::int64_t>,
      "the body of a parallel loop is called with an iteration, or with the first one and the end of some; "
      "it must be const: no mutable lambda");
  const chare::Loop loop = chare::loop_of<chare::LoopBody<F, void, void>>(first, last, grain, body, 0);
  chare::run_loop(loop, chare::LoopResults(loop));
}

/// Runs a loop with a value for each iteration, which a reducer (reduction.hpp) combines with `start`:
/// `parallel_reduce(0, n, 1000, 0.0, [x](std::int64_t i) { return x[i] * x[i]; }, skein::sum)`. Values are
/// combined in the order of iterations, within chunks and then of chunks, so that rounding does not depend on
/// which PEs take part.
template <class V, class F, class R>
V parallel_reduce(std::int64_t first, std::int64_t last, std::int64_t grain, V start, const F& body,
                  const R&) {
  static_assert(chare::check_body<F>());
  static_assert(std::is_invocable_r_v<V, const F&, std::int64_t>,
                "the body of a parallel reduction is called with an iteration and returns a value of the "
                "type of the start; it must be const: no mutable lambda");
  static_assert(reducer_of<R, V>, "the reducer does not combine values of this type");
  static_assert(std::is_trivially_copyable_v<V>,
                "the values of a parallel reduction are plain: numbers, and structs of them");
  const chare::Loop loop = chare::loop_of<chare::LoopBody<F, R, V>>(first, last, grain, body, sizeof(V));
  const chare::LoopResults results(loop);
  chare::run_loop(loop, results);
  for (std::int64_t chunk = 0; chunk < results.chunks(); ++chunk) {
    V value;
    memcpy(&value, results.data() + chunk * static_cast<std::int64_t>(sizeof(V)), sizeof value);
    R{}(start, std::move(value));
  }
  return start;
}

}  // namespace skein
