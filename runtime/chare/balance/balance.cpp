// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/balance/balance.hpp"

#include <algorithm>
#include <utility>

#include "runtime/balance/lazy/lazy_pe.hpp"
#include "runtime/balance/objects.hpp"
#include "runtime/balance/pace.hpp"
#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/balance/departure.hpp"
#include "runtime/chare/balance/division.hpp"
#include "runtime/chare/balance/element_snapshot.hpp"
#include "runtime/chare/balance/gathering.hpp"
#include "runtime/chare/balance/lazy_elements.hpp"
#include "runtime/chare/balance/measured_elements.hpp"
#include "runtime/chare/balance/own_elements.hpp"
#include "runtime/chare/calls/charging.hpp"
#include "runtime/chare/record/execution_record.hpp"
#include "runtime/chare/sections/sections.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {

namespace {

bool any_divisible() {
  return std::ranges::any_of(all_arrays(), [](const auto& array) { return array && array->divisible(); });
}

class ElementObjects final : public balance::Objects, public balance::LazyObjects {
 public:
  explicit ElementObjects(const lb::Mode& mode) : all_decide_(mode.kind == lb::Mode::Kind::inline_all) {}

  const char* noun() const override { return "elements"; }
  std::string sync_hint() const override { return "its elements call at_sync() in their time loop"; }
  bool moves_copy() const override { return true; }
  /// Elements do not wait: their PE continues with others.
  double meeting_seconds() const override { return 0; }
  double busy_seconds() const override { return chare::busy_seconds(); }

  std::vector<trace::ObjectIndex> take_arrivals() override { return chare::take_arrivals(); }

  balance::IntervalShare end_interval() override { return chare::end_interval(); }
  balance::IntervalShare end_last_interval() override { return chare::end_last_interval(); }
  const std::vector<int>& pinned() const override { return last_.pinned; }

  // ---- the deciding PE knows all elements

  std::vector<std::byte> share() override { return share_of_elements(); }
  bool all_need_snapshot() const override { return any_divisible(); }
  lb::Snapshot snapshot_of(const net::PeBlocks& shares) override {
    last_ = snapshot_of_elements(shares);
    lb::Snapshot snapshot = std::exchange(last_.snapshot, {});
    last_.snapshot.objects = snapshot.objects;
    last_.snapshot.pes = snapshot.pes;
    return snapshot;
  }

  bool has_own_changes(const lb::Decision& decision) const override {
    if (balance::latest_step_at() == balance::StepAt::between) return false;
    forget_ended_parts(last_.objects);
    return parts_change(last_.objects, last_.snapshot, decision);
  }

  balance::MoveTotals move(const lb::Decision& decision) override {
    if (!all_decide_ && !all_need_snapshot()) return own_.send(decision.pe_of);
    // Elements are divided and joined only when all are at a sync point.
    const bool at_point = balance::latest_step_at() == balance::StepAt::sync_point;
    if (at_point) forget_ended_parts(last_.objects);
    balance::MoveTotals totals;
    Departure departure(totals, ArrayBase::Tell::nobody);
    if (!decision.splits.empty()) {
      for (const NewElement& part : split_elements(last_.objects, decision))
        if (part.pe != net::world.pe) departure.add(*part.element, static_cast<std::size_t>(part.pe));
    }
    for (std::size_t i = 0; i < last_.objects.size(); ++i)
      if (last_.objects[i].element && decision.pe_of[i] != last_.snapshot.objects.pe[i])
        departure.add(*last_.objects[i].element, decision.pe_of[i]);
    departure.finish();
    note_places(decision.pe_of);
    if (at_point) {
      merge_elements(last_.objects, last_.snapshot, decision);
      tell_of_parts();
    }
    return totals;
  }

  balance::LazyObjects* when_lazy() override { return this; }
  bool come_and_go() const override { return true; }
  std::vector<std::byte> share_at(std::uint64_t) override { return share_of_stopped_elements(); }
  balance::IntervalShare interval_of(const net::PeBlocks& shares) const override {
    return interval_of_elements(shares);
  }

  // ---- some PEs know some elements

  lb::MeasuredPart part_of(const net::PeBlocks& shares) override {
    PartOfElements part = part_of_elements(shares);
    last_.pinned = std::move(part.pinned);
    return std::move(part.measured);
  }
  balance::MoveTotals move_own(std::span<const lb::PeIndex> pe_of) override { return own_.send_own(pe_of); }

  // ---- a PE knows its own elements. None was ever divided: no distributed strategy splits objects.

  lb::LocalPe local() override { return own_.collect(last_.pinned); }
  balance::MoveTotals bring(std::span<const lb::ObjectIndex> arriving) override {
    return own_.bring(arriving);
  }

 private:
  /// Notes that one element has moved.
  static void note_place(ArrayBase& array, Bytes index, int pe, std::uint32_t moves) {
    tell_sections(array.number(), index, pe);
    if (pe != net::world.pe && array.cares(index)) array.learn(index, pe, moves);
  }

  void note_places(const lb::Assignment& assignment) const {
    for (std::size_t i = 0; i < last_.objects.size(); ++i) {
      if (assignment[i] == last_.snapshot.objects.pe[i]) continue;
      const Object& object = last_.objects[i];
      ArrayBase& array = array_number(object.array);
      const auto pe = static_cast<int>(assignment[i]);
      note_place(array, object.index, pe, object.moves + 1);
      for (ArrayBase* const bound : array.bound) note_place(*bound, object.index, pe, object.moves + 1);
    }
  }

  const bool all_decide_;
  ElementSnapshot last_;  // without graph and topology
  OwnElements own_;
};

}  // namespace

void at_sync(Element& element) {
  if (settings.tickets_kept) [[unlikely]]
    record_sync(element);
  if (element.at_sync || element.standing)
    fail("at_sync() is called twice without resume_from_sync() between");
  ++element.sync_points;
  if (settings.repacking) [[unlikely]]
    repack_after_method(element);
  if (balance::is_lazy()) return come_to_point(element);
  if (!balance::next_gathers(element.sync_points - 1)) {
    const Consequences of(because_of(trace::Cause::resumed));
    return element.array->resume(element);
  }
  stop_for_gathering(element);
}

void balance_elements(const lb::Mode& mode) { balance::set_objects(std::make_unique<ElementObjects>(mode)); }

}  // namespace skein::chare
