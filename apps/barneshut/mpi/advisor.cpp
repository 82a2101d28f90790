// SPDX-License-Identifier: Apache-2.0
#include <cinttypes>
#include <cstdio>
#include <map>
#include <stdexcept>

#include "apps/barneshut/piece_interactions.hpp"
#include "balance.hpp"
#include "skein/advisor.hpp"

namespace barneshut {
namespace {

/// Returns a number unique to the cell at all times: its lowest set bit gives the level.
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

  void tell_interactions(const Domain& domain);
};

/// Tells interactions: a piece and the pieces whose bodies interact with it are one, whose bytes each process
/// with one of these needs. The process that has the piece tells it. Collective.
void Adviser::State::tell_interactions(const Domain& domain) {
  std::vector<Octant> cells;
  for (const PieceWork& piece : domain.pieces()) cells.push_back(piece.cell);
  std::vector<PieceInteraction> mine;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (domain.owners()[k] != rank) continue;
    const auto found = sampled_interactions(domain.gravity(), domain.whole_tree(), cells, k,
                                            bodies_of(domain.bodies(), cells[k]));
    mine.insert(mine.end(), found.begin(), found.end());
  }
  std::map<std::int64_t, skein::AdvisorInteraction> of;
  for (const PieceInteraction& one : all_gather(comm, mine).all) {
    if (domain.owners()[static_cast<std::size_t>(one.with)] != rank) continue;
    skein::AdvisorInteraction& interaction = of[one.with];
    if (interaction.elements.empty())
      interaction.elements.push_back(id_of(cells[static_cast<std::size_t>(one.with)]));
    interaction.elements.push_back(id_of(cells[static_cast<std::size_t>(one.from)]));
    interaction.bytes =
        std::max(interaction.bytes, static_cast<double>(one.nodes) * static_cast<double>(sizeof(Node)));
  }
  std::vector<skein::AdvisorInteraction> told;
  for (const auto& [piece, interaction] : of) told.push_back(interaction);
  advisor.tell_interactions(told);
}

Adviser::Adviser(MPI_Comm comm, const Asking& asking) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  skein::AdvisorOptions options;
  options.strategy = asking.strategy;
  options.horizon_steps = asking.horizon;
  try {
    state_ = std::unique_ptr<State>(new State{comm, rank, skein::Advisor(comm, options)});
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error("--advice: " + std::string(error.what()));
  }
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
  state_->tell_interactions(domain);
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
