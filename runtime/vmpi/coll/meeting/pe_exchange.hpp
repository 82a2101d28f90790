// SPDX-License-Identifier: Apache-2.0
// What the PEs of an assembly do together in a blocking collective, instead of messages between their
// leaders: through memory where all of them are on one node (node_exchange.hpp), else by node
// (across_nodes.hpp).
//
// Unlike messages it needs no particular rank, so whoever comes last to the assembly can do it. But it is
// made by messages: in the first collective that uses it, which its leader has to complete (assemble()).
//
// All functions: from the member that completes a blocking collective, on its main fiber; may switch. The
// member does not move meanwhile, as in all of such a collective. Directions name a PE by the rank of its
// leader among the leaders.
#pragma once

#include <memory>
#include <optional>

#include "runtime/vmpi/coll/meeting/across_nodes.hpp"
#include "runtime/vmpi/coll/meeting/assembly.hpp"
#include "runtime/vmpi/coll/meeting/node_exchange.hpp"

namespace skein::vmpi {

/// One of the two.
struct PeExchange {
  std::optional<NodeExchange> on_node;  ///< the leaders' ranks are the places
  std::optional<AcrossNodes> across;
  int own;  ///< leader
};

/// Whether blocks of so many bytes, at least one, can hold what the PEs bring.
inline bool fits_exchange(const Assembly& assembly, std::size_t longest, RoundKind kind) {
  if (longest == 0 || longest > net::Exchange::longest_block) return false;
  return !assembly.across || assembly.across->fits(longest, kind);
}
/// How members assemble for that.
inline AmongPes way_of(const Assembly& assembly, std::size_t longest, RoundKind kind) {
  return !assembly.alone() && fits_exchange(assembly, longest, kind) ? AmongPes::exchange
                                                                     : AmongPes::messages;
}

/// The exchange of an assembly whose members assembled for `way`, or null where there is none: they are on
/// one PE, memory is not shared, or used up; they are on several nodes and have not come often enough to be
/// worth a channel, or there is none; or they assembled for messages. All members get the same answer in the
/// same collective. `tag`: of that. `claim`: what the PEs say of it to each other, for messages, too, once
/// they have an exchange.
PeExchange* exchange_of(Assembly& assembly, const Comm& comm, int tag, Claim claim = {},
                        AmongPes way = AmongPes::exchange);

/// exchange_on_node(). No block is longer than `longest`, which is the same on all PEs, and fits_exchange().
template <class Fill, class Take>
void exchange_round(PeExchange& exchange, Direction direction, std::size_t longest, std::size_t bytes,
                    WaitReason reason, const Fill& fill, const Take& take) {
  if (exchange.on_node) [[likely]]
    exchange_on_node(*exchange.on_node, direction, bytes, reason, fill, take);
  else
    exchange.across->exchange(exchange.own, direction, longest, bytes, reason, fill, take);
}

/// combine_on_node().
template <class Fill, class Combine, class Take>
void combine_blocks(PeExchange& exchange, Direction direction, std::size_t bytes, WaitReason reason,
                    const Fill& fill, const Combine& combine, const Take& take) {
  if (exchange.on_node) [[likely]]
    combine_on_node(*exchange.on_node, direction, bytes, reason, fill, combine, take);
  else
    exchange.across->combine(exchange.own, direction, bytes, reason, fill, combine, take);
}

/// The PEs of all leaders wait for each other.
void meet(PeExchange& exchange, WaitReason reason);

}  // namespace skein::vmpi
