// SPDX-License-Identifier: Apache-2.0
#include "skein/advisor.hpp"

#include <cstdio>

#include "balance.hpp"

namespace dislocations {
namespace {

std::string told_of(const skein::Advice& advice) {
  if (advice.awaited) return "no advice yet";
  char line[300];
  std::snprintf(
      line, sizeof line,
      "advice: %s, imbalance %.1f %%, expected %.1f %%; calipers: imbalance %.1f %%, rank correlation %.3f",
      advice.strategy.c_str(), advice.imbalance_percent, advice.imbalance_after_percent,
      advice.model.modelled.imbalance_percent, advice.model.rank_correlation);
  return line;
}

}  // namespace

struct Adviser::State {
  Box box;
  int rank;
  skein::Advisor advisor;
};

Adviser::Adviser(MPI_Comm comm, const Box& box, int horizon) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  skein::AdvisorOptions options;
  options.horizon_steps = horizon;
  state_ = std::unique_ptr<State>(new State{box, rank, skein::Advisor(comm, options)});
}
Adviser::~Adviser() = default;

void Adviser::add_work(double seconds) { state_->advisor.add_work(seconds); }

std::vector<std::int32_t> Adviser::advise(const std::vector<CellWork>& cells, int steps, std::string& told) {
  std::vector<skein::AdvisorElement> elements;
  std::vector<skein::AdvisorEdge> edges;
  std::vector<std::array<float, 3>> places;
  for (const CellWork& cell : cells) {
    const auto id = static_cast<std::uint64_t>(cell.cell);
    elements.push_back({id, cell.weight, cell.segments * sizeof(Node)});
    const Vec3 middle = state_->box.middle(cell.cell);
    places.push_back(
        {static_cast<float>(middle.x), static_cast<float>(middle.y), static_cast<float>(middle.z)});
    if (cell.segments == 0) continue;
    for (const std::int32_t beside : state_->box.around(cell.cell))
      if (beside != cell.cell)
        edges.push_back(
            {id, static_cast<std::uint64_t>(beside), static_cast<double>(cell.segments * sizeof(Segment))});
  }
  const skein::Advice advice =
      state_->advisor.advise(elements, edges, places, static_cast<std::uint64_t>(steps));
  if (state_->rank == 0) told = told_of(advice);
  return {advice.process.begin(), advice.process.end()};
}

}  // namespace dislocations
