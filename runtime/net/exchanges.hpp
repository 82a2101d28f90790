// SPDX-License-Identifier: Apache-2.0
// Memory of exchanges (exchange.hpp) between PEs of this node. Each PE has a part of what they share, from
// which it gives memory to the exchanges that it is asked for; the others learn from it where that is.
//
// All functions are for the PE's one thread, with the process's heap in force, and never switch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/net/exchange.hpp"

namespace skein::net {

/// Makes the memory. Collective, once, with the descriptor channel open. Where PEs cannot share it, which is
/// told, there is none on any PE of the job.
void open_exchanges();
bool exchanges_are_open();
/// Gives the memory back. No exchange is left.
void close_exchanges();

/// Where an exchange is; the same on all PEs of a node.
struct ExchangeAddress {
  static constexpr std::uint64_t none = 0;
  std::uint64_t at = none;
  std::uint64_t first_round = 0;
};
/// Memory for one of so many PEs of this node, who all join it; none when this PE's part is used up. Memory
/// of an exchange is free again when all of its PEs have left it. Precondition: exchanges_are_open().
ExchangeAddress new_exchange(std::size_t pes);

/// A PE's end of such an exchange.
class JoinedExchange : public Exchange {
 public:
  /// Precondition: the address is not none.
  JoinedExchange(const ExchangeAddress& address, std::size_t pes, std::size_t place);
  /// Leaves it: outside of a round.
  ~JoinedExchange();
  JoinedExchange(const JoinedExchange&) = delete;
  JoinedExchange& operator=(const JoinedExchange&) = delete;

 private:
  std::uint64_t at_;
};

}  // namespace skein::net
