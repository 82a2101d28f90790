// SPDX-License-Identifier: Apache-2.0
// What the witness says to the other PEs: witness.hpp, standing.hpp.
#pragma once

#include <cstdint>

namespace skein::balance {

struct FromWitness {
  enum class Kind : std::uint32_t {
    call,   ///< to reserved PEs, which answer that they are here
    drop,   ///< what was decided before
    meet,   ///< to those that compute: all make the step,
    go_on,  ///< or go on without one. To reserved ones, too, which are to know how many were left out
    end,    ///< or end
    found   ///< the reserved PEs answer again
  } kind;
  std::uint32_t unused = 0;
  std::uint64_t number = 0;  ///< of the call, or the round
};

}  // namespace skein::balance
