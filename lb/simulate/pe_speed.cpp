// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/pe_speed.hpp"

#include <algorithm>
#include <limits>

#include "lb/simulate/network.hpp"

namespace skein::simulate {
namespace {

/// Returns the mixed state of S. Vigna's splitmix64 that follows `state`.
std::uint64_t mixed(std::uint64_t state) {
  state += 0x9e3779b97f4a7c15;
  state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9;
  state = (state ^ state >> 27) * 0x94d049bb133111eb;
  return state ^ state >> 31;
}

/// Returns a roughly normal number, mean 0, deviation 1, within 3.47: the sum of four uniform ones. It uses
/// no library functions, because their last digit differs between machines.
double normal(std::uint64_t bits) {
  double sum = 0;
  for (int i = 0; i < 4; ++i, bits >>= 16) sum += static_cast<double>(bits & 0xffff) + 0.5;
  constexpr double root_of_3 = 1.7320508075688772;
  return (sum / 65536 - 2) * root_of_3;
}

}  // namespace

PeSpeed::PeSpeed(const Platform& platform)
    : alike_(platform.speeds.empty() && platform.background.empty() && platform.changes.empty()) {
  const std::uint32_t pes = alike_ ? 1 : platform.pe_count();
  rates_.reserve(pes);
  for (PeIndex pe = 0; pe < pes; ++pe) {
    const double speed = platform.speed * (platform.speeds.empty() ? 1 : platform.speeds[pe]);
    const double own = 1 - (platform.background.empty() ? 0 : platform.background[pe]);
    rates_.push_back({.wall = 1 / (speed * own), .processor = 1 / speed});
  }
  std::vector<std::vector<SpeedChange>> of_pe(platform.changes.empty() ? 0 : pes);
  for (const SpeedChange& change : platform.changes)
    if (change.pe < pes) of_pe[change.pe].push_back(change);
  for (PeIndex pe = 0; pe < of_pe.size(); ++pe) {
    if (of_pe[pe].empty()) continue;
    std::vector<Ns> edges{std::numeric_limits<Ns>::min()};
    for (const SpeedChange& change : of_pe[pe]) {
      edges.push_back(change.from_ns);
      if (change.until_ns != 0) edges.push_back(change.until_ns);
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    rates_[pe].first_step = static_cast<std::uint32_t>(steps_.size());
    rates_[pe].steps = static_cast<std::uint32_t>(edges.size());
    for (const Ns from : edges) {
      double factor = 1;
      for (const SpeedChange& change : of_pe[pe])
        if (from >= change.from_ns && (change.until_ns == 0 || from < change.until_ns))
          factor *= change.factor;
      steps_.push_back({from, factor});
    }
  }
}

PeSpeed::Span PeSpeed::run_with_changes(const Rate& rate, Ns begin, std::uint64_t work_ns) const {
  const Step* const first = &steps_[rate.first_step];
  const Step* const last = first + rate.steps;
  const Step* step =
      std::upper_bound(first, last, begin, [](Ns at, const Step& of) { return at < of.from; }) - 1;
  double left = static_cast<double>(work_ns), busy = 0;
  for (Ns at = begin; left > 0; at = (++step)->from) {
    if (step->factor > 0) {
      const double needed = left * rate.wall / step->factor;
      const bool ends_here = step + 1 == last || needed <= static_cast<double>((step + 1)->from - at);
      const double taken = ends_here ? needed : static_cast<double>((step + 1)->from - at);
      busy += taken * rate.processor / rate.wall;
      if (ends_here) return {at + to_ns(needed), to_ns(busy)};
      left -= taken * step->factor / rate.wall;
    } else if (step + 1 == last) {
      return {kNever, to_ns(busy)};
    }
  }
  return {begin, to_ns(busy)};
}

PeSpeed::Done PeSpeed::done(PeIndex pe, Ns begin, Ns end) const {
  const Rate& rate = rate_of(pe);
  const auto of = [&](Ns length, double factor) {
    const auto wall = static_cast<double>(length);
    return Done{wall * factor / rate.wall, factor > 0 ? wall * rate.processor / rate.wall : 0};
  };
  if (rate.steps == 0) return of(end - begin, 1);
  Done all;
  const Step* const last = &steps_[rate.first_step] + rate.steps;
  for (const Step* step = &steps_[rate.first_step]; step != last; ++step) {
    const Ns from = std::max(begin, step->from),
             until = step + 1 == last ? end : std::min(end, (step + 1)->from);
    if (until <= from) continue;
    const Done part = of(until - from, step->factor);
    all.work += part.work;
    all.processor += part.processor;
  }
  return all;
}

std::uint64_t with_noise(std::uint64_t work_ns, double deviation, std::uint64_t seed, std::uint64_t object,
                         std::uint64_t number) {
  if (deviation == 0 || work_ns == 0) return work_ns;
  const double factor = 1 + deviation * normal(mixed(mixed(mixed(seed) ^ object) ^ number));
  return factor <= 0 ? 0 : static_cast<std::uint64_t>(static_cast<double>(work_ns) * factor + 0.5);
}

}  // namespace skein::simulate
