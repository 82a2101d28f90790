// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/elements/wishes.hpp"

#include "runtime/chare/calls/task.hpp"
#include "runtime/chare/elements/families.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

/// What the element asked for in a method that was called inside that of another.
struct Wishes final : ElementTask {
  using ElementTask::ElementTask;
  void run() override {
    if (!element.gone) grant_wishes(element);
  }
};

bool take_chased(Element& leader) {
  bool any = false;
  for_each_of_family(leader, [&](Element& each) {
    any |= each.chased;
    each.chased = false;
  });
  return any;
}

/// A move that waits for calls that were sent on too often: for those that are in the queue, and those that
/// come behind them. Whoever sends such calls is told where the element is, so that there is an end to them.
struct LateMove final : ElementTask {
  using ElementTask::ElementTask;
  void run() override {
    if (element.gone) return;
    net::poll();
    if (take_chased(element)) return enqueue(std::make_unique<LateMove>(element));
    element.leaves_later = false;
    grant_wishes(element);
  }
};

/// Whether the move has to wait.
bool let_chased_calls_run(Element& leader) {
  if (!leader.leaves_later && take_chased(leader)) {
    leader.leaves_later = true;
    enqueue(std::make_unique<LateMove>(leader));
  }
  return leader.leaves_later;
}

void send_family(Element& leader, int pe) {
  std::vector<std::byte> packed;
  pup::Blocks blocks;
  depart_family(leader, pe, packed, blocks);
  post(pe, Kind::element, {}, packed, std::move(blocks));
}

}  // namespace

/// A wish is that of the whole family, so that it is looked at again when any of it has run: what stands in
/// the way may be the thread or flow of another.
void grant_wishes(Element& element) {
  Element& leader = leader_of(element);
  const bool ends = element.ends;
  const int pe = element.wanted_pe;
  bool any_thread = false, any_activity = false;
  for_each_of_family(leader, [&](Element& each) {
    each.ends |= ends;
    each.wanted_pe = pe;
    any_thread |= has_thread(each);
    any_activity |= has_activity(each);
  });
  if (ends) {
    if (!any_thread) end_family(leader);
  } else if (!any_activity && pe >= 0 && (pe == net::world.pe || !let_chased_calls_run(leader))) {
    for_each_of_family(leader, [](Element& each) { each.wanted_pe = -1; });
    leader.placed_on = leader.was_on = pe;
    if (pe != net::world.pe) send_family(leader, pe);
  }
}

void enqueue_wishes(Element& element) { enqueue(std::make_unique<Wishes>(element)); }

}  // namespace skein::chare
