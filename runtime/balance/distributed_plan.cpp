// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/distributed_plan.hpp"

#include <algorithm>

#include "runtime/balance/interval.hpp"
#include "runtime/balance/pe_processes.hpp"
#include "runtime/net/joined.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::balance {
namespace {

double finish_of(const lb::LocalPe& local, const std::vector<lb::LocalObject>& objects) {
  double finish = local.fixed_s;
  for (const lb::LocalObject& object : objects) finish += object.load / local.speed;
  return finish;
}

/// The largest finish times of all PEs, and the sum of those without moves.
struct Finish {
  double before, sum_before, after;
  bool moves;

  void add(const Finish& next) {
    before = std::max(before, next.before);
    after = std::max(after, next.after);
    sum_before += next.sum_before;
    moves |= next.moves;
  }
};

/// By PE.
std::vector<double> of_all(double mine) {
  std::vector<double> all(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&mine, sizeof mine, all.data());
  return all;
}

}  // namespace

void DistributedPlan::begin(const lb::Selection& strategy, std::uint64_t seed) {
  process_.push_back(strategy.info->begin(local_, strategy.options, seed));
}

DistributedPlan::Outcome DistributedPlan::run() {
  if (!process_.empty()) run_pe_processes(process_, local_.pe_count);
  const double before = finish_of(local_, local_.objects), after = finish_of(local_, objects());
  Finish all{before, before, after, !arrivals().empty()};
  net::add_on_all(all);
  const double perfect = all.sum_before / local_.pe_count;
  if (!each_pe_is_told()) return {{{all.before}, perfect}, {{all.after}, perfect}, all.moves};
  return {{of_all(before), perfect}, {of_all(after), perfect}, all.moves};
}

const std::vector<lb::LocalObject>& DistributedPlan::objects() const {
  return process_.empty() ? local_.objects : process_[0]->objects();
}

std::vector<lb::ObjectIndex> DistributedPlan::arrivals() const {
  std::vector<lb::ObjectIndex> arriving;
  for (const lb::LocalObject& object : objects())
    if (!std::ranges::binary_search(local_.objects, object.object, {}, &lb::LocalObject::object))
      arriving.push_back(object.object);
  return arriving;
}

}  // namespace skein::balance
