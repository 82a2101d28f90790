// SPDX-License-Identifier: Apache-2.0
#include <cinttypes>
#include <cstdio>

#include "balance.hpp"
#include "skein/advisor.hpp"

namespace barneshut {
namespace {

/// A name that no other cell has at any time: its lowest bit that is set tells the level.
std::uint64_t id_of(const Octant& cell) { return 2 * cell.first + cell.keys(); }

std::string told_of(const skein::Advice& advice) {
  if (advice.awaited) return "no advice yet";
  char line[200];
  std::snprintf(line, sizeof line, "advice: %s, imbalance %.1f %%, expected %.1f %%, %" PRIu64 " calls late",
                advice.strategy.c_str(), advice.imbalance_percent, advice.imbalance_after_percent,
                advice.calls_late);
  return line;
}

}  // namespace

struct Adviser::State {
  MPI_Comm comm;
  int rank;
  skein::Advisor advisor;
};

Adviser::Adviser(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  state_ = std::unique_ptr<State>(new State{comm, rank, skein::Advisor(comm)});
}
Adviser::~Adviser() = default;

void Adviser::add_work(double seconds) { state_->advisor.add_work(seconds); }

std::vector<int> Adviser::advise(const Domain& domain, int steps, std::string& told) {
  std::vector<skein::AdvisorElement> elements;
  std::vector<std::array<float, 3>> places;
  for (std::size_t k = 0; k < domain.pieces().size(); ++k) {
    if (domain.owners()[k] != state_->rank) continue;
    const PieceWork& piece = domain.pieces()[k];
    elements.push_back({id_of(piece.cell), static_cast<double>(piece.work), piece.bodies * sizeof(Body)});
    places.push_back({static_cast<float>(piece.place.x), static_cast<float>(piece.place.y),
                      static_cast<float>(piece.place.z)});
  }
  const skein::Advice advice =
      state_->advisor.advise(elements, {}, places, static_cast<std::uint64_t>(steps));
  if (state_->rank == 0) told = told_of(advice);

  const Gathered<int> gathered = all_gather(state_->comm, advice.process);
  std::vector<int> owners;
  std::vector<std::size_t> next(gathered.counts.size());
  for (const int owner : domain.owners())
    owners.push_back(gathered.part(owner)[next[static_cast<std::size_t>(owner)]++]);
  return owners;
}

}  // namespace barneshut
