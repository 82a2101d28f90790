// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/team.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "runtime/balance/block_exchange.hpp"
#include "runtime/balance/job_pes.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/base/log.hpp"
#include "runtime/net/pe_team.hpp"
#include "runtime/net/transport.hpp"

namespace skein::balance {
namespace {

constexpr std::size_t kMostPinnedNamed = 16;  // of one PE, where objects have no constant numbers

/// Returns how much each PE of the team was told.
Together told(const lb::SnapshotPart& part, const net::PeBlocks& shares) {
  std::vector<double> all(2 * job_pes->team->size());
  all[2 * job_pes->team->rank()] = static_cast<double>(part.object_count());
  all[2 * job_pes->team->rank() + 1] = static_cast<double>(shares.bytes.size());
  job_pes->team->sum(all);
  Together together;
  for (std::size_t p = 0; p < all.size(); p += 2) {
    together.objects.push_back(static_cast<std::uint64_t>(all[p]));
    together.bytes.push_back(static_cast<std::uint64_t>(all[p + 1]));
  }
  return together;
}

/// Returns the numbers of the pinned objects in the job, if these are constant; else those of a few in the
/// parts.
std::vector<int> numbers_of_pinned(const lb::SnapshotPart& part) {
  const bool stay = objects().places() != nullptr;
  std::vector<int> numbers;
  for (const int place : objects().pinned()) {
    const auto at = static_cast<std::size_t>(place);
    if (!stay && numbers.size() == kMostPinnedNamed) break;
    numbers.push_back(stay ? static_cast<int>(part.objects.id[at])
                           : static_cast<int>(part.first[job_pes->team->rank()]) + place);
  }
  return numbers;
}

std::vector<int> gathered(const std::vector<int>& mine) {
  const std::vector<std::byte> all = net::all_gather_blocks(std::as_bytes(std::span(mine)));
  std::vector<int> numbers(all.size() / sizeof(int));
  if (!all.empty()) memcpy(numbers.data(), all.data(), all.size());
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace

void start_team() {
  job_pes->has_team = true;
  job_pes->team = net::make_team(deciding_pe());
}
bool has_team() { return job_pes->has_team; }
lb::Team* own_team() { return job_pes->team.get(); }

lb::SnapshotPart make_own_part(const lb::MeasuredPart& measured, const lb::PlannerConfig& config) {
  lb::SnapshotPart part = lb::make_part(measured, *job_pes->team);
  if (config.memory_bytes > 0) part.pes.memory_bytes.assign(part.pe_count(), config.memory_bytes);
  return part;
}

TeamShares send_shares(const std::vector<std::byte>& share) {
  Blocks out(static_cast<std::size_t>(net::world.pes));
  if (computes(net::world.pe)) out[static_cast<std::size_t>(decider_of(net::world.pe))] = share;
  TeamShares shares;
  for (const std::vector<std::byte>& block : exchange_blocks(out)) {
    shares.blocks.sizes.push_back(block.size());
    shares.blocks.bytes.insert(shares.blocks.bytes.end(), block.begin(), block.end());
  }
  return shares;
}

void TeamShares::take(lb::StepPlan decided, const lb::SnapshotPart& part, Plan& plan) {
  SKEIN_LOG(verbose, "LB part of the snapshot: %zu of %u objects, %zu edges", part.object_count(),
            part.first.back(), part.graph.edge_count());
  plan.step = std::move(decided);
  places = std::exchange(plan.step.decision.pe_of, {});
  plan.together = told(part, blocks);
  plan.pinned = numbers_of_pinned(part);
  // The objects of a PE are together, in the order of its share.
  first_of_pe.assign(static_cast<std::size_t>(net::world.pes) + 1, 0);
  for (const lb::PeIndex pe : part.objects.pe) ++first_of_pe[pe + 1];
  for (std::size_t pe = 1; pe < first_of_pe.size(); ++pe) first_of_pe[pe] += first_of_pe[pe - 1];
}

void send_places(const TeamShares& shares, Plan& plan) {
  const std::vector<int> pinned = gathered(plan.pinned);
  tell_plan(plan);
  plan.pinned = pinned;

  Blocks out(static_cast<std::size_t>(net::world.pes));
  for (std::size_t pe = 0; pe < out.size() && !shares.first_of_pe.empty(); ++pe) {
    const auto own =
        std::as_bytes(std::span(shares.places))
            .subspan(shares.first_of_pe[pe] * sizeof(lb::PeIndex),
                     (shares.first_of_pe[pe + 1] - shares.first_of_pe[pe]) * sizeof(lb::PeIndex));
    out[pe].assign(own.begin(), own.end());
  }
  const Blocks came = exchange_blocks(out);
  if (!computes(net::world.pe)) return;
  const std::vector<std::byte>& own = came[static_cast<std::size_t>(decider_of(net::world.pe))];
  plan.together->own_places.resize(own.size() / sizeof(lb::PeIndex));
  if (!own.empty()) memcpy(plan.together->own_places.data(), own.data(), own.size());
}

MoveTotals move_own_of(const Plan& plan) {
  return plan.step.moves ? objects().move_own(plan.together->own_places) : MoveTotals{};
}

}  // namespace skein::balance
