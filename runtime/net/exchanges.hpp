// SPDX-License-Identifier: Apache-2.0
// Memory of exchanges (exchange.hpp) between PEs of this node. Each PE owns a part of the shared memory, from
// which it gives memory to the exchanges that it is asked for; the others learn the address from it.
//
// All functions are for the PE's one thread, with the process's heap in force, and never switch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/net/exchange.hpp"

namespace skein::net {

/// Makes the memory. Collective, once, with the descriptor channel open. Where PEs cannot share memory, a
/// message says so, and no PE of the job has exchanges.
void open_exchanges();
bool exchanges_are_open();
/// Gives the memory back. Precondition: no exchange is left.
void close_exchanges();

/// The address of an exchange; the same on all PEs of a node.
struct ExchangeAddress {
  static constexpr std::uint64_t none = 0;
  std::uint64_t at = none;
  std::uint64_t first_round = 0;
};
/// Returns memory for an exchange of so many PEs of this node, all of which join it, or none if this PE's
/// part is used up. The memory is free again when all of its PEs have left. Precondition:
/// exchanges_are_open().
ExchangeAddress new_exchange(std::size_t pes);

/// A PE's end of an exchange made by new_exchange().
class JoinedExchange : public Exchange {
 public:
  /// Joins the exchange. Precondition: the address is not none.
  JoinedExchange(const ExchangeAddress& address, std::size_t pes, std::size_t place);
  /// Leaves the exchange. Precondition: this PE is in no round.
  ~JoinedExchange();
  JoinedExchange(const JoinedExchange&) = delete;
  JoinedExchange& operator=(const JoinedExchange&) = delete;

 private:
  std::uint64_t at_;
};

}  // namespace skein::net
