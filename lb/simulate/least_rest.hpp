// SPDX-License-Identifier: Apache-2.0
// What a simulated job takes at least, from a sync point at which all of its objects stand.
#pragma once
#include "lb/simulate/pe_speed.hpp"
#include "skein/lb/simulate.hpp"

namespace skein::simulate {

class LeastRest {
 public:
  LeastRest(const Platform& platform, std::size_t computing_pes, const Remaining& remaining);
  /// Behind that sync point.
  Ns after(std::uint64_t point) const;

 private:
  const Remaining& remaining_;
  double fastest_ = 0, all_ = 0;  // ns of work in a ns, at best
};

}  // namespace skein::simulate
