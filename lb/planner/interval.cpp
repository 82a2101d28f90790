// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/interval.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

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
  if (what != LoadIs::declared) at(growing) += its_load;
}

void IntervalShare::set_waiting_on(int pe, double waited_s) { at(waited, pe) = waited_s; }

void IntervalShare::set_time(double so_far_s, double length_s) {
  at(so_far) = so_far_s;
  at(length) = length_s;
}

std::vector<IntervalShare::Elsewhere> IntervalShare::take_elsewhere() {
  std::vector<Elsewhere> all;
  for (int pe = 0; pe < pes_; ++pe) {
    if (pe == pe_ || (at(unbalanced, pe) == 0 && at(unmoved, pe) == 0)) continue;
    all.push_back({pe, std::exchange(at(unbalanced, pe), 0), std::exchange(at(unmoved, pe), 0)});
  }
  return all;
}

void IntervalShare::add_elsewhere(const Elsewhere& part) {
  at(unbalanced, part.pe) += part.unbalanced_s;
  at(unmoved, part.pe) += part.unmoved_s;
}

IntervalExtremes IntervalShare::extremes() const {
  return {.took_s = at(took, pe_),
          .unbalanced_s = at(unbalanced, pe_),
          .unmoved_s = at(unmoved, pe_),
          .waited_s = at(waited, pe_),
          .sum_took_s = at(took, pe_),
          .load = at(load),
          .not_time = at(not_time),
          .growing = at(growing),
          .so_far_s = at(so_far),
          .length_s = at(length)};
}

void IntervalExtremes::add(const IntervalExtremes& next) {
  for (double IntervalExtremes::*const largest : {&IntervalExtremes::took_s, &IntervalExtremes::unbalanced_s,
                                                  &IntervalExtremes::unmoved_s, &IntervalExtremes::waited_s})
    this->*largest = std::max(this->*largest, next.*largest);
  for (double IntervalExtremes::*const sum :
       {&IntervalExtremes::sum_took_s, &IntervalExtremes::load, &IntervalExtremes::not_time,
        &IntervalExtremes::growing, &IntervalExtremes::so_far_s, &IntervalExtremes::length_s})
    this->*sum += next.*sum;
}

namespace {

double seconds_of_a_unit(double not_time, double load, double took_s) {
  if (not_time == 0) return 1;
  return load > 0 ? took_s / load : 0;
}

}  // namespace

Interval::Interval(std::uint64_t its_index, std::uint64_t its_points, const IntervalExtremes& all)
    : index(its_index),
      points(its_points),
      so_far_s(all.so_far_s),
      length_s(all.length_s),
      waited_s{all.waited_s},
      took_s{all.took_s},
      unbalanced_s{all.unbalanced_s},
      unmoved_s{all.unmoved_s},
      seconds_per_load(seconds_of_a_unit(all.not_time, all.load, all.sum_took_s)),
      loads_grow(2 * all.growing > all.load) {}

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
  loads_grow = 2 * single[Share::growing] > single[Share::load];
  seconds_per_load = seconds_of_a_unit(single[Share::not_time], single[Share::load],
                                       std::accumulate(took_s.begin(), took_s.end(), 0.0));
}

void Gain::add(std::span<const double> took_s, std::span<const double> unbalanced_s) {
  with_s_ += std::ranges::max(took_s);
  without_s_ += std::ranges::max(unbalanced_s);
}

}  // namespace skein::lb
