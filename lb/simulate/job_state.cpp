// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/job_state.hpp"

#include <algorithm>
#include <string>

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
  if (points % every_ != 0) return;  // no longer the end of an interval
  Mark& mark = marks_[object];
  const std::size_t interval = points / every_ - 1;
  put(interval, pe, busy - mark.busy);
  ends_[interval] = std::max(ends_[interval], clock);
  mark = {busy, points};
}

/// If an object ended in the first interval of a pair, its computing up to the end of the second is added to
/// the pair when the object comes there.
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

/// Ends the intervals. An object that ended before others is in the interval after the last point that it
/// passed.
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

void JobState::report_endless(PeIndex pe, ObjectIndex object, std::uint64_t work, Ns clock, Ns end) const {
  const std::string where = "PE " + std::to_string(pe) + " of platform '" + platform.name + "'";
  const std::string what = trace.header().native && object < trace.header().labels.size()
                               ? trace.header().labels[object]
                               : "rank " + std::to_string(object);
  if (end == kNever)
    throw SimulationError(where + " stands for good (changes), and " + what +
                          " is there: end the change (until_ns), or take a strategy and a period that clear "
                          "the PE before");
  if (end - clock < kLongestBurstNs) fail_beyond_horizon(platform);
  throw SimulationError(where + " takes " + long_time(static_cast<double>(kLongestBurstNs)) +
                        " and more for a burst of " + what + ", in the trace " + std::to_string(work) +
                        " ns: look at speed, speeds, background and changes of the platform, and at the "
                        "trace (skein trace info)");
}

bool JobState::go_on_computing(Machine& machine, PeIndex pe, ObjectIndex object, std::uint64_t burst_ns,
                               std::uint64_t number) {
  if (!machine.burst_is_over(pe)) return false;
  record_burst(pe, object, work_of(object, burst_ns, number), number, machine.take_burst(pe));
  return true;
}

Stops::At JobState::comes_to_point(Machine& machine, PeIndex pe, ObjectIndex object, std::uint64_t n,
                                   std::uint64_t bytes) {
  shares[object].bytes = bytes;
  if (passed) passed->pass(object, pe, n, shares[object].busy, machine.clock(pe));
  return stops.comes_to(*this, machine, pe, object, n);
}

void JobState::end(Machine& machine, PeIndex pe, ObjectIndex object) {
  shares[object].ended = true;
  stops.ends(machine, pe, object);
}

void JobState::occupy(Machine& machine, PeIndex pe, ObjectIndex object, std::uint64_t ns,
                      std::uint64_t number) {
  Ns& clock = machine.clock(pe);
  if (ns >= static_cast<std::uint64_t>(kLongestBurstNs) || clock >= kHorizonNs) [[unlikely]]
    fail_as_too_long(static_cast<double>(ns),
                     "what is recorded of a call of object " + std::to_string(object));
  shares[object].busy += static_cast<Ns>(ns);
  shares[object].work_ns += ns;
  if (policy.keep_bursts) bursts.push_back({object, pe, clock, clock + static_cast<Ns>(ns), number});
  clock += static_cast<Ns>(ns);
}

}  // namespace skein::simulate
