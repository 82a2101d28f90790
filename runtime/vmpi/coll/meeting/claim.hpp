// SPDX-License-Identifier: Apache-2.0
// What the members of a communicator have to say alike of a collective. On a PE it is compared
// where they assemble (assembly.hpp); the PEs of a node say it in a word with each round of an exchange
// (net/exchange.hpp), and nodes with what they give each other (across_nodes.hpp). Messages have two bytes
// for it (p2p/match.hpp) and their lengths; of neighbourhoods lengths alone are compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/vmpi/op/op.hpp"
#include "skein/lb/trace.hpp"

namespace skein::vmpi {

struct Comm;

/// Trivially copyable.
struct Claim {
  int root = -1;                  ///< of the communicator, where there is one
  std::size_t bytes = 0;          ///< that each brings, where all bring as many
  ReductionNumber reduction = 0;  ///< what combines them
  bool in_place = false;          ///< where all have to be, or none
  const char* purpose = nullptr;  ///< of the call: see assemble()
  bool only_bound = false;        ///< of bytes it is known alone whether they are halving_bytes, or fewer: 0
};

/// Two words differ where the claims do, but for roots and bytes beyond what finds room.
std::uint64_t word_of(const Claim& claim);
Claim claim_in(std::uint64_t word);

/// A claim in the two bytes of an envelope: never 0, which says nothing. Of a reduction without its root: who
/// waits for whom shows that; bytes have their bound, for messages of other algorithms may be as long.
std::uint16_t short_word_of(trace::Collective call, const Claim& claim);
Claim claim_in_short(std::uint16_t word);
/// "MPI_Bcast with root 3".
std::string text_of_short(std::uint16_t word);

/// Ends the job: what ranks `one` and `other` of `comm` claim differs. `comm`: as a rank on this PE has it.
[[noreturn, gnu::cold]] void report_unlike(const Comm& comm, int one, const Claim& claim, int other,
                                           const Claim& otherwise);
/// Ends the job: `what` says in words what one rank claims, `otherwise` what the other does.
[[noreturn, gnu::cold]] void report_unlike(const Comm& comm, int one, const std::string& what, int other,
                                           const std::string& otherwise);
/// A member on that PE.
int somebody_on(const Comm& comm, int pe);

}  // namespace skein::vmpi
