// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/least_rest.hpp"

#include <algorithm>

namespace skein::simulate {
namespace {

/// A margin for bursts, which are rounded to whole ns.
constexpr double kOfRounded = 0.99;

}  // namespace

Remaining remaining_work(const trace::Trace& trace) {
  Remaining remaining;
  for (trace::ObjectIndex object = 0; object < trace.object_count(); ++object) {
    std::vector<std::uint64_t> behind(1, 0);  // after each sync point: until the next
    trace::Cursor cursor = trace.events(object);
    while (const trace::Event* const event = cursor.next()) {
      behind.back() += event->burst_ns;
      if (event->kind == trace::EventKind::sync) behind.push_back(0);
    }
    for (std::size_t point = behind.size() - 1; point-- > 0;) behind[point] += behind[point + 1];
    if (behind.size() > remaining.all_ns.size()) {
      remaining.all_ns.resize(behind.size(), 0);
      remaining.most_ns.resize(behind.size(), 0);
    }
    for (std::size_t point = 0; point < behind.size(); ++point) {
      remaining.all_ns[point] += behind[point];
      remaining.most_ns[point] = std::max(remaining.most_ns[point], behind[point]);
    }
  }
  return remaining;
}

LeastRest::LeastRest(const Platform& platform, std::size_t computing_pes, const Remaining& remaining)
    : remaining_(remaining) {
  if (platform.noise > 0) return;  // bursts may be shorter: no bound
  std::vector<double> rates(computing_pes, platform.speed);
  for (std::size_t pe = 0; pe < computing_pes; ++pe) {
    if (!platform.speeds.empty()) rates[pe] *= platform.speeds[pe];
    if (!platform.background.empty()) rates[pe] *= 1 - platform.background[pe];
  }
  for (const SpeedChange& change : platform.changes)
    if (change.pe < computing_pes) rates[change.pe] *= std::max(1.0, change.factor);
  for (const double rate : rates) {
    all_ += rate;
    fastest_ = std::max(fastest_, rate);
  }
}

Ns LeastRest::after(std::uint64_t point) const {
  if (all_ == 0 || point >= remaining_.all_ns.size()) return 0;
  const double least = std::max(static_cast<double>(remaining_.all_ns[point]) / all_,
                                static_cast<double>(remaining_.most_ns[point]) / fastest_);
  return PeSpeed::to_ns(least * kOfRounded);
}

}  // namespace skein::simulate
