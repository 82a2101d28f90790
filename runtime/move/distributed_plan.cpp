// SPDX-License-Identifier: Apache-2.0
#include "runtime/move/distributed_plan.hpp"

#include <cstring>
#include <span>

#include "runtime/move/collect.hpp"
#include "runtime/move/location.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/pe_processes.hpp"
#include "runtime/net/transport.hpp"

namespace skein::move {
namespace {

std::vector<double> gather_finish(const lb::LocalPe& local, const std::vector<lb::LocalObject>& objects) {
  double mine = local.fixed_s;
  for (const lb::LocalObject& object : objects) mine += object.load;
  std::vector<double> all(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&mine, sizeof mine, all.data());
  return all;
}

}  // namespace

void start_distributed_plans() { net::start_pe_processes(); }

DistributedPlan collect_for_distributed() { return DistributedPlan(collect_local()); }

void DistributedPlan::begin(const lb::Selection& strategy, std::uint64_t seed) {
  process_.push_back(strategy.info->begin(local_, strategy.options, seed));
}

void DistributedPlan::run() { net::run_pe_processes(process_, local_.pe_count); }

std::vector<int> DistributedPlan::new_places() const {
  std::vector<int> arrived;
  for (const lb::LocalObject& object : process_[0]->objects()) {
    if (!is_here(static_cast<int>(object.object))) arrived.push_back(static_cast<int>(object.object));
  }
  const int count = static_cast<int>(arrived.size());
  std::vector<int> counts(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&count, sizeof count, counts.data());
  const auto all = net::all_gather_blocks(std::as_bytes(std::span(arrived)));
  std::vector<int> places = pe_of_rank;
  const std::byte* next = all.data();
  for (int pe = 0; pe < net::world.pes; ++pe) {
    for (int k = 0; k < counts[static_cast<std::size_t>(pe)]; ++k, next += sizeof(int)) {
      int rank;
      memcpy(&rank, next, sizeof rank);
      places[static_cast<std::size_t>(rank)] = pe;
    }
  }
  return places;
}

std::vector<double> DistributedPlan::finish_before() const { return gather_finish(local_, local_.objects); }
std::vector<double> DistributedPlan::finish_after() const {
  return gather_finish(local_, process_[0]->objects());
}

}  // namespace skein::move
