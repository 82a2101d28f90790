// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <numeric>

#include "move_centres.hpp"

namespace moldyn {
namespace {

/// The load and atoms that a process would own.
struct Contents {
  double load = 0, atoms = 0;
  Vec3 sum;
};

/// Sums contents over all processes; the result is equal on all. Collective.
std::vector<Contents> contents_of(MPI_Comm comm, std::span<const Centre> centres,
                                  std::span<const SampledAtom> sample) {
  std::vector<int> all(centres.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<Contents> contents(centres.size());
  for (const SampledAtom& atom : sample) {
    Contents& into = contents[static_cast<std::size_t>(owner_of(centres, all, atom.x))];
    into.load += atom.load;
    ++into.atoms;
    into.sum += atom.x;
  }
  static_assert(sizeof(Contents) == 5 * sizeof(double));
  const int count = static_cast<int>(5 * contents.size());
  // MPI_Allreduce might round differently on other processes.
  std::vector<Contents> sums(contents.size());
  MPI_Reduce(contents.data(), sums.data(), count, MPI_DOUBLE, MPI_SUM, 0, comm);
  MPI_Bcast(sums.data(), count, MPI_DOUBLE, 0, comm);
  return sums;
}

double squared_distance_to_next(std::span<const Centre> centres, std::size_t p) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t q = 0; q < centres.size(); ++q) {
    const Vec3 apart = centres[q].at - centres[p].at;
    if (q != p) least = std::min(least, dot(apart, apart));
  }
  return least;
}

std::vector<Centre> adapted(std::span<const Centre> centres, std::span<const Contents> contents,
                            double wanted, double rate) {
  std::vector<Centre> next(centres.begin(), centres.end());
  for (std::size_t p = 0; p < next.size(); ++p) {
    const Contents& has = contents[p];
    // Between centres at distance d, a difference of biases of d^2 moves the wall by d / 2.
    const double lacks = (wanted - has.load) / std::max(wanted, has.load);  // between -1 and 1
    next[p].bias += rate * lacks * squared_distance_to_next(centres, p);
    if (has.atoms > 0) next[p].at = 1 / has.atoms * has.sum;
  }
  return next;
}

}  // namespace

double koradi_cost(const Koradi& koradi, std::size_t processes, std::size_t sample) {
  const auto p = static_cast<double>(processes);
  return koradi.steps * instructions::centre_test * p * (static_cast<double>(sample) + p);
}

std::vector<Centre> koradi(MPI_Comm comm, std::vector<Centre> centres, std::span<const SampledAtom> sample,
                           const Koradi& koradi, Clock& clock) {
  std::vector<Centre> best = centres;
  double least = std::numeric_limits<double>::infinity();
  for (int step = 0; step < koradi.steps; ++step) {
    clock.barrier();
    const Clock::Busy busy(clock);
    const std::vector<Contents> contents = contents_of(comm, centres, sample);
    clock.work(koradi_cost(koradi, centres.size(), sample.size()) / koradi.steps);
    double all = 0, most = 0;
    for (const Contents& has : contents) all += has.load, most = std::max(most, has.load);
    if (all <= 0) return best;
    const double wanted = all / static_cast<double>(centres.size());
    if (most < least) least = most, best = centres;
    if (most <= koradi.tolerance * wanted) break;
    centres = adapted(centres, contents, wanted, koradi.rate);
  }
  return best;
}

}  // namespace moldyn
