// SPDX-License-Identifier: Apache-2.0
// How a PE waits that has nothing to do, until its next look for messages.
#pragma once

#include <cstdint>

namespace skein::net {

/// Sleeps so long, or until what is waited for may have come, ns.
using Sleep = void (*)(std::int64_t ns);
/// Whatever comes meanwhile.
void sleep_through(std::int64_t ns);

/// Spins while nobody else wants the core, else sleeps, longer each time: at most 200 us, where up to 16 PEs
/// share a core; of more, proportionally longer, since all that wake would fill the core.
///
/// A PE that sleeps between two looks answers late, and need be no gift to the others on a node with a core
/// for each: a process was measured 2 to 4 % slower beside a core that halts again and again than beside one
/// that spins, as the MPI underneath does (a virtual machine; elsewhere it may be nothing). But a core that
/// another process waits for is left to it at once; that is noticed by a yield that takes long, whoever the
/// other is and whatever part of the machine the PEs were given.
class IdleWait {
 public:
  /// How many PEs of this job there are for each core, rounded up. Of several, others wait for the core as a
  /// rule, and it is not spun on.
  void set_pes_per_core(int pes);
  /// Something happened: the next wait is a first one.
  void restart() {
    rounds_ = 0;
    sleeps_ = 0;
  }
  /// Waits a while. To be called again and again, with a look for messages in between.
  void wait(Sleep sleep = sleep_through);

 private:
  void lie_down(Sleep sleep);

  std::int64_t rounds_ = 0;       ///< since something happened
  std::int64_t sleeps_ = 0;       ///< among these: after the first, all are
  std::uint64_t spin_start_ = 0;  ///< ticks() when the first yield was due
  std::int64_t sleep_unit_ns_ = 1000;
  bool cores_are_short_ = false;
};

}  // namespace skein::net
