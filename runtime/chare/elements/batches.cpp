// SPDX-License-Identifier: Apache-2.0

#include "skein/chare/batches.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/calls/charging.hpp"
#include "runtime/chare/calls/queue.hpp"
#include "runtime/chare/elements/elements_state.hpp"
#include "runtime/chare/elements/wishes.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/net/transport.hpp"
#include "skein/chare/pe_grid.hpp"

namespace skein::chare {

const CallRoutes& call_routes() { return elements_state->aggregation.routes; }

void route_aggregated_calls(int dimensions) {
  if (!balance::computes(net::world.pe)) return;
  const PeGrid grid(pe_count(), dimensions);
  elements_state->aggregation.routes = {grid.is_direct(), grid.next_hops(this_pe())};
}

void register_aggregator(AggregatorBase& aggregator) {
  elements_state->aggregation.aggregators.push_back(&aggregator);
}

bool flush_aggregators() {
  if (!calls_here.any_aggregated) return false;
  calls_here.any_aggregated = false;
  for (AggregatorBase* const aggregator : elements_state->aggregation.aggregators) aggregator->flush();
  return true;
}

void send_batch(int pe, Bytes batch) { post(pe, Kind::batch, {}, batch); }

BatchCharge::BatchCharge(std::uint32_t hops) : elements_(elements_state->aggregation.called), hops_(hops) {}

void BatchCharge::charge() {
  if (elements_.empty()) return;
  std::uint64_t calls = 0;
  for (const Element* const element : elements_) calls += element->batched;
  const std::uint64_t now = ticks();
  const std::uint64_t part = (now - charged->until) / calls;
  if (settings.tickets_kept) [[unlikely]]
    record_batch(elements_, part, now);
  for (Element* const element : elements_) element->busy_ticks += part * std::exchange(element->batched, 0);
  charged->busy += part * calls;
  charged->until = now;
  elements_.clear();
}

void BatchCharge::grant(Element& element) {
  charge();  // the element may be freed
  element.chased |= hops_ >= kLongestChase;
  grant_wishes(element);
}

}  // namespace skein::chare
