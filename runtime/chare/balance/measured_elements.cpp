// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/balance/measured_elements.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "runtime/balance/lazy/lazy_pe.hpp"
#include "runtime/balance/measured_speeds.hpp"
#include "runtime/balance/pace.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/balance/balanced.hpp"
#include "runtime/chare/calls/charging.hpp"
#include "runtime/chare/elements/families.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {

namespace {

/// Warns once for each class whose elements cannot move.
void tell_immovable(const ArrayBase& array) {
  if (balanced->immovable.insert(array.name()).second && net::world.pe == 0)
    SKEIN_WARN("the elements of %s stay where they are: %s", array.name().c_str(), array.cannot_move());
}

/// Warns once for each method that keeps its element from moving.
void tell_suspended(const Element& element) {
  const Control& control = *element.rare().control;
  if (balanced->suspended.insert(&control.first_activity().entry()).second)
    SKEIN_WARN("%s stays where it is while it is in %s", name_of(element).c_str(),
               control.describe(control.first_activity()).c_str());
}

/// Returns the load that the element's class declares. A wrong one ends the job.
std::optional<double> declared_load(const Element& element) {
  const std::optional<double> declared = element.array->declared_load(element);
  if (declared && !(std::isfinite(*declared) && *declared >= 0))
    fail(format("%s: load() is %g; loads are finite and not negative", name_of(element).c_str(), *declared));
  return declared;
}

/// Measures the family since it was last asked, or else since the last LB step, scaled to an interval that is
/// `scale` times as long.
MeasuredElement measure(Element& leader, double scale) {
  MeasuredElement one{&leader};
  for_each_of_family(leader, [&](const Element& element) {
    const std::optional<double> declared = declared_load(element);
    const double took = scale * seconds_of(element.busy_ticks - element.rare().told_ticks);
    one.load += declared.value_or(took * balance::speed_here());
    one.declared += declared.value_or(0);
    one.declares |= declared.has_value();
    one.busy_s += took;
  });
  return one;
}

/// Returns the ratio of an interval between askings to the measured part of it.
double scale_at(const Element& leader, std::uint64_t n) {
  if (n <= leader.rare().measured_at) return 1;
  return static_cast<double>(balance::pace->schedule.points_in_interval()) /
         static_cast<double>(n - leader.rare().measured_at);
}

/// Measures at a stop, where all elements stand.
MeasuredElement measure_at_stop(Element& leader, std::uint64_t stop) {
  MeasuredElement one = measure(leader, scale_at(leader, stop));
  if (leader.rare().measured_at == stop) one.load = leader.rare().asked_load;
  return one;
}

void take_busy(Element& leader, balance::IntervalShare& share) {
  std::uint64_t ticks = 0;
  for_each_of_family(leader, [&](Element& element) {
    // The load since the last report stays: both numbers lose the same, so their difference stays modulo
    // 2^64.
    if (balance::is_lazy()) element.rare_made().told_ticks -= element.busy_ticks;
    ticks += std::exchange(element.busy_ticks, 0);
  });
  share.add_object(seconds_of(ticks), leader.placed_on, leader.was_on);
  leader.was_on = net::world.pe;
}

template <class F>
void for_each_leader(F f) {
  for (const auto& array : all_arrays()) {
    if (!array || array->leader) continue;
    for (Element* const element : array->elements()) f(*element);
  }
}

/// Returns true if the family may move between sync points. Waiting flows and threads give no warning here,
/// unlike at sync points, where there could be none.
bool may_move_between_points(Element& leader) {
  bool movable = !obstacle_to_moves(*leader.array);
  for_each_of_family(leader, [&](const Element& element) {
    movable = movable && element.array->moves_anytime && !element.pinned && !has_activity(element);
  });
  return movable;
}

}  // namespace

balance::IntervalShare end_interval() {
  balance::IntervalShare share(net::world.pe, pe_count(), balance::pe_speeds());
  balanced->measured.clear();
  for_each_leader([&](Element& leader) {
    balanced->measured.push_back(balance::is_lazy()
                                     ? measure_at_stop(leader, balance::pace->member.agreed_stop())
                                     : measure(leader, 1));
    add_load(share, balanced->measured.back().load, balanced->measured.back().declared,
             balanced->measured.back().declares);
    take_busy(leader, share);
  });
  take_ended(share);
  return share;
}

balance::IntervalShare end_last_interval() {
  balance::IntervalShare share(net::world.pe, pe_count(), balance::pe_speeds());
  for_each_leader([&](Element& leader) { take_busy(leader, share); });
  take_ended(share);
  return share;
}

MeasuredElement measure_when_asked(Element& leader, std::uint64_t n) {
  const MeasuredElement one = measure(leader, scale_at(leader, n));
  for_each_of_family(leader, [](Element& element) { element.rare_made().told_ticks = element.busy_ticks; });
  leader.rare_made().measured_at = static_cast<std::uint32_t>(n);
  leader.rare_made().asked_load = one.load;
  return one;
}

void add_load(balance::IntervalShare& share, double load, double declared, bool declares) {
  using LoadIs = balance::IntervalShare::LoadIs;
  if (declares) share.add_load(declared, LoadIs::declared);
  if (!declares || load > declared) share.add_load(load - declared, LoadIs::time);
}

bool may_move(Element& leader) {
  if (balance::latest_step_at() == balance::StepAt::between) return may_move_between_points(leader);
  bool pinned_by_program = false;
  const Element* suspended = nullptr;
  for_each_of_family(leader, [&](Element& element) {
    pinned_by_program |= element.pinned;
    if (has_activity(element)) suspended = &element;
  });
  const bool obstacle = obstacle_to_moves(*leader.array) != nullptr;
  if (!pinned_by_program && obstacle) tell_immovable(*leader.array);
  if (!pinned_by_program && suspended) tell_suspended(*suspended);
  return !pinned_by_program && !suspended && !obstacle;
}

std::span<const MeasuredElement> measured_elements() { return balanced->measured; }

}  // namespace skein::chare
