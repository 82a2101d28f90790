// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/balance.hpp"

#include <utility>

#include "runtime/balance/objects.hpp"
#include "runtime/balance/period.hpp"
#include "runtime/chare/arrays.hpp"
#include "runtime/chare/departure.hpp"
#include "runtime/chare/division.hpp"
#include "runtime/chare/element_snapshot.hpp"
#include "runtime/chare/loop.hpp"
#include "runtime/chare/sections.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {

namespace {

ElementSnapshot last;  // without graph and topology

lb::Snapshot collect() {
  last = collect_elements();
  forget_ended_parts(last.objects);
  lb::Snapshot snapshot = std::exchange(last.snapshot, {});
  last.snapshot.objects = snapshot.objects;
  last.snapshot.pes = snapshot.pes;
  return snapshot;
}

/// Of one element that has moved.
void note_place(ArrayBase& array, Bytes index, int pe, std::uint32_t moves) {
  tell_sections(array.number(), index, pe);
  if (pe != net::world.pe && array.cares(index)) array.learn(index, pe, moves);
}

void note_places(const lb::Assignment& assignment) {
  for (std::size_t i = 0; i < last.objects.size(); ++i) {
    if (assignment[i] == last.snapshot.objects.pe[i]) continue;
    const Object& object = last.objects[i];
    ArrayBase& array = array_number(object.array);
    const auto pe = static_cast<int>(assignment[i]);
    note_place(array, object.index, pe, object.moves + 1);
    for (ArrayBase* const bound : array.bound) note_place(*bound, object.index, pe, object.moves + 1);
  }
}

balance::MoveTotals move_elements(const lb::Decision& decision) {
  balance::MoveTotals totals;
  Departure departure(totals);
  if (!decision.splits.empty()) {
    for (const NewElement& part : split_elements(last.objects, decision))
      if (part.pe != net::world.pe) departure.add(*part.element, static_cast<std::size_t>(part.pe));
  }
  for (std::size_t i = 0; i < last.objects.size(); ++i)
    if (last.objects[i].element && decision.pe_of[i] != last.snapshot.objects.pe[i])
      departure.add(*last.objects[i].element, decision.pe_of[i]);
  departure.finish();
  note_places(decision.pe_of);
  merge_elements(last.objects, last.snapshot, decision);
  tell_of_parts();
  return totals;
}

const std::vector<int>& pinned_elements() { return last.pinned; }
bool has_own_changes(const lb::Decision& decision) {
  return parts_change(last.objects, last.snapshot, decision);
}

}  // namespace

bool sync_point_is_step(std::uint32_t count) { return balance::next_gathers(count - 1); }

void at_sync(Element& element) {
  if (!sync_point_is_step(++element.sync_points)) return element.array->resume(element);
  if (element.at_sync) fail("at_sync() is called twice without resume_from_sync() between");
  element.at_sync = true;
  ++element.array->at_sync;
}

void balance_elements() {
  start_departures();
  balance::set_objects({"elements", "its elements call at_sync() in their time loop", collect,
                        []() -> const std::vector<double>* { return nullptr; },  // loads are times
                        pinned_elements, move_elements, has_own_changes, nullptr, nullptr,
                        [] { return true; },
                        [] { return 0.0; },  // elements do not wait: their PE goes on with others
                        busy_seconds});
}

}  // namespace skein::chare
