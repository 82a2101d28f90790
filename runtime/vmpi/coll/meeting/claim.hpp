// SPDX-License-Identifier: Apache-2.0
// Claims: what all members of a communicator must say alike of a collective. On a PE they are compared where
// members assemble (assembly.hpp). The PEs of a node send them as a word with each round of an exchange
// (net/exchange.hpp), and nodes with their blocks (across_nodes.hpp). Messages of ranks have two bytes for
// them (p2p/match.hpp) beside their lengths; in neighbourhoods lengths alone are compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/vmpi/op/op.hpp"
#include "skein/lb/trace.hpp"

namespace skein::vmpi {

struct Comm;

/// A member's claim about its collective call. Trivially copyable.
struct Claim {
  int root = -1;                  ///< rank in the communicator; -1: the call has none
  std::size_t bytes = 0;          ///< of each member, if all bring equally many
  ReductionNumber reduction = 0;  ///< of the operation and the type
  bool in_place = false;          ///< if all members have to be in place, or none
  const char* purpose = nullptr;  ///< of the call: see assemble()
  /// Whether `bytes` is only a bound: kHalvingBytes if there are at least as many, else 0.
  bool only_bound = false;
};

/// Encodes a claim as a word. Words differ if the claims do, except in roots and bytes that are too large for
/// it.
std::uint64_t word_of(const Claim& claim);
Claim claim_in(std::uint64_t word);

/// Encodes a claim in the two bytes of an envelope; never 0, which means none. A reduction is encoded without
/// its root, which shows in who waits for whom. Of the bytes only the bound is encoded, as messages of other
/// algorithms may be as long.
std::uint16_t short_word_of(trace::Collective call, const Claim& claim);
Claim claim_in_short(std::uint16_t word);
/// Returns the claim as text, for example "MPI_Bcast with root 3".
std::string text_of_short(std::uint16_t word);

/// Ends the job, as ranks `one` and `other` of `comm` make different claims. `comm`: the object of a rank on
/// this PE.
[[noreturn, gnu::cold]] void report_unlike(const Comm& comm, int one, const Claim& claim, int other,
                                           const Claim& otherwise);
/// Ends the job. `what` is the claim of rank `one` in words, `otherwise` that of rank `other`.
[[noreturn, gnu::cold]] void report_unlike(const Comm& comm, int one, const std::string& what, int other,
                                           const std::string& otherwise);
/// Returns a member of `comm` on PE `pe`.
int somebody_on(const Comm& comm, int pe);

}  // namespace skein::vmpi
