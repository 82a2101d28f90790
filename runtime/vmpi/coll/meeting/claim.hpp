// SPDX-License-Identifier: Apache-2.0
// What the members of a communicator have to say alike of a collective. On a PE it is compared
// where they assemble (assembly.hpp); the PEs of a node say it in a word with each round of an exchange
// (net/exchange.hpp). Between nodes, and where the members send messages, lengths alone are compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/vmpi/op/op.hpp"

namespace skein::vmpi {

struct Comm;

/// Trivially copyable.
struct Claim {
  int root = -1;                  ///< of the communicator, where there is one
  std::size_t bytes = 0;          ///< that each brings, where all bring as many
  Kernel kernel = nullptr;        ///< what combines them: the operation and the elements
  bool in_place = false;          ///< where all have to be, or none
  const char* purpose = nullptr;  ///< of the call: see assemble()
};

/// Two words differ where the claims do, but for roots and bytes beyond what finds room.
std::uint64_t word_of(const Claim& claim);
/// All but the kernel.
Claim claim_in(std::uint64_t word);

/// Ends the job: what ranks `one` and `other` of `comm` claim differs; where nothing else does, by the
/// kernel. `comm`: as a rank on this PE has it.
[[noreturn, gnu::cold]] void report_unlike(const Comm& comm, int one, const Claim& claim, int other,
                                           const Claim& otherwise);
/// Ends the job: `what` says in words what one rank claims, `otherwise` what the other does.
[[noreturn, gnu::cold]] void report_unlike(const Comm& comm, int one, const std::string& what, int other,
                                           const std::string& otherwise);
/// A member on that PE.
int somebody_on(const Comm& comm, int pe);

}  // namespace skein::vmpi
