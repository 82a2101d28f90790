// SPDX-License-Identifier: Apache-2.0
#include "cell.hpp"

#include <algorithm>
#include <stdexcept>

#include "scenario.hpp"

namespace moldyn {

void Cell::populate(skein::Array<Post> posts) {
  posts_ = posts;
  atoms_ = initial_atoms(parameters_, index());
  for (int direction = self_direction; direction < directions; ++direction)
    pairs_[pair_of(parameters_.grid, index(), direction).index].insert_on(skein::this_pe(), parameters_,
                                                                          array(), posts);
  Totals totals;
  for (const Atom& atom : atoms_) totals.add(atom);
  contribute(totals, skein::sum, skein::to<&Director::populated>(director_[0]));
}

void Cell::start(const Vec3& drift) {
  for (Atom& atom : atoms_) atom.v -= drift;
  settle();
}

// ---- a step: half a kick, drift, forces at the new places, half a kick

void Cell::begin_step() {
  ++step_;
  kick();
  for (Atom& atom : atoms_) atom.x += parameters_.time_step * atom.v;
  check_margin();
  if (!parameters_.settles_at(step_)) return send_frame(false);
  send_leavers();
  awaits_ = Awaits::atoms;
  if (atoms_missing_ == 0) settle();
}

void Cell::kick() {
  for (std::size_t i = 0; i < atoms_.size(); ++i) atoms_[i].v += 0.5 * parameters_.time_step * forces_[i];
}

void Cell::take_push(DirectedPush push) {
  const auto direction = static_cast<std::size_t>(push.direction);
  pushes_[direction] = std::move(push.push);
  pe_of_pair_[direction] = push.pe;
  if (--pushes_missing_ == 0) end_step();
}

void Cell::take_pushes(std::vector<DirectedPush> pushes) {
  for (DirectedPush& push : pushes) take_push(std::move(push));
}

// Sums in the order of directions, so that forces are bitwise equal in whatever order messages come.
void Cell::sum_pushes() {
  forces_.assign(atoms_.size(), {});
  for (std::size_t d = 0; d < directions; ++d) {
    if (!awake_[d]) continue;
    for (std::size_t i = 0; i < pushes_[d].forces.size(); ++i) forces_[i] += pushes_[d].forces[i];
    awake_[d] = !pushes_[d].sleeps;
  }
}

void Cell::end_step() {
  sum_pushes();
  if (step_ > 0) kick();
  if (parameters_.reports_at(step_)) report();
  pushes_ = {};
  if (step_ == parameters_.steps) return;
  if (!parameters_.synchronizes_at(step_)) return begin_step();
  awaits_ = Awaits::resume;
  at_sync();
}

void Cell::resume_from_sync() { begin_step(); }

// ---- pairs

void Cell::send_frame(bool settled) {
  auto frame = std::make_shared<Frame>(Frame{settled, parameters_.synchronizes_at(step_), {}});
  frame->places.reserve(atoms_.size());
  for (const Atom& atom : atoms_) frame->places.push_back(atom.x);
  awaits_ = Awaits::pushes;
  pushes_missing_ = static_cast<int>(std::ranges::count(awake_, true));
  if (pushes_missing_ == 0) return end_step();
  send_to_pairs(frame);
}

void Cell::send_to_pairs(const SharedFrame& frame) {
  std::map<int, std::uint32_t> directions_on;  // of other PEs
  for (int direction = 0; direction < directions; ++direction) {
    if (!awake_[static_cast<std::size_t>(direction)]) continue;
    const int pe = pe_of_pair_[static_cast<std::size_t>(direction)];
    if (pe >= 0 && pe != skein::this_pe()) {
      directions_on[pe] |= std::uint32_t{1} << direction;
      continue;
    }
    const PairName pair = pair_of(parameters_.grid, index(), direction);
    pairs_[pair.index].send<&Pair::take>(pair.side, frame, AnswerBy::itself);
  }
  for (const auto& [pe, to_directions] : directions_on)
    posts_[pe].send<&Post::hand_out>(index(), to_directions, frame);
}

// ---- atoms that change cells

void Cell::check_margin() const {
  const double most = parameters_.margin / 2;
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    const Vec3 moved = atoms_[i].x - settled_at_[i];
    if (dot(moved, moved) > most * most)
      throw std::runtime_error("atom " + std::to_string(atoms_[i].id) +
                               " moved more than half the margin of " + std::to_string(parameters_.margin) +
                               " in " + std::to_string(parameters_.settle) +
                               " steps, so that pairs may have been missed: use a larger --margin, or let "
                               "atoms change cells more often by --settle");
  }
}

void Cell::send_leavers() {
  const Grid& grid = parameters_.grid;
  std::array<std::vector<Atom>, directions> to;
  for (Atom& atom : atoms_) {
    atom.x = grid.wrapped(atom.x);
    to[static_cast<std::size_t>(grid.direction_to(index(), grid.cell_of(atom.x)))].push_back(atom);
  }
  atoms_ = std::move(to[self_direction]);
  for (int direction = 0; direction < directions; ++direction)
    if (direction != self_direction)
      array()[grid.neighbour(index(), direction)].send<&Cell::take_atoms>(
          std::move(to[static_cast<std::size_t>(direction)]));
}

void Cell::take_atoms(const std::vector<Atom>& atoms) {
  arrived_.insert(arrived_.end(), atoms.begin(), atoms.end());
  if (--atoms_missing_ == 0 && awaits_ == Awaits::atoms) settle();
}

void Cell::settle() {
  atoms_.insert(atoms_.end(), arrived_.begin(), arrived_.end());
  arrived_.clear();
  atoms_missing_ = directions - 1;
  std::ranges::sort(atoms_, {}, &Atom::id);
  settled_at_.clear();
  for (const Atom& atom : atoms_) settled_at_.push_back(atom.x);
  awake_.fill(true);
  send_frame(true);
}

// ---- results

void Cell::report() {
  Totals totals;
  for (const Atom& atom : atoms_) totals.add(atom);
  for (const Push& push : pushes_) {
    totals.potential += push.energies.potential;
    totals.virial += push.energies.virial;
  }
  std::uint64_t print = 0;
  for (const FinalAtom& atom : final_atoms()) print += fingerprint(atom);
  contribute(Report{totals, print, step_, static_cast<std::int32_t>(atoms_.size())}, add_reports,
             skein::to<&Director::report>(director_[0]));
}

std::vector<FinalAtom> Cell::final_atoms() const {
  std::vector<FinalAtom> atoms;
  for (std::size_t i = 0; i < atoms_.size(); ++i) atoms.push_back({atoms_[i], forces_[i]});
  return atoms;
}

void Cell::give_atoms() {
  contribute(final_atoms(), skein::concat, skein::to<&Director::write>(director_[0]));
}

}  // namespace moldyn
