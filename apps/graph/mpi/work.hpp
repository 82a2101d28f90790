// SPDX-License-Identifier: Apache-2.0
// do_work() of Pearce et al.'s benchmark: accesses to an array in pseudo-random order, tuned to the machine.
#pragma once

#include <cstdint>
#include <vector>

namespace graph {

class Work {
 public:
  /// `waits`: waits instead of computing. Else measures how many accesses this process makes in a second.
  explicit Work(bool waits);

  double accesses_per_second() const { return per_second_; }
  /// Sets a common value for all processes, usually that of the slowest.
  void set_accesses_per_second(double value) { per_second_ = value; }

  void do_work(double seconds);
  /// Ends the elements of a step: waits for all of them at once, as the system waits no shorter than some 50
  /// us. Returns the processor time used; or the time to wait, whatever the system added.
  double finish_step();

 private:
  void access(std::uint64_t count);

  bool waits_;
  std::vector<std::uint64_t> array_;
  std::uint64_t place_ = 1;
  double per_second_ = 1;
  double owed_s_ = 0;  // waits
  double began_s_ = 0;
};

}  // namespace graph
