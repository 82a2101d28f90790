// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/interval.hpp"

#include <numeric>

namespace skein::lb {

IntervalShare::IntervalShare(int pe, int pes, std::span<const double> speed)
    : pe_(pe), pes_(pes), speed_(speed), numbers_(static_cast<std::size_t>(parts * pes + singles), 0) {}

double& IntervalShare::at(Part part, int pe) { return numbers_[static_cast<std::size_t>(part * pes_ + pe)]; }
double& IntervalShare::at(Single single) { return numbers_[static_cast<std::size_t>(parts * pes_ + single)]; }

double IntervalShare::moved(double busy_s, int pe, int to) const {
  if (speed_.empty()) return busy_s;
  return busy_s * speed_[static_cast<std::size_t>(pe)] / speed_[static_cast<std::size_t>(to)];
}

void IntervalShare::add_object_on(int pe, double busy_s, int placed_on, int was_on) {
  at(took, pe) += busy_s;
  at(unbalanced, placed_on) += moved(busy_s, pe, placed_on);
  at(unmoved, was_on) += moved(busy_s, pe, was_on);
}

void IntervalShare::add_load(double its_load, LoadIs what) {
  at(load) += its_load;
  if (what != LoadIs::time) ++at(not_time);
  if (what != LoadIs::declared && its_load > 0) ++at(growing);
}

void IntervalShare::set_waiting_on(int pe, double waited_s) { at(waited, pe) = waited_s; }

void IntervalShare::set_time(double so_far_s, double length_s) {
  at(so_far) = so_far_s;
  at(length) = length_s;
}

Interval::Interval(std::uint64_t its_index, std::uint64_t its_points, const std::vector<double>& sums)
    : index(its_index), points(its_points) {
  using Share = IntervalShare;
  const std::size_t pes = (sums.size() - Share::singles) / Share::parts;
  const auto part = [&](Share::Part which) {
    const auto first = sums.begin() + static_cast<std::ptrdiff_t>(which * pes);
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(pes));
  };
  const double* const single = &sums[Share::parts * pes];
  took_s = part(Share::took);
  unbalanced_s = part(Share::unbalanced);
  unmoved_s = part(Share::unmoved);
  waited_s = part(Share::waited);
  so_far_s = single[Share::so_far];
  length_s = single[Share::length];
  loads_grow = single[Share::growing] > 0;
  if (single[Share::not_time] == 0)
    seconds_per_load = 1;
  else if (single[Share::load] > 0)
    seconds_per_load = std::accumulate(took_s.begin(), took_s.end(), 0.0) / single[Share::load];
  else
    seconds_per_load = 0;
}

}  // namespace skein::lb
