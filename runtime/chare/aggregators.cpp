// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/arrays.hpp"
#include "runtime/chare/loop.hpp"
#include "runtime/chare/wire.hpp"
#include "runtime/chare/wishes.hpp"
#include "skein/chare/aggregator.hpp"

namespace skein::chare {

bool calls_aggregated = false;

namespace {
std::vector<AggregatorBase*> aggregators;
std::vector<Element*> called;  // memory of BatchCharge: one batch runs at a time
const BegunAnew<calls_aggregated, aggregators, called> with_runtime;
}  // namespace

void register_aggregator(AggregatorBase& aggregator) { aggregators.push_back(&aggregator); }

bool flush_aggregators() {
  if (!calls_aggregated) return false;
  calls_aggregated = false;
  for (AggregatorBase* const aggregator : aggregators) aggregator->flush();
  return true;
}

void send_batch(int pe, const FunctionInfo& apply, Bytes batch, std::int64_t priority) {
  post(pe, Kind::batch, bytes_of(BatchHeader{priority, apply.number}), batch);
}

BatchCharge::BatchCharge() : elements_(called) {}

void BatchCharge::charge() {
  charge_evenly(elements_);
  elements_.clear();
}

void BatchCharge::grant(Element& element) {
  charge();  // the element may be freed, and may be in the list twice
  grant_wishes(element);
}

}  // namespace skein::chare
