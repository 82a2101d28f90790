// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/distributed_plan.hpp"

#include <algorithm>
#include <type_traits>

#include "runtime/balance/pe_processes.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::balance {
namespace {

double finish_of(const lb::LocalPe& local, const std::vector<lb::LocalObject>& objects) {
  double finish = local.fixed_s;
  for (const lb::LocalObject& object : objects) finish += object.load / local.speed;
  return finish;
}

}  // namespace

void DistributedPlan::begin(const lb::Selection& strategy, std::uint64_t seed) {
  process_.push_back(strategy.info->begin(local_, strategy.options, seed));
}

DistributedPlan::Outcome DistributedPlan::run() {
  run_pe_processes(process_, local_.pe_count);
  struct {
    double before, after;
    bool moves;
  } const mine{finish_of(local_, local_.objects), finish_of(local_, process_[0]->objects()),
               !arrivals().empty()};
  std::vector<std::remove_const_t<decltype(mine)>> all(local_.pe_count);
  net::all_gather(&mine, sizeof mine, all.data());
  Outcome outcome{{}, {}, false};
  for (const auto& each : all) {
    outcome.before.push_back(each.before);
    outcome.after.push_back(each.after);
    outcome.moves |= each.moves;
  }
  return outcome;
}

std::vector<lb::ObjectIndex> DistributedPlan::arrivals() const {
  std::vector<lb::ObjectIndex> arriving;
  for (const lb::LocalObject& object : process_[0]->objects())
    if (!std::ranges::binary_search(local_.objects, object.object, {}, &lb::LocalObject::object))
      arriving.push_back(object.object);
  return arriving;
}

}  // namespace skein::balance
