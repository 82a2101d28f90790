// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/balance/lazy_elements.hpp"

#include <algorithm>

#include "runtime/balance/lazy/late_scheme.hpp"
#include "runtime/balance/lazy/lazy_pe.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/balance/balanced.hpp"
#include "runtime/chare/balance/element_snapshot.hpp"
#include "runtime/chare/balance/gathering.hpp"
#include "runtime/chare/calls/charging.hpp"
#include "runtime/chare/calls/task.hpp"
#include "runtime/chare/messages/early.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/record/execution_record.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

using lb::lazy::Point;

template <class F>
void for_each_element(ArrayBase& array, F f) {
  for (Element* const element : array.elements())
    if (element) f(*element);
}

// ---- shares

void append_asked(Element& leader, Point n, std::vector<std::byte>& share) {
  append_to_share(measure_when_asked(leader, n), share);
}

/// Counts the elements here that are to leave a share for n.
std::size_t count_asked(Point n) {
  std::size_t count = 0;
  for (const auto& array : all_arrays())
    if (array && array->synchronizes)
      for_each_element(*array, [&](const Element& element) { count += element.rare().asked < n; });
  return count;
}

/// Adds the elements here that come to no sync points.
void append_others(Point n, std::vector<std::byte>& share) {
  for (const auto& array : all_arrays())
    if (array && !array->leader && !array->synchronizes)
      for_each_element(*array, [&](Element& element) { append_asked(element, n, share); });
}

/// Leaves the share of a family: with its leader, if that synchronizes, or else among those of
/// append_others().
void leave_share_of(Element& element, Point n) {
  const bool opens = !balance::is_share_open(n);
  if (opens && n <= balance::newest_share()) {
    element.rare_made().asked = static_cast<std::uint32_t>(n);  // it is late: the share has been sent
    return;
  }
  std::vector<std::byte>& share = balance::open_share(n, opens ? count_asked(n) : 0);
  if (opens) append_others(n, share);
  if (!element.array->leader) append_asked(element, n, share);
  element.rare_made().asked = static_cast<std::uint32_t>(n);
  balance::leave_share(n);
}

// ---- elements at their sync points

void stand(Element& element) {
  element.standing = true;
  ++balanced->standing;
}
void stand_no_more(Element& element) {
  element.standing = false;
  --balanced->standing;
}

void pass(Element& element) {
  balance::pace->member.passes(element.sync_points);
  const Consequences of(because_of(trace::Cause::resumed));
  element.array->resume(element);
}

/// Lets an element that stands at its sync point do what it may: pass, leave a share, wait or stop.
void look(Element& element) {
  using At = lb::lazy::Member::At;
  const Point n = element.sync_points;
  for (;;) {
    switch (balance::pace->member.at(n, element.rare().asked >= n)) {
      case At::ask:
        leave_share_of(element, n);
        continue;
      case At::hold:
        return;
      case At::pass:
        stand_no_more(element);
        return pass(element);
      case At::stop:
        stand_no_more(element);
        return stop_for_gathering(element);
    }
  }
}

/// Looks at an element when none of its methods runs. The time is no element's load.
struct Look final : ElementTask {
  using ElementTask::ElementTask;
  void run() override {
    if (element.gone || !element.standing) return;
    const std::uint64_t start = ticks();
    look(element);
    charge_nobody(ticks() - start);
  }
};

bool anybody_stops() { return balance::pace->member.agreed_stop() != lb::lazy::kNever; }

/// Lets the element stand again: its stop is dropped, or not agreed on yet as far as this PE knows.
void stop_no_more(Element& element) {
  element.at_sync = false;
  stand(element);
}

/// Looks at all elements again after the member of this PE was told something.
void look_again() {
  for (const auto& array : all_arrays()) {
    if (!array || !array->synchronizes) continue;
    if (array->at_sync > 0 && !anybody_stops()) {
      array->at_sync = 0;
      for_each_element(*array, [](Element& element) {
        if (element.at_sync) stop_no_more(element);
      });
    }
    if (balanced->standing == 0) continue;
    for_each_element(*array, [](Element& element) {
      if (element.standing) enqueue(std::make_unique<Look>(element));
    });
  }
}

// ---- arrays that synchronize

void ask_after(Element& element, std::uint32_t n) {
  if (element.rare().asked < n) element.rare_made().asked = n;
}

void note_synchronizing(ArrayBase& array) {
  if (array.synchronizes) return;
  array.synchronizes = true;
  const auto newest = static_cast<std::uint32_t>(balance::newest_share());
  for_each_element(array, [&](Element& element) { ask_after(element, newest); });
  balanced->synchronizing += array.live();
  balance::note_running(balanced->synchronizing);
}

void take_synchronizes(int from_pe, Bytes message) {
  Bytes rest = message;
  const auto array = unpack_front<std::uint32_t>(rest);
  if (await_array(take_synchronizes, from_pe, array, message)) note_synchronizing(array_number(array));
}

void on_synchronizes(int from_pe, Bytes message) {
  pass_down(Kind::synchronizes, message);
  take_synchronizes(from_pe, message);
}

void on_synchronizes_wish(int, Bytes message) {
  const auto array = unpack_front<std::uint32_t>(message);
  if (balanced->told_synchronizing.insert(array).second) post_to_all(Kind::synchronizes, bytes_of(array));
}

const Receives that_arrays_synchronize(Kind::synchronizes, on_synchronizes);
const Receives wishes(Kind::synchronizes_wish, on_synchronizes_wish);

}  // namespace

void start_lazy_elements(const balance::StepConfig& config) { balance::start_lazily(config, look_again); }

void note_coming(Element& element) {
  if (!element.array->synchronizes) {  // the sender has heard of that before
    note_synchronizing(*element.array);
  } else {
    ask_after(element, static_cast<std::uint32_t>(balance::newest_share()));
    balance::note_running(++balanced->synchronizing);
  }
  if (element.at_sync && !anybody_stops())
    stop_no_more(element);
  else if (element.standing)
    ++balanced->standing;
  if (element.standing) enqueue(std::make_unique<Look>(element));
}

void note_going(Element& element) {
  if (element.standing) --balanced->standing;
  balance::note_end(element.rare().asked, --balanced->synchronizing);
}

void come_to_point(Element& element) {
  ArrayBase& array = *element.array;
  if (!array.synchronizes) {
    note_synchronizing(array);
    post(0, Kind::synchronizes_wish, bytes_of(array.number()));
  }
  if (balance::pace->member.may_pass(element.sync_points)) return pass(element);
  stand(element);
  enqueue(std::make_unique<Look>(element));
}

void go_on_from_stop(Element& element) {
  if (!balance::is_lazy()) return element.array->resume(element);
  stop_no_more(element);
  look(element);
}

void end_lazy_step() {
  if (balance::is_lazy()) balance::note_running(balanced->synchronizing);
}

std::uint64_t count_standing() { return balanced->standing; }

void pass_unanswered() {
  balance::pace->member.silent();
  look_again();
}

}  // namespace skein::chare
