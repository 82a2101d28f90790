// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/measured_elements.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/chare/arrays.hpp"
#include "runtime/chare/families.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

std::vector<MeasuredElement> measured;

/// Where a family is and would be, for what has ended since the last LB step.
struct Belonging {
  int placed_on, was_on;
  auto operator<=>(const Belonging&) const = default;
};
std::map<Belonging, std::uint64_t> ended_ticks;

std::vector<bool> told;  // by array: that its elements cannot move

void tell_immovable(const ArrayBase& array) {
  told.resize(std::max<std::size_t>(told.size(), array.number() + 1));
  if (net::world.pe == 0 && !told[array.number()])
    SKEIN_WARN("the elements of %s stay where they are: %s", array.name().c_str(), array.cannot_move());
  told[array.number()] = true;
}

/// Once for each method.
void tell_suspended(const Element& element) {
  static std::set<const EntryInfo*> told_of;
  const Control& control = *element.control;
  if (told_of.insert(&control.first_activity().entry()).second)
    SKEIN_WARN("%s stays where it is while it is in %s", name_of(element).c_str(),
               control.describe(control.first_activity()).c_str());
}

/// What the element's class says.
std::optional<double> declared_load(const Element& element) {
  const std::optional<double> declared = element.array->declared_load(element);
  if (declared && !(std::isfinite(*declared) && *declared >= 0))
    fail(format("%s: load() is %g; loads are finite and not negative", name_of(element).c_str(), *declared));
  return declared;
}

/// What strategies see as the load of the leader's family.
double load_of(Element& leader, balance::IntervalShare& share) {
  using LoadIs = balance::IntervalShare::LoadIs;
  double sum = 0;
  for_each_of_family(leader, [&](const Element& element) {
    const std::optional<double> declared = declared_load(element);
    const double load = declared.value_or(seconds_of(element.busy_ticks));
    share.add_load(load, declared ? LoadIs::declared : LoadIs::time);
    sum += load;
  });
  return sum;
}

void take_busy(Element& leader, balance::IntervalShare& share) {
  std::uint64_t ticks = 0;
  for_each_of_family(leader, [&](Element& element) { ticks += std::exchange(element.busy_ticks, 0); });
  share.add_object(seconds_of(ticks), leader.placed_on, leader.was_on);
  leader.was_on = net::world.pe;
}

void take_ended(balance::IntervalShare& share) {
  for (const auto& [belonging, ticks] : std::exchange(ended_ticks, {}))
    share.add_object(seconds_of(ticks), belonging.placed_on, belonging.was_on);
}

template <class F>
void for_each_leader(F f) {
  for (const auto& array : all_arrays()) {
    if (!array || array->leader) continue;
    for (Element* const element : array->elements()) f(*element);
  }
}

}  // namespace

balance::IntervalShare end_interval() {
  balance::IntervalShare share(net::world.pe, pe_count());
  measured.clear();
  for_each_leader([&](Element& leader) {
    measured.push_back({&leader, load_of(leader, share)});
    take_busy(leader, share);
  });
  take_ended(share);
  return share;
}

balance::IntervalShare end_last_interval() {
  balance::IntervalShare share(net::world.pe, pe_count());
  for_each_leader([&](Element& leader) { take_busy(leader, share); });
  take_ended(share);
  return share;
}

bool may_move(Element& leader) {
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

std::span<const MeasuredElement> measured_elements() { return measured; }

void note_end(Element& leader) {
  std::uint64_t& ticks = ended_ticks[{leader.placed_on, leader.was_on}];
  for_each_of_family(leader, [&](const Element& element) { ticks += element.busy_ticks; });
}

}  // namespace skein::chare
