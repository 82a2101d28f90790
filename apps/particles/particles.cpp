// SPDX-License-Identifier: Apache-2.0
// particles: repelling particles in a plane, drawn towards a point that moves in a circle, so that the crowd,
// and the work with it, drifts from process to process. Shows the advisor: docs/advisor.md explains it.
//
// usage: particles [--steps N] [--advise K]      K: ask for advice every K steps; 0 (default): never
//
// Any number of processes, with advice or without, gives bitwise the same positions.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "cells.hpp"
#include "skein/advisor.hpp"

namespace {

constexpr int kSide = 24;
constexpr int kParticles = 6000;
constexpr double kReach = 1;  // of the force: one cell
constexpr double kStep = 0.02;

struct Arguments {
  int steps = 200;
  int advise = 0;
};

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

void create(Cells& cells) {
  for (std::uint64_t id = 0; id < kParticles; ++id) {
    const double x = static_cast<double>(mixed(2 * id + 1) >> 11) * 0x1p-53;
    const double y = static_cast<double>(mixed(2 * id + 2) >> 11) * 0x1p-53;
    // More particles are at the bottom, where the first strips are.
    const Particle one{id, x * kSide, y * y * kSide, 0, 0};
    if (cells.is_mine(cells.cell_of(one))) cells.particles(cells.cell_of(one)).push_back(one);
  }
}

// Returns the work by the model of this program: candidate pairs.
double pairs_of(Cells& cells, int cell) {
  std::size_t around = 0;
  for (int beside : cells.around(cell)) around += cells.particles(beside).size();
  return static_cast<double>(cells.particles(cell).size() * around);
}

// Computes the new velocities of a cell's particles. Precondition: the halo was fetched.
void accelerate(Cells& cells, int cell, double time, std::vector<Particle>& moved) {
  const std::vector<int> around = cells.around(cell);
  const double centre_x = kSide / 2.0 + kSide / 4.0 * std::cos(time);
  const double centre_y = kSide / 2.0 + kSide / 4.0 * std::sin(time);
  for (const Particle& one : cells.particles(cell)) {
    double fx = 0.3 * (centre_x - one.x), fy = 0.3 * (centre_y - one.y);
    for (int beside : around) {
      for (const Particle& other : cells.particles(beside)) {
        const double dx = one.x - other.x, dy = one.y - other.y;
        const double distance = std::sqrt(dx * dx + dy * dy);
        if (other.id == one.id || distance >= kReach || distance == 0) continue;
        const double push = 4 * (1 - distance) / distance;
        fx += push * dx;
        fy += push * dy;
      }
    }
    Particle next = one;
    next.vx = 0.9 * (one.vx + kStep * fx);
    next.vy = 0.9 * (one.vy + kStep * fy);
    moved.push_back(next);
  }
}

void advance(Cells& cells, const std::vector<Particle>& moved) {
  const auto reflect = [](double& x, double& v) {
    if (x < 0) x = -x, v = -v;
    if (x > kSide) x = 2 * kSide - x, v = -v;
  };
  std::size_t next = 0;
  for (int cell : cells.mine()) {
    for (Particle& one : cells.particles(cell)) {
      one = moved[next++];
      // At most half a cell in a step.
      one.x += std::clamp(kStep * one.vx, -0.5, 0.5);
      one.y += std::clamp(kStep * one.vy, -0.5, 0.5);
      reflect(one.x, one.vx);
      reflect(one.y, one.vy);
    }
  }
  cells.resettle();
}

// Asks for advice and follows it.
void follow_advice(skein::Advisor& advisor, Cells& cells, std::uint64_t steps, bool tell) {
  std::vector<skein::AdvisorElement> elements;
  std::vector<skein::AdvisorEdge> edges;
  std::vector<std::array<float, 3>> positions;
  cells.fetch_halo();
  for (int cell : cells.mine()) {
    const auto id = static_cast<std::uint64_t>(cell);
    const std::size_t bytes = cells.particles(cell).size() * sizeof(Particle);
    elements.push_back({id, pairs_of(cells, cell), bytes});
    positions.push_back({static_cast<float>(cell % kSide), static_cast<float>(cell / kSide), 0});
    for (int beside : cells.around(cell)) {
      if (beside != cell)
        edges.push_back({id, static_cast<std::uint64_t>(beside), static_cast<double>(bytes)});
    }
  }
  const skein::Advice advice = advisor.advise(elements, edges, positions, steps);
  if (tell && advice.awaited)
    std::printf("no advice yet\n");
  else if (tell)
    std::printf(
        "advice: %s, imbalance %.1f %% -> %.1f %%, gain %.3f s; model of the program: rank correlation "
        "%.2f, rmse %.3f\n",
        advice.strategy.c_str(), advice.imbalance_percent, advice.imbalance_after_percent, advice.gain_s,
        advice.model.rank_correlation, advice.model.rmse);
  cells.resettle();
  if (!advice.balance) return;
  const double start = MPI_Wtime();
  cells.reassign(advice.process);
  advisor.moved(MPI_Wtime() - start);
}

struct Totals {
  double fullest = 0, mean = 0;  // pairs, summed over steps
};

void count_pairs(double mine, int processes, Totals& totals) {
  double most = 0, sum = 0;
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  totals.fullest += most;
  totals.mean += sum / processes;
}

// Returns a number that depends on the positions alone, wherever the particles are.
std::uint64_t fingerprint(Cells& cells) {
  std::uint64_t mine = 0, all = 0;
  for (int cell : cells.mine()) {
    for (const Particle& one : cells.particles(cell)) {
      std::uint64_t x = 0, y = 0;
      std::memcpy(&x, &one.x, sizeof x);
      std::memcpy(&y, &one.y, sizeof y);
      mine += mixed(mixed(mixed(one.id) + x) + y);
    }
  }
  MPI_Reduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  return all;
}

void simulate(const Arguments& arguments) {
  int here = 0, processes = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &here);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  Cells cells(MPI_COMM_WORLD, kSide);
  create(cells);
  skein::Advisor advisor(MPI_COMM_WORLD);
  Totals totals;
  for (int step = 0; step < arguments.steps; ++step) {
    cells.fetch_halo();
    const double start = processor_seconds();
    std::vector<Particle> moved;
    double pairs = 0;
    for (int cell : cells.mine()) {
      accelerate(cells, cell, 0.01 * step, moved);
      pairs += pairs_of(cells, cell);
    }
    advisor.add_work(processor_seconds() - start);
    count_pairs(pairs, processes, totals);
    advance(cells, moved);
    if (arguments.advise > 0 && (step + 1) % arguments.advise == 0)
      follow_advice(advisor, cells, static_cast<std::uint64_t>(arguments.advise), here == 0);
  }
  const std::uint64_t print = fingerprint(cells);
  if (here != 0) return;
  std::printf("imbalance of the pairs looked at: %.1f %%\n", 100 * (totals.fullest / totals.mean - 1));
  std::printf("positions: %016llx\n", static_cast<unsigned long long>(print));
}

bool parse(int argc, char** argv, Arguments& arguments) {
  for (int i = 1; i < argc; i += 2) {
    int* const value = std::strcmp(argv[i], "--steps") == 0    ? &arguments.steps
                       : std::strcmp(argv[i], "--advise") == 0 ? &arguments.advise
                                                               : nullptr;
    if (!value || i + 1 == argc) return false;
    *value = std::atoi(argv[i + 1]);
    if (*value < 0) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Arguments arguments;
  int status = 0;
  if (parse(argc, argv, arguments)) {
    simulate(arguments);
  } else {
    std::fprintf(stderr, "usage: particles [--steps N] [--advise K]\n");
    status = 2;
  }
  MPI_Finalize();
  return status;
}
