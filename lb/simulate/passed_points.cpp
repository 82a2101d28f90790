// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/passed_points.hpp"

#include <algorithm>

namespace skein::simulate {

void PassedPoints::put(std::size_t interval, PeIndex pe, Ns busy) {
  if (interval >= ends_.size()) {
    ends_.resize(interval + 1, 0);
    busy_.resize((interval + 1) * pes_, 0);
  }
  busy_[interval * pes_ + pe] += busy;
}

void PassedPoints::pass(ObjectIndex object, PeIndex pe, std::uint64_t points, Ns busy, Ns clock) {
  if (points % every_ != 0) return;
  while (points / every_ > most) join_pairs();
  if (points % every_ != 0) return;  // no longer the end of one
  Mark& mark = marks_[object];
  const std::size_t interval = points / every_ - 1;
  put(interval, pe, busy - mark.busy);
  ends_[interval] = std::max(ends_[interval], clock);
  mark = {busy, points};
}

/// Where an object has ended the first of a pair only, what it computes up to the end of the second is added
/// to the pair when it comes there.
void PassedPoints::join_pairs() {
  every_ *= 2;
  const std::size_t pairs = (ends_.size() + 1) / 2;
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::size_t second = std::min(2 * i + 1, ends_.size() - 1);
    ends_[i] = std::max(ends_[2 * i], ends_[second]);
    for (std::size_t pe = 0; pe < pes_; ++pe)
      busy_[i * pes_ + pe] = busy_[2 * i * pes_ + pe] + (second > 2 * i ? busy_[second * pes_ + pe] : 0);
  }
  ends_.resize(pairs);
  busy_.resize(pairs * pes_);
}

/// An object that ended before others is in the interval after the last point that it passed.
void PassedPoints::close(const JobState& job, Ns end, Timeline& timeline) {
  std::size_t last = 0;
  for (const Mark& mark : marks_) last = std::max<std::size_t>(last, mark.points / every_);
  for (std::size_t object = 0; object < marks_.size(); ++object) {
    const Mark& mark = marks_[object];
    put(mark.points / every_, job.pe_of[object], job.shares[object].busy - mark.busy);
  }
  put(last, 0, 0);
  ends_.back() = end;
  for (std::size_t i = 1; i < ends_.size(); ++i) ends_[i] = std::max(ends_[i], ends_[i - 1]);
  timeline.busy = std::move(busy_);
  timeline.interval_end = std::move(ends_);
}

}  // namespace skein::simulate
