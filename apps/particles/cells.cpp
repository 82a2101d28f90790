// SPDX-License-Identifier: Apache-2.0
#include "cells.hpp"

#include <algorithm>

Cells::Cells(MPI_Comm comm, int side) : comm_(comm), side_(side) {
  MPI_Comm_rank(comm, &here_);
  MPI_Comm_size(comm, &processes_);
  for (int cell = 0; cell < count(); ++cell) owner_.push_back(cell * processes_ / count());
  held_.resize(static_cast<std::size_t>(count()));
}

std::vector<int> Cells::mine() const {
  std::vector<int> cells;
  for (int cell = 0; cell < count(); ++cell) {
    if (is_mine(cell)) cells.push_back(cell);
  }
  return cells;
}

std::vector<int> Cells::around(int cell) const {
  const int column = cell % side_, row = cell / side_;
  std::vector<int> cells;
  for (int r = std::max(0, row - 1); r <= std::min(side_ - 1, row + 1); ++r) {
    for (int c = std::max(0, column - 1); c <= std::min(side_ - 1, column + 1); ++c)
      cells.push_back(r * side_ + c);
  }
  return cells;
}

int Cells::cell_of(const Particle& particle) const {
  const auto place = [&](double x) { return std::clamp(static_cast<int>(x), 0, side_ - 1); };
  return place(particle.y) * side_ + place(particle.x);
}

std::vector<Particle> Cells::exchange(const std::vector<std::vector<Particle>>& out) {
  const auto processes = static_cast<std::size_t>(processes_);
  std::vector<int> send(processes), send_at(processes), receive(processes), receive_at(processes);
  std::vector<Particle> flat;
  for (std::size_t p = 0; p < processes; ++p) {
    send[p] = static_cast<int>(out[p].size() * sizeof(Particle));
    send_at[p] = static_cast<int>(flat.size() * sizeof(Particle));
    flat.insert(flat.end(), out[p].begin(), out[p].end());
  }
  MPI_Alltoall(send.data(), 1, MPI_INT, receive.data(), 1, MPI_INT, comm_);
  int total = 0;
  for (std::size_t p = 0; p < processes; ++p) {
    receive_at[p] = total;
    total += receive[p];
  }
  std::vector<Particle> in(static_cast<std::size_t>(total) / sizeof(Particle));
  MPI_Alltoallv(flat.data(), send.data(), send_at.data(), MPI_BYTE, in.data(), receive.data(),
                receive_at.data(), MPI_BYTE, comm_);
  return in;
}

// The order of particles in a cell must not depend on where they came from: it decides the sums of forces.
void Cells::settle(const std::vector<Particle>& particles) {
  for (const Particle& one : particles) held_[static_cast<std::size_t>(cell_of(one))].push_back(one);
  for (std::vector<Particle>& cell : held_) std::ranges::sort(cell, {}, &Particle::id);
}

void Cells::forget_others() {
  for (int cell = 0; cell < count(); ++cell) {
    if (!is_mine(cell)) particles(cell).clear();
  }
}

void Cells::fetch_halo() {
  std::vector<std::vector<Particle>> out(static_cast<std::size_t>(processes_));
  for (int cell : mine()) {
    std::vector<int> takers;
    for (int beside : around(cell)) {
      if (!is_mine(beside)) takers.push_back(owner_[static_cast<std::size_t>(beside)]);
    }
    std::ranges::sort(takers);
    takers.erase(std::unique(takers.begin(), takers.end()), takers.end());
    for (int taker : takers) {
      auto& list = out[static_cast<std::size_t>(taker)];
      list.insert(list.end(), particles(cell).begin(), particles(cell).end());
    }
  }
  settle(exchange(out));
}

void Cells::resettle() {
  forget_others();
  std::vector<std::vector<Particle>> out(static_cast<std::size_t>(processes_));
  for (int cell : mine()) {
    std::erase_if(particles(cell), [&](const Particle& one) {
      const int to = cell_of(one);
      if (to == cell) return false;
      out[static_cast<std::size_t>(owner_[static_cast<std::size_t>(to)])].push_back(one);
      return true;
    });
  }
  settle(exchange(out));
}

void Cells::reassign(const std::vector<int>& new_owner) {
  const std::vector<int> cells = mine();
  std::vector<int> owner(owner_.size(), 0);
  std::vector<std::vector<Particle>> out(static_cast<std::size_t>(processes_));
  for (std::size_t k = 0; k < cells.size(); ++k) {
    owner[static_cast<std::size_t>(cells[k])] = new_owner[k];
    if (new_owner[k] == here_) continue;
    auto& list = out[static_cast<std::size_t>(new_owner[k])];
    list.insert(list.end(), particles(cells[k]).begin(), particles(cells[k]).end());
  }
  // Only the old owner of a cell knows the new one.
  MPI_Allreduce(owner.data(), owner_.data(), count(), MPI_INT, MPI_SUM, comm_);
  forget_others();
  settle(exchange(out));
}
