// SPDX-License-Identifier: Apache-2.0
// The decomposition of the example: a square of cells, each of which belongs to one process.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <vector>

struct Particle {
  std::uint64_t id;
  double x, y, vx, vy;
};

class Cells {
 public:
  // Makes `side` x `side` cells of width 1, dealt out in strips.
  Cells(MPI_Comm comm, int side);

  int side() const { return side_; }
  int count() const { return side_ * side_; }
  bool is_mine(int cell) const { return owner_[static_cast<std::size_t>(cell)] == here_; }
  std::vector<int> mine() const;
  // Returns the particles of a cell of this process, or after fetch_halo() of one beside it; ascending by id.
  std::vector<Particle>& particles(int cell) { return held_[static_cast<std::size_t>(cell)]; }
  // Returns the cells around one, itself included, ascending.
  std::vector<int> around(int cell) const;
  int cell_of(const Particle& particle) const;

  // Gets the particles of the cells beside those of this process. Collective.
  void fetch_halo();
  // Moves particles that have left their cell to their new cell; forgets the halo. Collective.
  void resettle();
  // Gives cells to other processes: new_owner[k] is the owner of mine()[k]. Collective.
  void reassign(const std::vector<int>& new_owner);

 private:
  // Sends to each process its list; returns the particles received, in the order of senders.
  std::vector<Particle> exchange(const std::vector<std::vector<Particle>>& out);
  void settle(const std::vector<Particle>& particles);
  void forget_others();

  MPI_Comm comm_;
  int here_ = 0, processes_ = 1, side_;
  std::vector<int> owner_;
  std::vector<std::vector<Particle>> held_;
};
