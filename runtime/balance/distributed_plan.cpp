// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/distributed_plan.hpp"

#include <cstring>
#include <span>

#include "runtime/balance/objects.hpp"
#include "runtime/balance/pe_processes.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::balance {
namespace {

std::vector<double> gather_finish(const lb::LocalPe& local, const std::vector<lb::LocalObject>& objects) {
  double mine = local.fixed_s;
  for (const lb::LocalObject& object : objects) mine += object.load;
  std::vector<double> all(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&mine, sizeof mine, all.data());
  return all;
}

}  // namespace

void start_distributed_plans() { balance::start_pe_processes(); }

DistributedPlan collect_for_distributed() { return DistributedPlan(objects().collect_local()); }

void DistributedPlan::begin(const lb::Selection& strategy, std::uint64_t seed) {
  process_.push_back(strategy.info->begin(local_, strategy.options, seed));
}

void DistributedPlan::run() { balance::run_pe_processes(process_, local_.pe_count); }

lb::Assignment DistributedPlan::new_places() const {
  const std::vector<int>& now = objects().places();
  std::vector<lb::ObjectIndex> arrived;
  for (const lb::LocalObject& object : process_[0]->objects()) {
    if (now[object.object] != net::world.pe) arrived.push_back(static_cast<lb::ObjectIndex>(object.object));
  }
  const int count = static_cast<int>(arrived.size());
  std::vector<int> counts(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&count, sizeof count, counts.data());
  const auto all = net::all_gather_blocks(std::as_bytes(std::span(arrived)));
  lb::Assignment places(now.begin(), now.end());
  const std::byte* next = all.data();
  for (lb::PeIndex pe = 0; pe < counts.size(); ++pe) {
    for (int k = 0; k < counts[pe]; ++k, next += sizeof(lb::ObjectIndex)) {
      lb::ObjectIndex object;
      memcpy(&object, next, sizeof object);
      places[object] = pe;
    }
  }
  return places;
}

std::vector<double> DistributedPlan::finish_on(std::span<const int> places) const {
  std::vector<double> finish(local_.pe_count, 0);
  finish[local_.pe] = local_.fixed_s;
  for (const lb::LocalObject& object : local_.objects)
    finish[static_cast<std::size_t>(places[object.object])] += object.load;
  net::sum_of_all(finish);
  return finish;
}

std::vector<double> DistributedPlan::finish_before() const { return gather_finish(local_, local_.objects); }
std::vector<double> DistributedPlan::finish_after() const {
  return gather_finish(local_, process_[0]->objects());
}

}  // namespace skein::balance
