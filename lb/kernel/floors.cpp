// SPDX-License-Identifier: Apache-2.0
#include "lb/kernel/floors.hpp"

#include <algorithm>

#include "lb/kernel/finish_queue.hpp"

namespace skein::lb {
namespace {

/// Finish times are sums in another order than floors.
constexpr double kEqual = 1 + 1e-9;
/// The speed of the fastest PE, in parts of a PE's own, up to which an object gains too little by going
/// there.
constexpr double kAsFast = 1.05;

}  // namespace

Floors::Floors(const Snapshot& snapshot, double limit)
    : snapshot_(snapshot), floor_(pinned_finish(snapshot)), kept_(snapshot.pe_count(), kNone) {
  const Objects& objects = snapshot.objects;
  const double fastest = std::ranges::max(snapshot.pes.speed), heaviest = limit * fastest;
  for (ObjectIndex i = 0; i < objects.size(); ++i) {
    if (!objects.migratable[i] || objects.load[i] <= heaviest) continue;
    if (snapshot.pes.speed[objects.pe[i]] * kAsFast < fastest) continue;
    ObjectIndex& kept = kept_[objects.pe[i]];
    if (kept == kNone || objects.load[i] > objects.load[kept]) kept = i;
  }
  for (PeIndex pe = 0; pe < floor_.size(); ++pe)
    if (kept_[pe] != kNone) floor_[pe] += objects.load[kept_[pe]] / snapshot.pes.speed[pe];
}

double Floors::largest_above(std::span<const double> finish) const {
  double largest = 0;
  for (std::size_t pe = 0; pe < finish.size(); ++pe)
    if (finish[pe] > floor_[pe] * kEqual) largest = std::max(largest, finish[pe]);
  return largest;
}

}  // namespace skein::lb
