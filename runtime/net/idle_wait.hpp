// SPDX-License-Identifier: Apache-2.0
// How a PE that has nothing to do waits until its next look for messages.
#pragma once

#include <cstdint>

namespace skein::net {

/// Sleeps for `ns` nanoseconds, or until what is waited for may have come.
using Sleep = void (*)(std::int64_t ns);
/// Sleeps for `ns` nanoseconds, whatever comes meanwhile.
void sleep_through(std::int64_t ns);

/// Spins while nobody else wants the core, else sleeps, longer each time: at most 200 us where up to 16 PEs
/// share a core, and proportionally longer where more do, since their waking alone would fill the core.
///
/// A PE that sleeps between two looks answers late. Nor does its sleep always help the others on a node with
/// a core for each: on a virtual machine a process ran 2 to 4 % slower beside a core that halts again and
/// again than beside one that spins, as the MPI underneath does. But a core that another process waits for is
/// given up at once: a yield that takes long tells that there is one, whichever process it is and whatever
/// part of the machine the PEs were given.
class IdleWait {
 public:
  /// Sets the number of PEs of this job for each core, rounded up. If it is above 1, others mostly wait for
  /// the core, and the wait does not spin.
  void set_pes_per_core(int pes);
  /// Notes that something happened: the next wait is again a first one.
  void restart() {
    rounds_ = 0;
    sleeps_ = 0;
  }
  /// Waits a while. Call it repeatedly, with a look for messages in between.
  void wait(Sleep sleep = sleep_through);

 private:
  void lie_down(Sleep sleep);

  std::int64_t rounds_ = 0;       ///< waits since something happened
  std::int64_t sleeps_ = 0;       ///< those of rounds_ that slept: once one has, all later ones do
  std::uint64_t spin_start_ = 0;  ///< ticks() when the first yield was due
  std::int64_t sleep_unit_ns_ = 1000;
  bool cores_are_short_ = false;
};

}  // namespace skein::net
