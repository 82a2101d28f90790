// SPDX-License-Identifier: Apache-2.0
// Domain::cut_anew().
#include <algorithm>
#include <numeric>

#include "domain.hpp"

namespace barneshut {
namespace {

PieceWork work_of_piece(const Root& root, const Octant& cell, std::span<const Body> bodies) {
  PieceWork piece;
  piece.cell = cell;
  piece.bodies = bodies.size();
  double mass = 0;
  for (const Body& body : bodies) {
    piece.work += work_of(body);
    piece.place += body.mass * body.x;
    mass += body.mass;
  }
  piece.place = mass > 0 ? 1 / mass * piece.place : root.middle_of(cell);
  return piece;
}

std::uint64_t sum_of_work(std::span<const Body> bodies) {
  return std::accumulate(bodies.begin(), bodies.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Body& body) { return sum + work_of(body); });
}

bool are_children(std::span<const Octant> eight, const Octant& parent) {
  for (int which = 0; which < 8; ++which)
    if (eight[static_cast<std::size_t>(which)] != parent.child(which)) return false;
  return true;
}

/// Joins the eight children of a cell if together they have no more than `most`, as often as possible. Pieces
/// are in the order of keys, so eight children are complete when their last is added.
std::vector<Octant> joined_cells(std::span<const Octant> cells, std::span<const Body> bodies,
                                 std::uint64_t most) {
  std::vector<Octant> result;
  for (const Octant& cell : cells) {
    result.push_back(cell);
    while (result.size() >= 8 && result.back().level > 0) {
      Octant parent = result.back();
      --parent.level;
      parent.first -= parent.first % parent.keys();
      if (!are_children(std::span(result).last(8), parent) || sum_of_work(bodies_of(bodies, parent)) > most)
        break;
      result.resize(result.size() - 8);
      result.push_back(parent);
    }
  }
  return result;
}

}  // namespace

void Domain::cut_anew() {
  std::uint64_t all_work = sum_of_work(bodies_);
  MPI_Allreduce(MPI_IN_PLACE, &all_work, 1, MPI_UINT64_T, MPI_SUM, comm_);
  const std::uint64_t most = all_work / static_cast<std::uint64_t>(parameters_.pieces);

  std::vector<Octant> fine;
  for (std::size_t k = 0; k < cells_.size(); ++k)
    if (is_mine(k)) cut(parameters_.rules, cells_[k], bodies_of(bodies_, cells_[k]), most, fine);
  std::vector<PieceWork> mine;
  for (const Octant& cell : joined_cells(fine, bodies_, most / 2))
    mine.push_back(work_of_piece(parameters_.rules.root, cell, bodies_of(bodies_, cell)));

  const Gathered<PieceWork> gathered = all_gather(comm_, mine);
  std::vector<std::pair<PieceWork, int>> all;
  for (int process = 0; process < processes_; ++process)
    for (const PieceWork& piece : gathered.part(process)) all.emplace_back(piece, process);
  std::ranges::sort(all, {}, [](const auto& entry) { return entry.first.cell.first; });
  cells_.clear(), owners_.clear(), works_.clear();
  for (const auto& [piece, owner] : all) {
    cells_.push_back(piece.cell);
    owners_.push_back(owner);
    works_.push_back(piece);
  }
}

}  // namespace barneshut
