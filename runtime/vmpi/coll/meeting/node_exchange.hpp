// SPDX-License-Identifier: Apache-2.0
// Rounds between PEs of a node in a blocking collective, through memory that they share (net/exchange.hpp).
//
// All functions are called by the member that completes the collective on its PE, on its main fiber; may
// switch. The member does not move meanwhile, as in the whole collective.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "runtime/net/exchanges.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/coll/meeting/claim.hpp"
#include "runtime/vmpi/coll/meeting/wait_until.hpp"

namespace skein::vmpi {

/// The exchange as seen by a PE that has a place in it.
class NodeExchange : public net::JoinedExchange {
 public:
  /// `pes`: by place.
  NodeExchange(const net::ExchangeAddress& address, std::vector<int> pes, std::size_t place)
      : JoinedExchange(address, pes.size(), place), pes_(std::move(pes)) {}
  int pe_at(std::size_t place) const { return pes_[place]; }
  /// Begins the rounds of a collective of `comm`. `word`: the claim of this PE (claim.hpp).
  void begin(const Comm& comm, std::uint64_t word) {
    comm_ = &comm;
    say(word);
  }
  /// Ends the job if another PE has made another claim.
  void check() const {
    if (unlike()) [[unlikely]]
      report_unlike(*comm_, somebody_on(*comm_, pes_[place()]), claim_in(unlike()->here),
                    somebody_on(*comm_, pes_[unlike()->place]), claim_in(unlike()->there));
  }
  std::span<const std::byte> block(std::size_t place) {
    const std::span<const std::byte> block = JoinedExchange::block(place);
    check();
    return block;
  }

 private:
  std::vector<int> pes_;
  const Comm* comm_ = nullptr;  // while its members are in the collective
};

/// The direction of blocks: from one PE to all others, from all to one, or from all to all. PEs are named by
/// their places in the exchange.
struct Direction {
  enum class Kind : std::uint8_t { from_one, to_one, among_all };
  Kind kind = Kind::among_all;
  int one = -1;

  static Direction from(int place) { return {Kind::from_one, place}; }
  static Direction to(int place) { return {Kind::to_one, place}; }
  static Direction among_all() { return {}; }

  Direction reversed() const {
    return kind == Kind::from_one ? to(one) : kind == Kind::to_one ? from(one) : among_all();
  }
  bool gives(int place) const { return kind != Kind::from_one || place == one; }
  bool takes(int place) const { return kind == Kind::among_all || (kind == Kind::to_one) == (place == one); }
};

/// Makes a round, in which PEs give blocks and others take them. All PEs of the exchange call it. A PE that
/// only gives waits for nobody, except for room. `fill(block)` writes the block of a PE that gives: `bytes`
/// bytes, at most Exchange::longest_block, which may differ between PEs. On a PE that takes, `take(block_of)`
/// reads: `block_of(place)` returns the block of that place once it has come, and may switch.
template <class Fill, class Take>
void exchange_on_node(NodeExchange& exchange, Direction direction, std::size_t bytes, WaitReason reason,
                      const Fill& fill, const Take& take);

/// Combines the blocks of all PEs for the PEs that take; `direction` is not from_one. Each block has `bytes`
/// bytes, at most Exchange::longest_block. `fill(block)` writes this PE's block; for `combine(to, blocks,
/// count)` see Exchange::arrive(); `take(result)` reads the result, which has the same bits on all PEs.
template <class Fill, class Combine, class Take>
void combine_on_node(NodeExchange& exchange, Direction direction, std::size_t bytes, WaitReason reason,
                     const Fill& fill, const Combine& combine, const Take& take);

/// Makes the PEs that take wait for the PEs that give.
void wait_for_givers(NodeExchange& exchange, Direction direction, WaitReason reason);

// ---- the rest is implementation

namespace detail {

/// Returns true if each PE reads the blocks of all others (net/exchange.hpp).
inline bool each_reads_all(const net::Exchange& exchange) {
  return exchange.pes() <= net::Exchange::fan_in && !net::world.shares_cores();
}

/// Wakes the PEs that take, where they sleep.
void wake_takers(const NodeExchange& exchange, Direction direction);

inline void wait_for_room(NodeExchange& exchange, WaitReason reason) {
  if (exchange.has_room()) return;
  wait_until(reason, [&] { return exchange.has_room(); });
  exchange.check();
}

}  // namespace detail

template <class Fill, class Take>
void exchange_on_node(NodeExchange& exchange, Direction direction, std::size_t bytes, WaitReason reason,
                      const Fill& fill, const Take& take) {
  const int own = static_cast<int>(exchange.place());
  // Blocks of many are awaited together: a PE that sleeps is woken once.
  const bool counted = direction.kind != Direction::Kind::from_one && !detail::each_reads_all(exchange);
  exchange.enter();
  if (direction.gives(own)) {
    detail::wait_for_room(exchange, reason);
    fill(exchange.own_block(bytes));
    const bool complete = counted ? exchange.arrive(0, [](auto&&...) {}) : (exchange.post(), true);
    if (complete) detail::wake_takers(exchange, direction);
  }
  if (direction.takes(own)) {
    if (counted) wait_until(reason, [&] { return exchange.has_result(); });
    take([&](int one) {
      const auto place = static_cast<std::size_t>(one);
      if (!counted) wait_until(reason, [&] { return exchange.has_come(place); });
      return exchange.block(place);
    });
  }
  exchange.leave();
  exchange.check();
}

template <class Fill, class Combine, class Take>
void combine_on_node(NodeExchange& exchange, Direction direction, std::size_t bytes, WaitReason reason,
                     const Fill& fill, const Combine& combine, const Take& take) {
  if (detail::each_reads_all(exchange)) {
    exchange_on_node(exchange, direction, bytes, reason, fill, [&](const auto&) {
      wait_until(reason, [&] { return exchange.have_all_come(); });
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
  const auto combine_alike = [&](std::byte* to, const auto& blocks, std::size_t count) {
    exchange.check();
    combine(to, blocks, count);
  };
  if (exchange.arrive(bytes, combine_alike)) detail::wake_takers(exchange, direction);
  if (direction.takes(static_cast<int>(exchange.place()))) {
    wait_until(reason, [&] { return exchange.has_result(); });
    take(exchange.result().data());
  }
  exchange.leave();
  exchange.check();
}

}  // namespace skein::vmpi
