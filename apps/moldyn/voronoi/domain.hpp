// SPDX-License-Identifier: Apache-2.0
// The atoms of one process: those that its centre owned when they last settled. Around them is its *halo*,
// atoms of others that act on its own.
//
// As in ddcMD, each process publishes the radius of the sphere around its centre that holds its atoms. The
// owner of an atom sends it to every process for which the atom is within reach both of the sphere and of its
// side of the wall between the two.
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
  /// Makes the atoms of the scenario that this process owns; they have to settle. Collective.
  Domain(MPI_Comm comm, const Parameters& parameters, std::vector<Centre> centres, Clock& clock);

  const std::vector<Atom>& atoms() const { return atoms_; }
  const std::vector<Centre>& centres() const { return centres_; }
  std::size_t halo_atoms() const { return places_.size() - atoms_.size(); }
  std::vector<FinalAtom> final_atoms() const;
  Totals totals() const;

  /// Subtracts `drift` from each velocity.
  void set_at_rest(const Vec3& drift);
  /// Makes a kick of half a step.
  void kick();
  /// Moves the atoms for a step. Throws std::runtime_error if one moves too far for the lists.
  void drift();

  void move_centres(std::vector<Centre> centres) { centres_ = std::move(centres); }
  /// Sends atoms to their owners, and makes the lists anew. Collective.
  void settle();
  /// Computes the forces. Collective. Precondition: settled.
  void compute_forces();

  /// Returns the number of neighbours listed for an atom.
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

  // The atoms of this process, by ascending id.
  std::vector<Atom> atoms_;
  std::vector<Vec3> forces_, settled_at_;
  std::vector<double> density_, energy_;  // energy_: potential
  std::vector<std::uint32_t> number_;     // of each among all atoms here
  // By number, which ascends with the id: these atoms and the halo.
  std::vector<Vec3> places_;
  std::vector<double> slopes_;  // of the embedding
  Halo halo_;
  NeighbourList list_;
};

}  // namespace moldyn
