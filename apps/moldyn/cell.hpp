// SPDX-License-Identifier: Apache-2.0
// The atoms of one cell, moved by the velocity Verlet method: an element of a 3-D array.
#pragma once

#include <array>

#include "director.hpp"
#include "pair.hpp"
#include "parameters.hpp"
#include "post.hpp"
#include "totals.hpp"

namespace moldyn {

class Cell : public skein::Chare<Cell, skein::Index3> {
 public:
  Cell() = default;
  Cell(const Parameters& parameters, skein::Array<Pair> pairs, skein::Array<Director> director)
      : parameters_(parameters), pairs_(pairs), director_(director) {
    pe_of_pair_.fill(-1);
  }
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& parameters_& pairs_& director_& posts_& step_& atoms_& forces_& settled_at_& awake_& pe_of_pair_;
  }

  /// Makes the atoms, and the pairs that have this cell as their first, and contributes the totals of the
  /// atoms.
  void populate(skein::Array<Post> posts);
  /// Begins the first step, after subtracting `drift` from each velocity, so that the whole is at rest.
  void start(const Vec3& drift);
  /// Gets an answer from a pair, one for each frame that was sent to it.
  void take_push(DirectedPush push);
  /// Gets the answers of the pairs on another PE.
  void take_pushes(std::vector<DirectedPush> pushes);
  /// Gets atoms from a neighbour when atoms change cells; perhaps before this cell has come so far.
  void take_atoms(const std::vector<Atom>& atoms);
  void resume_from_sync();
  /// Contributes the atoms, to be written.
  void give_atoms();

 private:
  enum class Awaits : std::int32_t { start, atoms, pushes, resume };

  void begin_step();
  void send_leavers();
  void settle();
  void send_frame(bool settled);
  void send_to_pairs(const SharedFrame& frame);
  void sum_pushes();
  void end_step();
  void report();
  void kick();
  void check_margin() const;
  std::vector<FinalAtom> final_atoms() const;

  Parameters parameters_;
  skein::Array<Pair> pairs_;
  skein::Array<Director> director_;
  skein::Array<Post> posts_;
  std::int32_t step_ = 0;
  std::vector<Atom> atoms_;                   // by ascending id since they settled
  std::vector<Vec3> forces_;                  // on each
  std::vector<Vec3> settled_at_;              // places of the atoms when they settled
  std::array<bool, directions> awake_{};      // pairs that want frames
  std::array<int, directions> pe_of_pair_{};  // when it last answered; negative: never

  // State of the step under way; empty while the element moves.
  Awaits awaits_ = Awaits::start;
  int pushes_missing_ = 0;
  int atoms_missing_ = directions - 1;
  std::array<Push, directions> pushes_;
  std::vector<Atom> arrived_;
};

}  // namespace moldyn
