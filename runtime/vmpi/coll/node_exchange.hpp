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

#include <span>

#include "runtime/net/exchanges.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/net/watched.hpp"
#include "runtime/vmpi/coll/assembly.hpp"

namespace skein::vmpi {

/// How members assemble for blocks of so many bytes at most; 0 where blocks cannot hold what they bring.
inline AmongPes way_of(const Assembly& assembly, std::size_t longest) {
  const bool fits = longest > 0 && longest <= net::Exchange::longest_block;
  return fits && !assembly.alone() ? AmongPes::exchange : AmongPes::messages;
}

/// The exchange of an assembly whose members assembled for `way`, or null where there is none: they are on
/// one PE, on several nodes, memory is not shared, or used up; or they assembled for messages. All members
/// get the same answer in the same collective. `tag`: of that.
net::Exchange* exchange_of(Assembly& assembly, const Comm& comm, int tag, AmongPes way = AmongPes::exchange);

/// Whose blocks are for whom: of one PE for all others, of all for one, or of all for all. A PE is named by
/// the rank of its leader among the leaders.
struct Direction {
  enum class Kind : std::uint8_t { from_one, to_one, among_all };
  Kind kind = Kind::among_all;
  int one = -1;

  static Direction from(int leader) { return {Kind::from_one, leader}; }
  static Direction to(int leader) { return {Kind::to_one, leader}; }
  static Direction among_all() { return {}; }

  Direction reversed() const {
    return kind == Kind::from_one ? to(one) : kind == Kind::to_one ? from(one) : among_all();
  }
  bool gives(int leader) const { return kind != Kind::from_one || leader == one; }
  bool takes(int leader) const {
    return kind == Kind::among_all || (kind == Kind::to_one) == (leader == one);
  }
};

/// A round in which PEs give blocks and others take them: who only gives waits for nobody, but for room. All
/// PEs of the assembly make it. `fill(block)` writes the block of a PE that gives, `bytes` long, at most
/// Exchange::longest_block; which PE has how many is its own affair. On a PE that takes, `take(block_of)`
/// reads: `block_of(leader)` returns that one's block once it has come, and may switch.
template <class Fill, class Take>
void exchange_blocks(Assembly& assembly, net::Exchange& exchange, Direction direction, std::size_t bytes,
                     const char* reason, const Fill& fill, const Take& take);

/// What all PEs have, combined, for those who take: from_one is no such direction. Each brings `bytes`, at
/// most Exchange::longest_block. `fill(block)` writes this PE's; `combine(to, blocks, count)`: see
/// Exchange::arrive(). `take(result)` reads what comes out, which is the same bits on all PEs.
template <class Fill, class Combine, class Take>
void combine_blocks(Assembly& assembly, net::Exchange& exchange, Direction direction, std::size_t bytes,
                    const char* reason, const Fill& fill, const Combine& combine, const Take& take);

/// The PEs that take wait for those that give.
void wait_for_givers(Assembly& assembly, net::Exchange& exchange, Direction direction, const char* reason);

// ---- the rest is implementation

namespace detail {

/// Whether each PE reads the blocks of all others (net/exchange.hpp).
inline bool each_reads_all(const net::Exchange& exchange) {
  return exchange.pes() <= net::Exchange::fan_in && !net::world.shares_cores;
}

/// PEs that sleep look at what they wait for: those who take.
void wake_takers(const Assembly& assembly, Direction direction);

/// Whether it happens before looking for messages, or switching to another rank, would be of any use.
template <class HasCome>
bool comes_soon(net::Exchange& exchange, const HasCome& has_come) {
  // With pauses between them less than a microsecond.
  constexpr int looks = 20;
  if (net::world.shares_cores) return has_come(exchange);
  for (int i = 0; i < looks; ++i) {
    if (has_come(exchange)) return true;
    if (any_ready()) return false;
    __builtin_ia32_pause();
  }
  return false;
}

/// Until an exchange comes so far.
template <class HasCome>
struct ExchangeWait : net::Watched {
  net::Exchange* exchange;
  const HasCome* has_come;
  Fiber* fiber;
};

/// Returns when `has_come(exchange)`.
template <class HasCome>
void wait_until(net::Exchange& exchange, const char* reason, const HasCome& has_come) {
  if (comes_soon(exchange, has_come)) return;
  using Wait = ExchangeWait<HasCome>;
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

inline void wait_for_room(net::Exchange& exchange, const char* reason) {
  if (!exchange.has_room()) wait_until(exchange, reason, [](net::Exchange& e) { return e.has_room(); });
}

}  // namespace detail

template <class Fill, class Take>
void exchange_blocks(Assembly& assembly, net::Exchange& exchange, Direction direction, std::size_t bytes,
                     const char* reason, const Fill& fill, const Take& take) {
  const int own = static_cast<int>(exchange.place());
  // Blocks of many are awaited together: a PE that sleeps is woken once.
  const bool counted = direction.kind != Direction::Kind::from_one && !detail::each_reads_all(exchange);
  exchange.enter();
  if (direction.gives(own)) {
    detail::wait_for_room(exchange, reason);
    fill(exchange.own_block(bytes));
    const bool complete = counted ? exchange.arrive(0, [](auto&&...) {}) : (exchange.post(), true);
    if (complete) detail::wake_takers(assembly, direction);
  }
  if (direction.takes(own)) {
    if (counted) detail::wait_until(exchange, reason, [](net::Exchange& e) { return e.has_result(); });
    take([&](int leader) {
      const auto place = static_cast<std::size_t>(leader);
      if (!counted)
        detail::wait_until(exchange, reason, [place](net::Exchange& e) { return e.has_come(place); });
      return exchange.block(place);
    });
  }
  exchange.leave();
}

template <class Fill, class Combine, class Take>
void combine_blocks(Assembly& assembly, net::Exchange& exchange, Direction direction, std::size_t bytes,
                    const char* reason, const Fill& fill, const Combine& combine, const Take& take) {
  if (detail::each_reads_all(exchange)) {
    exchange_blocks(assembly, exchange, direction, bytes, reason, fill, [&](const auto&) {
      detail::wait_until(exchange, reason, [](net::Exchange& e) { return e.have_all_come(); });
      std::byte* const result = exchange.own_result();
      combine(
          result, [&](std::size_t place) { return exchange.block(place); }, exchange.pes());
      take(static_cast<const std::byte*>(result));
    });
    return;
  }
  exchange.enter();
  detail::wait_for_room(exchange, reason);
  fill(exchange.own_block(bytes));
  if (exchange.arrive(bytes, combine)) detail::wake_takers(assembly, direction);
  if (direction.takes(static_cast<int>(exchange.place()))) {
    detail::wait_until(exchange, reason, [](net::Exchange& e) { return e.has_result(); });
    take(exchange.result().data());
  }
  exchange.leave();
}

}  // namespace skein::vmpi
