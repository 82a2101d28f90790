// SPDX-License-Identifier: Apache-2.0
// Who waited for whom in a recorded run: its messages, and the critical path through it.
#pragma once
#include <vector>

#include "skein/lb/report.hpp"

namespace skein::report {

class TracePath {
 public:
  /// Where there are too many events nothing is kept of them; finish() tells.
  explicit TracePath(const trace::Trace& trace);

  /// An event of an object, the number-th of its stream, whose burst began at `begin_ns` on a PE. All in
  /// turn.
  void add(ObjectIndex object, PeIndex pe, std::uint64_t number, const trace::Event& event,
           std::uint64_t begin_ns);
  /// `step_points`: after how many sync points each LB step was. Throws TraceError for damaged traces.
  void finish(Run& run, const std::vector<std::uint64_t>& step_points);

 private:
  const trace::Trace& trace_;
  std::uint64_t events_ = 0;
  bool broken_ = false;  // times that no run has
  simulate::Timeline timeline_;
};

}  // namespace skein::report
