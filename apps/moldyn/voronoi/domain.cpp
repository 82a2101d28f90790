// SPDX-License-Identifier: Apache-2.0
#include "domain.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "apps/common/exchange.hpp"
#include "apps/moldyn/scenario.hpp"

namespace moldyn {

using apps::all_gather, apps::all_to_all, apps::Gathered;

Domain::Domain(MPI_Comm comm, const Parameters& parameters, std::vector<Centre> centres, Clock& clock)
    : comm_(comm),
      parameters_(parameters),
      potential_(parameters.cutoff),
      clock_(clock),
      centres_(std::move(centres)) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &processes_);
  std::vector<int> all(centres_.size());
  std::iota(all.begin(), all.end(), 0);
  skein::for_each_index(parameters.grid.cells, [&](const skein::Index3& cell) {
    for (const Atom& atom : initial_atoms(parameters, cell))
      if (owner_of(centres_, all, atom.x) == rank_) atoms_.push_back(atom);
  });
  forces_.resize(atoms_.size());
}

void Domain::set_at_rest(const Vec3& drift) {
  for (Atom& atom : atoms_) atom.v -= drift;
}

void Domain::kick() {
  for (std::size_t i = 0; i < atoms_.size(); ++i) atoms_[i].v += 0.5 * parameters_.time_step * forces_[i];
}

void Domain::drift() {
  const Clock::Busy busy(clock_);
  const double most = parameters_.margin / 2;
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    atoms_[i].x += parameters_.time_step * atoms_[i].v;
    const Vec3 moved = atoms_[i].x - settled_at_[i];
    if (!(dot(moved, moved) < most * most))
      throw std::runtime_error("atom " + std::to_string(atoms_[i].id) +
                               " moved more than half the margin of " + std::to_string(parameters_.margin) +
                               " in " + std::to_string(parameters_.settle) +
                               " steps, so that pairs may have been missed: use a larger --margin, or let "
                               "atoms change domains more often by --settle");
  }
  clock_.work(instructions::move_atom * static_cast<double>(atoms_.size()));
}

// ---- who has which atom

void Domain::settle() {
  send_to_owners();
  exchange_halo();
  const Clock::Busy busy(clock_);
  const std::uint64_t candidates = list_.find(places_, number_, parameters_.reach());
  clock_.work_on_forces(instructions::candidate * static_cast<double>(candidates));
}

double Domain::radius() const {
  double most2 = 0;
  for (const Atom& atom : atoms_) {
    const Vec3 apart = atom.x - centres_[static_cast<std::size_t>(rank_)].at;
    most2 = std::max(most2, dot(apart, apart));
  }
  return std::sqrt(most2);
}

void Domain::send_to_owners() {
  std::vector<std::vector<Atom>> out(static_cast<std::size_t>(processes_));
  {
    const Clock::Busy busy(clock_);
    const std::vector<int> candidates = candidates_near(centres_, rank_, radius());
    for (const Atom& atom : atoms_)
      out[static_cast<std::size_t>(owner_of(centres_, candidates, atom.x))].push_back(atom);
    const auto size = static_cast<double>(atoms_.size());
    clock_.work(instructions::centre_test * (1 + static_cast<double>(candidates.size())) * size);
    for (std::size_t q = 0; q < out.size(); ++q) {
      if (static_cast<int>(q) == rank_ || out[q].empty()) continue;
      clock_.work(machine::message + instructions::pack_atom * static_cast<double>(out[q].size()));
    }
  }
  clock_.barrier();
  const Gathered<Atom> in = all_to_all(comm_, out);
  const Clock::Busy busy(clock_);
  for (int q = 0; q < processes_; ++q) {
    if (q == rank_ || in.part(q).empty()) continue;
    clock_.work(machine::message + instructions::pack_atom * static_cast<double>(in.part(q).size()));
  }
  atoms_ = in.all;
  std::ranges::sort(atoms_, {}, &Atom::id);
  settled_at_.clear();
  for (const Atom& atom : atoms_) settled_at_.push_back(atom.x);
  for (std::vector<double>* const values : {&density_, &energy_}) values->assign(atoms_.size(), 0);
  forces_.assign(atoms_.size(), {});
}

// Both the sphere and the wall bound the places of q's atoms, so that no atom within reach is left out.
std::vector<std::vector<std::uint32_t>> Domain::needed_by(const std::vector<double>& radii) const {
  const auto here = static_cast<std::size_t>(rank_);
  const double reach = (1 + 1e-9) * parameters_.reach();  // for rounding
  std::vector<std::vector<std::uint32_t>> needed(centres_.size());
  double tests = 0;
  for (std::size_t q = 0; q < centres_.size(); ++q) {
    if (q == here || radii[q] < 0) continue;
    const Vec3 apart = centres_[q].at - centres_[here].at;
    const double distance = std::sqrt(dot(apart, apart)), sphere = radii[q] + reach;
    if (distance > radii[here] + sphere) continue;
    for (std::uint32_t i = 0; i < atoms_.size(); ++i) {
      const Vec3 from_centre = atoms_[i].x - centres_[q].at;
      const double over = centres_[q].measure(atoms_[i].x) - centres_[here].measure(atoms_[i].x);
      if (dot(from_centre, from_centre) < sphere * sphere && over < 2 * distance * reach)
        needed[q].push_back(i);
    }
    tests += 2 * static_cast<double>(atoms_.size());
  }
  clock_.work(instructions::centre_test * tests);
  return needed;
}

void Domain::exchange_halo() {
  // The radius is negative for a process without atoms: it needs none.
  const Gathered<double> radii = all_gather(comm_, std::vector<double>{atoms_.empty() ? -1 : radius()});
  clock_.barrier();
  const std::vector<std::vector<std::uint32_t>> needed = [&] {
    const Clock::Busy busy(clock_);
    return needed_by(radii.all);
  }();
  std::vector<std::vector<Ghost>> out(needed.size());
  for (std::size_t q = 0; q < needed.size(); ++q)
    for (const std::uint32_t i : needed[q]) out[q].push_back({atoms_[i].id, atoms_[i].x});
  const Gathered<Ghost> in = all_to_all(comm_, out);

  const Clock::Busy busy(clock_);
  std::vector<std::uint64_t> ids;
  for (const Atom& atom : atoms_) ids.push_back(atom.id);
  for (const Ghost& ghost : in.all) ids.push_back(ghost.id);
  std::ranges::sort(ids);
  const auto number_of = [&](std::uint64_t id) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(ids, id) - ids.begin());
  };
  places_.resize(ids.size());
  slopes_.assign(ids.size(), 0);
  number_.clear();
  for (const Atom& atom : atoms_) {
    number_.push_back(number_of(atom.id));
    places_[number_.back()] = atom.x;
  }
  std::vector<Halo::Partner> partners;
  double packed = 0;
  for (int q = 0; q < processes_; ++q) {
    Halo::Partner partner{q, {}, {}};
    for (const std::uint32_t i : needed[static_cast<std::size_t>(q)]) partner.to.push_back(number_[i]);
    for (const Ghost& ghost : in.part(q)) {
      partner.from.push_back(number_of(ghost.id));
      places_[partner.from.back()] = ghost.x;
    }
    if (partner.to.empty() && partner.from.empty()) continue;
    packed += static_cast<double>(partner.to.size() + partner.from.size());
    partners.push_back(std::move(partner));
  }
  clock_.work(instructions::settle_atom * static_cast<double>(ids.size()));
  clock_.work(instructions::pack_atom * packed + 2 * machine::message * static_cast<double>(partners.size()));
  halo_ = Halo(comm_, std::move(partners));
}

// ---- forces

void Domain::compute_forces() {
  {
    const Clock::Busy busy(clock_);
    for (std::size_t i = 0; i < atoms_.size(); ++i) places_[number_[i]] = atoms_[i].x;
  }
  halo_.exchange(std::span(places_), clock_);
  {
    const Clock::Busy busy(clock_);
    list_.sum_terms(potential_, places_, density_, energy_);
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
      energy_[i] += potential_.embedding(density_[i]);
      slopes_[number_[i]] = potential_.embedding_slope(density_[i]);
    }
    clock_.work_on_forces(instructions::density_pair * static_cast<double>(list_.pairs()));
  }
  halo_.exchange(std::span(slopes_), clock_);
  const Clock::Busy busy(clock_);
  list_.sum_forces(potential_, places_, slopes_, forces_);
  clock_.work_on_forces(instructions::force_pair * static_cast<double>(list_.pairs()));
}

// ---- results

std::vector<FinalAtom> Domain::final_atoms() const {
  std::vector<FinalAtom> atoms;
  for (std::size_t i = 0; i < atoms_.size(); ++i) atoms.push_back({atoms_[i], forces_[i]});
  return atoms;
}

Totals Domain::totals() const {
  Totals totals;
  for (const Atom& atom : atoms_) totals.add(atom);
  for (const double energy : energy_) totals.potential += energy;
  return totals;
}

}  // namespace moldyn
