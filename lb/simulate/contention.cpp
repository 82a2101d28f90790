// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/contention.hpp"

#include <algorithm>

namespace skein::simulate {

Contention::Contention(const Platform& platform, const PeSpeed& speed)
    : platform_(platform),
      speed_(speed),
      pes_(platform.pe_count()),
      busy_on_node_(platform.node_of(platform.pe_count() - 1) + 1, 0) {}

Ns Contention::end_from(PeIndex pe, double slowed) const {
  const Pe& self = pes_[pe];
  const double work = std::min(self.left * slowed, static_cast<double>(kLongestBurstNs));
  return speed_.run(pe, self.from, static_cast<std::uint64_t>(work + 0.5)).end;
}

Ns Contention::begin(PeIndex pe, Ns at, std::uint64_t work_ns) {
  Pe& self = pes_[pe];
  self.computes = true;
  self.begin = self.from = at;
  self.left = static_cast<double>(work_ns);
  self.measured = 0;
  return self.until = end_from(pe, factor(platform_.node_of(pe)));
}

/// PEs run ahead of each other by the time of a message, so a change may be reported after a later one.
Ns Contention::go_on(PeIndex pe, Ns at, double before, double after) {
  Pe& self = pes_[pe];
  if (at > self.from) {
    const PeSpeed::Done done = speed_.done(pe, self.from, std::min(at, self.until));
    self.left = std::max(0.0, self.left - done.work / before);
    self.measured += done.processor;
    self.from = std::min(at, self.until);
  }
  return self.until = end_from(pe, after);
}

Ns Contention::end(PeIndex pe) {
  Pe& self = pes_[pe];
  self.computes = false;
  return PeSpeed::to_ns(self.measured + speed_.done(pe, self.from, self.until).processor);
}

}  // namespace skein::simulate
