// SPDX-License-Identifier: Apache-2.0
// The intervals of a run in which nobody stops: between the sync points that objects pass, each when it comes
// there. What an object computes from one to the next is of the interval between these two, so intervals of
// PEs that are ahead of others begin and end before them; an interval is over when the last object has
// passed its end.
#pragma once
#include <cstdint>
#include <vector>

#include "lb/simulate/job_state.hpp"

namespace skein::simulate {

class PassedPoints {
 public:
  /// Every so many points end an interval; 0: each. If that are more than `most` intervals, two become one.
  PassedPoints(std::uint64_t period, std::size_t objects, std::size_t pes)
      : every_(period == 0 ? 1 : period), pes_(pes), marks_(objects) {}

  static constexpr std::size_t most = 512;

  /// The object, which has passed `points` by now and computed `busy` in all, on its PE, whose clock this is.
  void pass(ObjectIndex object, PeIndex pe, std::uint64_t points, Ns busy, Ns clock);
  /// At the end of the job: sets `busy` and `interval_end`, with the interval after the last point.
  void close(const JobState& job, Ns end, Timeline& timeline);

 private:
  struct Mark {  // of an object, where it ended an interval last
    Ns busy = 0;
    std::uint64_t points = 0;
  };
  void put(std::size_t interval, PeIndex pe, Ns busy);
  void join_pairs();

  std::uint64_t every_;
  std::size_t pes_;
  std::vector<Mark> marks_;
  std::vector<Ns> ends_;
  std::vector<Ns> busy_;  // interval by interval, PE by PE
};

}  // namespace skein::simulate
