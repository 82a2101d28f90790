// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/shared/parallel_loops.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "runtime/balance/roles.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/chare/calls/charging.hpp"
#include "runtime/chare/calls/registry.hpp"
#include "runtime/chare/memory/free_ranges.hpp"
#include "runtime/chare/shared/shared_state.hpp"
#include "runtime/net/transport.hpp"
#include "skein/chare/node_memory.hpp"
#include "skein/parallel_for.hpp"

namespace skein::chare {

/// A loop that one PE has published. `state` holds whether it may be joined, the number of other PEs in it,
/// and the number of the loop, so that a PE that looked at one loop cannot join the next by mistake.
/// Everything else is written while no PE is in the loop and none may join.
struct SharedLoop {
  static constexpr std::uint64_t open = 1, one_helper = 2, helpers = 0xfffe, one_loop = 0x10000;

  alignas(kLineBytes) std::atomic<std::uint64_t> state;
  std::uint32_t run_chunk, unused;
  std::int64_t first, last, grain, chunks;
  std::uint64_t results, result_bytes;
  char whose[160];
  alignas(kLineBytes) std::byte body[longest_body];
  alignas(kLineBytes) std::atomic<std::int64_t> next;  ///< first chunk not taken
  alignas(kLineBytes) std::atomic<std::uint64_t> helped_ticks;
  std::atomic<std::uint32_t> thrown;  ///< nothing, something, or told: the text is there
  char error[256];
};

struct LoopHead {
  alignas(kLineBytes) std::atomic<std::uint64_t> put_up;  ///< number of loops so far
  SharedLoop loops[];                                     ///< by place on the node
};

namespace {

enum Thrown : std::uint32_t { nothing, something, told };

bool any_put_up(net::Watched&) {
  return shared_state->loops.head->put_up.load(std::memory_order_relaxed) != shared_state->loops.exhausted;
}
void watch_no_more(net::Watched&) { shared_state->loops.watching = false; }

void run(const FunctionInfo& run_chunk, const void* body, std::int64_t first, std::int64_t last,
         void* result) {
  const Chunk chunk{body, first, last, result};
  run_chunk.call({reinterpret_cast<const std::byte*>(&chunk), sizeof chunk});
}

/// Runs the next chunk. Returns false if there is none.
bool run_next(SharedLoop& loop, const FunctionInfo& run_chunk, const void* body) {
  const std::int64_t chunk = loop.next.fetch_add(1, std::memory_order_relaxed);
  if (chunk >= loop.chunks) return false;
  const std::int64_t first = loop.first + chunk * loop.grain;
  run(run_chunk, body, first, loop.last - first > loop.grain ? first + loop.grain : loop.last,
      node_memory.begin + loop.results + static_cast<std::uint64_t>(chunk) * loop.result_bytes);
  return true;
}

void stop(SharedLoop& loop) { loop.next.store(loop.chunks, std::memory_order_relaxed); }

// ---- PEs that help

void keep_error(SharedLoop& loop, const char* what) {
  std::uint32_t before = nothing;
  if (!loop.thrown.compare_exchange_strong(before, something, std::memory_order_relaxed)) return;
  snprintf(loop.error, sizeof loop.error, "on PE %d: %s", net::world.pe, what);
  loop.thrown.store(told, std::memory_order_relaxed);  // read when this PE has left
}

bool help(SharedLoop& loop) {
  std::uint64_t state = loop.state.load(std::memory_order_relaxed);
  do {
    if (!(state & SharedLoop::open)) return false;
  } while (!loop.state.compare_exchange_weak(state, state + SharedLoop::one_helper, std::memory_order_acquire,
                                             std::memory_order_relaxed));  // pairs with put_up()
  bool any = true;
  const std::uint64_t began = ticks();
  shared_state->loops.helped = loop.whose;
  ++shared_state->loops.depth;
  try {
    any = run_next(loop, function_number(loop.run_chunk), loop.body);
  } catch (const std::exception& error) {
    keep_error(loop, error.what());
    stop(loop);
  } catch (...) {
    keep_error(loop, "an exception that is no std::exception");
    stop(loop);
  }
  --shared_state->loops.depth;
  shared_state->loops.helped = nullptr;
  if (any) {
    const std::uint64_t helped = ticks() - began;
    loop.helped_ticks.fetch_add(helped, std::memory_order_relaxed);
    count_as_busy(helped);
  }
  loop.state.fetch_sub(SharedLoop::one_helper, std::memory_order_release);  // pairs with take_down()
  return any;
}

// ---- the PE that has the loop

void describe_owner(std::span<char> out) {
  const std::string whose = calls_here.running.element ? name_of(*calls_here.running.element)
                                                       : "PE " + std::to_string(net::world.pe);
  snprintf(out.data(), out.size(), "a loop of %s%s%s", whose.c_str(), calls_here.running.entry ? " in " : "",
           calls_here.running.entry ? calls_here.running.entry->name : "");
}

SharedLoop& put_up(const Loop& what, const LoopResults& results) {
  SharedLoop& loop = shared_state->loops.head->loops[net::world.node_pe];
  loop.run_chunk = what.run_chunk.number;
  loop.first = what.first;
  loop.last = what.last;
  loop.grain = what.grain;
  loop.chunks = results.chunks();
  loop.results = results.place();
  loop.result_bytes = what.result_bytes;
  memcpy(loop.body, what.body, what.body_bytes);
  describe_owner(loop.whose);
  loop.next.store(0, std::memory_order_relaxed);
  loop.helped_ticks.store(0, std::memory_order_relaxed);
  loop.thrown.store(nothing, std::memory_order_relaxed);
  loop.state.fetch_add(SharedLoop::one_loop | SharedLoop::open, std::memory_order_release);  // pair: help()
  shared_state->loops.head->put_up.fetch_add(1, std::memory_order_release);  // pairs with help_one_loop()
  if (net::world.shares_cores())  // else no PE sleeps long enough to matter
    for (const int pe : net::world.node_pes)
      if (pe != net::world.pe) net::wake(pe);
  return loop;
}

void take_down(SharedLoop& loop) {
  loop.state.fetch_and(~SharedLoop::open, std::memory_order_relaxed);
  constexpr int looks_without_yield = 1000;
  for (int look = 0; loop.state.load(std::memory_order_acquire) & SharedLoop::helpers;
       ++look) {  // pairs with help()
    if (look < looks_without_yield)
      __builtin_ia32_pause();
    else
      sched_yield();
  }
}

void run_shared(const Loop& what, const LoopResults& results) {
  SharedLoop& loop = put_up(what, results);
  std::exception_ptr own;
  try {
    while (run_next(loop, what.run_chunk, what.body)) {
    }
  } catch (...) {
    own = std::current_exception();
    stop(loop);
  }
  take_down(loop);
  if (calls_here.running.element)
    calls_here.running.element->busy_ticks += loop.helped_ticks.load(std::memory_order_relaxed);
  if (own) std::rethrow_exception(own);
  if (loop.thrown.load(std::memory_order_relaxed) != nothing)
    throw std::runtime_error(std::string(loop.error, strnlen(loop.error, sizeof loop.error)));
}

void run_here(const Loop& what, const LoopResults& results) {
  std::uint64_t result = results.place();
  for (std::int64_t first = what.first; first < what.last;) {
    const std::int64_t end = what.last - first > what.grain ? first + what.grain : what.last;
    run(what.run_chunk, what.body, first, end, node_memory.begin + result);
    first = end;
    result += what.result_bytes;
  }
}

std::int64_t chunks_of(const Loop& loop) {
  std::int64_t iterations;
  if (loop.grain < 1)
    fail("a parallel loop has the grain " + std::to_string(loop.grain) +
         ": iterations of a chunk, at least 1");
  if (loop.last <= loop.first) return 0;
  if (__builtin_sub_overflow(loop.last, loop.first, &iterations))
    fail("a parallel loop from " + std::to_string(loop.first) + " to " + std::to_string(loop.last) +
         ": more than 2^63 iterations");
  return (iterations - 1) / loop.grain + 1;
}

}  // namespace

LoopResults::LoopResults(const Loop& loop) : chunks_(chunks_of(loop)), bytes_(0), place_(kNoPlace) {
  if (chunks_ == 0 || loop.result_bytes == 0) return;
  if (__builtin_mul_overflow(static_cast<std::size_t>(chunks_), loop.result_bytes, &bytes_))
    fail("a parallel reduction has " + std::to_string(chunks_) + " chunks: raise its grain");
  place_ = allocate_on_node(bytes_);
}

void run_loop(const Loop& what, const LoopResults& results) {
  struct Deeper {
    Deeper() { ++shared_state->loops.depth; }
    ~Deeper() { --shared_state->loops.depth; }
  };
  const bool is_inner = shared_state->loops.depth > 0;
  const Deeper deeper;
  if (!shared_state->loops.head || is_inner || results.chunks() < 2)
    run_here(what, results);
  else
    run_shared(what, results);
}

const char* helped_loop() { return shared_state->loops.helped; }

bool want_loops() {
  want_node_memory();
  return node_memory.has_loops = true;
}

std::size_t loop_head_bytes() {
  return node_memory.has_loops ? sizeof(LoopHead) + net::world.node_pes.size() * sizeof(SharedLoop) : 0;
}

void start_loops() {
  if (node_memory.has_loops && node_memory.shared && net::world.node_pes.size() > 1)
    shared_state->loops.head = reinterpret_cast<LoopHead*>(node_memory.begin);
}

bool help_one_loop() {
  if (!shared_state->loops.head || !balance::computes(net::world.pe)) return false;
  if (!shared_state->loops.watching) {
    shared_state->loops.watched = {any_put_up, watch_no_more};
    net::watch(shared_state->loops.watched);
    shared_state->loops.watching = true;
  }
  const std::uint64_t put_up =
      shared_state->loops.head->put_up.load(std::memory_order_acquire);  // pairs with put_up()
  if (put_up == shared_state->loops.exhausted) return false;
  const std::size_t pes = net::world.node_pes.size(), own = static_cast<std::size_t>(net::world.node_pe);
  for (std::size_t i = 1; i < pes; ++i)
    if (help(shared_state->loops.head->loops[(own + i) % pes])) return true;
  shared_state->loops.exhausted = put_up;
  return false;
}

}  // namespace skein::chare
