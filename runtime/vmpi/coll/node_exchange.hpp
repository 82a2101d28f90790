// SPDX-License-Identifier: Apache-2.0
// What the PEs of an assembly do together through memory that they share (net/exchange.hpp), where all of
// them are on one node: instead of messages between their leaders.
//
// Unlike messages it needs no particular rank, so whoever comes last to the assembly can do it. But it is
// made by messages: in the first collective that uses it, which its leader has to complete (assemble()).
//
// All functions: from the member that completes a blocking collective, on its main fiber; may switch. The
// member does not move meanwhile, as in all of such a collective.
#pragma once

#include "runtime/net/exchanges.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/net/watched.hpp"
#include "runtime/vmpi/coll/assembly.hpp"

namespace skein::vmpi {

/// The exchange of an assembly that is not alone, or null where there is none: PEs on several nodes, memory
/// that is not shared, or used up. All members get the same answer in the same collective. `tag`: of that.
net::Exchange* exchange_of(Assembly& assembly, const Comm& comm, int tag);

/// Returns when `has_come(exchange)`, which was false or not asked so far.
template <class HasCome>
void wait_until(net::Exchange& exchange, const char* reason, const HasCome& has_come);

/// The PEs of an assembly wait for each other.
void meet(Assembly& assembly, net::Exchange& exchange, const char* reason);

/// What all PEs have, combined: each brings `bytes`, at most Exchange::longest_block. `fill(block)` writes
/// this PE's; `combine(to, blocks, count)`: see Exchange::arrive(). `take(result)` reads what comes out,
/// which is the same bits on all PEs.
template <class Fill, class Combine, class Take>
void combine_all(Assembly& assembly, net::Exchange& exchange, std::size_t bytes, const char* reason,
                 const Fill& fill, const Combine& combine, const Take& take);

// ---- the rest is implementation

namespace detail {

/// Until an exchange comes so far.
template <class HasCome>
struct ExchangeWait : net::Watched {
  net::Exchange* exchange;
  const HasCome* has_come;
  Fiber* fiber;
};

/// Whether each PE reads the blocks of all others (net/exchange.hpp).
inline bool each_reads_all(const net::Exchange& exchange) {
  return exchange.pes() <= net::Exchange::fan_in && !net::world.shares_cores;
}

/// PEs that sleep look at what they wait for.
void wake_others(const Assembly& assembly);

}  // namespace detail

template <class HasCome>
void wait_until(net::Exchange& exchange, const char* reason, const HasCome& has_come) {
  if (has_come(exchange)) return;
  using Wait = detail::ExchangeWait<HasCome>;
  Wait wait;
  wait.has_happened = [](net::Watched& what) {
    auto& self = static_cast<Wait&>(what);
    return (*self.has_come)(*self.exchange);
  };
  wait.then = [](net::Watched& what) { make_ready(*static_cast<Wait&>(what).fiber); };
  wait.exchange = &exchange;
  wait.has_come = &has_come;
  wait.fiber = current_fiber();
  net::watch(wait);
  block({reason, {}});
}

template <class Fill, class Combine, class Take>
void combine_all(Assembly& assembly, net::Exchange& exchange, std::size_t bytes, const char* reason,
                 const Fill& fill, const Combine& combine, const Take& take) {
  exchange.enter();
  wait_until(exchange, reason, [](net::Exchange& e) { return e.has_room(); });
  fill(exchange.own_block(bytes));
  if (detail::each_reads_all(exchange)) {
    exchange.post();
    wait_until(exchange, reason, [](net::Exchange& e) { return e.have_all_come(); });
    alignas(16) std::byte result[net::Exchange::longest_block];
    combine(
        result, [&](std::size_t place) { return exchange.block(place, bytes); }, exchange.pes());
    take(result);
  } else {
    if (exchange.arrive(bytes, combine)) detail::wake_others(assembly);
    wait_until(exchange, reason, [](net::Exchange& e) { return e.has_result(); });
    take(exchange.result(bytes));
  }
  exchange.leave();
}

}  // namespace skein::vmpi
