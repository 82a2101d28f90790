// SPDX-License-Identifier: Apache-2.0
// Rounds between the PEs of an assembly in a blocking collective, instead of messages between their leaders:
// through memory if all PEs are on one node (node_exchange.hpp), else by node (across_nodes.hpp).
//
// Unlike messages, a round needs no particular rank, so the last member to arrive at the assembly can make
// it. The exchange itself is made by messages, in the first collective that uses it, which the leader has to
// complete (assemble()).
//
// All functions are called by the member that completes a blocking collective, on its main fiber; may switch.
// The member does not move meanwhile, as in the whole collective. Directions name a PE by the rank of its
// leader among the leaders.
#pragma once

#include <memory>
#include <optional>

#include "runtime/vmpi/coll/meeting/across_nodes.hpp"
#include "runtime/vmpi/coll/meeting/assembly.hpp"
#include "runtime/vmpi/coll/meeting/node_exchange.hpp"

namespace skein::vmpi {

/// An exchange on one node or across nodes: one of the two members is set.
struct PeExchange {
  std::optional<NodeExchange> on_node;  ///< the places are the ranks of the leaders
  std::optional<AcrossNodes> across;
  int own;  ///< this PE's leader
};

/// Returns true if blocks of `longest` bytes, at least one, can hold what the PEs bring.
inline bool fits_exchange(const Assembly& assembly, std::size_t longest, RoundKind kind) {
  if (longest == 0 || longest > net::Exchange::longest_block) return false;
  return !assembly.across || assembly.across->fits(longest, kind);
}
/// Returns how members assemble for blocks of `longest` bytes.
inline AmongPes way_of(const Assembly& assembly, std::size_t longest, RoundKind kind) {
  return !assembly.alone() && fits_exchange(assembly, longest, kind) ? AmongPes::exchange
                                                                     : AmongPes::messages;
}

/// Returns the exchange of an assembly whose members assembled for `way`. Null if there is none: all members
/// are on one PE; memory is not shared, or used up; the PEs are on several nodes and have not called often
/// enough to be worth a channel, or no channel is free; or they assembled for messages. All members get the
/// same answer in the same collective. `tag`: of the collective. `claim`: what the PEs tell each other of it;
/// once they have an exchange, they do so for messages, too.
PeExchange* exchange_of(Assembly& assembly, const Comm& comm, int tag, Claim claim = {},
                        AmongPes way = AmongPes::exchange);

/// Makes a round, by exchange_on_node() or AcrossNodes::exchange(). No block is longer than `longest`, which
/// is the same on all PEs and fits_exchange().
template <class Fill, class Take>
void exchange_round(PeExchange& exchange, Direction direction, std::size_t longest, std::size_t bytes,
                    WaitReason reason, const Fill& fill, const Take& take) {
  if (exchange.on_node) [[likely]]
    exchange_on_node(*exchange.on_node, direction, bytes, reason, fill, take);
  else
    exchange.across->exchange(exchange.own, direction, longest, bytes, reason, fill, take);
}

/// Combines the PEs' blocks, by combine_on_node() or AcrossNodes::combine().
template <class Fill, class Combine, class Take>
void combine_blocks(PeExchange& exchange, Direction direction, std::size_t bytes, WaitReason reason,
                    const Fill& fill, const Combine& combine, const Take& take) {
  if (exchange.on_node) [[likely]]
    combine_on_node(*exchange.on_node, direction, bytes, reason, fill, combine, take);
  else
    exchange.across->combine(exchange.own, direction, bytes, reason, fill, combine, take);
}

/// Returns when the PEs of all leaders have called it.
void meet(PeExchange& exchange, WaitReason reason);

}  // namespace skein::vmpi
