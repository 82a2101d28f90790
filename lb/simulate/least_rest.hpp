// SPDX-License-Identifier: Apache-2.0
// A lower bound of the rest of a simulated job, from a sync point where all of its objects stand.
#pragma once
#include "lb/simulate/pe_speed.hpp"
#include "skein/lb/simulate.hpp"

namespace skein::simulate {

class LeastRest {
 public:
  LeastRest(const Platform& platform, std::size_t computing_pes, const Remaining& remaining);
  /// Returns the least time that is left behind sync point `point`.
  Ns after(std::uint64_t point) const;

 private:
  const Remaining& remaining_;
  double fastest_ = 0, all_ = 0;  // ns of work in a ns, at best: of the fastest PE, of all PEs
};

}  // namespace skein::simulate
