// SPDX-License-Identifier: Apache-2.0
// The atoms of one process: those that its centre owns since they settled. Around them are its *halo*, atoms
// of others that act on its own.
//
// As ddcMD does, each process tells the radius of the sphere around its centre that holds its atoms. Whoever
// has an atom sends it to every process whose sphere, and whose side of the wall between the two, it is
// within reach of.
#pragma once

#include <vector>

#include "apps/moldyn/parameters.hpp"
#include "apps/moldyn/totals.hpp"
#include "centres.hpp"
#include "clock.hpp"
#include "halo.hpp"
#include "neighbour_list.hpp"

namespace moldyn {

class Domain {
 public:
  /// The atoms of the scenario that this process owns; they have to settle. Collective.
  Domain(MPI_Comm comm, const Parameters& parameters, std::vector<Centre> centres, Clock& clock);

  const std::vector<Atom>& atoms() const { return atoms_; }
  const std::vector<Centre>& centres() const { return centres_; }
  std::size_t halo_atoms() const { return places_.size() - atoms_.size(); }
  std::vector<FinalAtom> final_atoms() const;
  Totals totals() const;

  /// Takes `drift` from each velocity.
  void set_at_rest(const Vec3& drift);
  /// A kick of half a step.
  void kick();
  /// Moves the atoms on for a step. Throws std::runtime_error where one goes too far for the lists.
  void drift();

  void move_centres(std::vector<Centre> centres) { centres_ = std::move(centres); }
  /// Atoms go to their owners, and lists are made anew. Collective.
  void settle();
  /// Collective. Precondition: settled.
  void compute_forces();

  /// How many neighbours are listed for an atom.
  std::uint64_t pairs_of(std::size_t atom) const { return list_.pairs_of(atom); }

 private:
  struct Ghost {
    std::uint64_t id;
    Vec3 x;
  };

  void send_to_owners();
  std::vector<std::vector<std::uint32_t>> needed_by(const std::vector<double>& radii) const;
  void exchange_halo();
  double radius() const;

  MPI_Comm comm_;
  int rank_ = 0, processes_ = 1;
  Parameters parameters_;
  EmbeddedAtom potential_;
  Clock& clock_;
  std::vector<Centre> centres_;

  // By ascending id, the atoms of this process.
  std::vector<Atom> atoms_;
  std::vector<Vec3> forces_, settled_at_;
  std::vector<double> density_, energy_;  // energy_: potential
  std::vector<std::uint32_t> number_;     // of each among all atoms here
  // By number, which ascends with the id: the same and the halo.
  std::vector<Vec3> places_;
  std::vector<double> slopes_;  // of the embedding
  Halo halo_;
  NeighbourList list_;
};

}  // namespace moldyn
