// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/elements/wishes.hpp"

#include "runtime/chare/calls/task.hpp"
#include "runtime/chare/elements/families.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

/// Grants wishes of an element whose method was called inside that of another.
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

/// A move that waits for queued calls that were passed on too often, and for those that come behind them. The
/// senders of such calls are told where the element is, so they come to an end.
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

/// Returns true if the move has to wait.
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

/// Grants the wishes of the whole family. They are looked at again whenever an element of it has run: an
/// obstacle may be the thread or flow of another element.
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
