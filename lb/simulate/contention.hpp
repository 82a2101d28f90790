// SPDX-License-Identifier: Apache-2.0
// Slows PEs of a node down that share memory, caches, perhaps cores (Platform::contention).
//
// A PE is busy from when it runs a task until it has none. While k PEs of a node are busy, each burst there
// takes contention[k - 1] times as long as with one busy PE (with more PEs than numbers, the last number): as
// soon as a PE becomes busy or idle, the bursts of all others get new ends.
#pragma once
#include <cstdint>
#include <vector>

#include "lb/simulate/pe_speed.hpp"

namespace skein::simulate {

class Contention {
 public:
  /// Precondition: Platform::contention is not empty.
  Contention(const Platform& platform, const PeSpeed& speed);

  bool is_busy(PeIndex pe) const { return pes_[pe].busy; }
  /// Makes the PE busy, or idle, which it was not. Calls moved(other, end) for each other PE whose burst gets
  /// a new end.
  template <class Moved>
  void set_busy(PeIndex pe, bool busy, Ns at, Moved moved) {
    const std::uint32_t node = platform_.node_of(pe);
    const double before = factor(node);
    pes_[pe].busy = busy;
    busy_on_node_[node] += busy ? 1 : -1;
    const double after = factor(node);
    if (before == after) return;
    const PeIndex first = node * platform_.pes_per_node;
    for (PeIndex other = first; other < first + platform_.pes_per_node && other < pes_.size(); ++other)
      if (other != pe && pes_[other].computes) moved(other, go_on(other, at, before, after));
  }

  /// Begins a burst on a busy PE; returns its end, if nothing changes until then.
  Ns begin(PeIndex pe, Ns at, std::uint64_t work_ns);
  Ns began(PeIndex pe) const { return pes_[pe].begin; }
  /// Ends the burst at its last known end. Returns the processor time that a run would measure.
  Ns end(PeIndex pe);

 private:
  struct Pe {
    Ns begin = 0;  // of the burst
    Ns from = 0;   // the time from which `left` counts
    Ns until = 0;
    double left = 0;  // work, ns
    double measured = 0;
    bool busy = false;
    bool computes = false;
  };

  double factor(std::uint32_t node) const {
    const std::size_t busy = static_cast<std::size_t>(busy_on_node_[node]);
    const std::vector<double>& factors = platform_.contention;
    return busy == 0 ? 1 : factors[busy <= factors.size() ? busy - 1 : factors.size() - 1];
  }
  Ns go_on(PeIndex pe, Ns at, double before, double after);
  Ns end_from(PeIndex pe, double slowed) const;

  const Platform& platform_;
  const PeSpeed& speed_;
  std::vector<Pe> pes_;
  std::vector<std::int32_t> busy_on_node_;
};

}  // namespace skein::simulate
