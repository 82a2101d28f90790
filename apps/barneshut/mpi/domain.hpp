// SPDX-License-Identifier: Apache-2.0
// The bodies of one process: those of its pieces, which are cells of the octree. Each process sends to each
// other process the parts of its pieces' trees that the other's bodies need: the locally essential tree of J.
// K. Salmon, "Parallel hierarchical N-body methods", PhD thesis, Caltech 1991, and of M. S. Warren, J. K.
// Salmon, "Astrophysical N-body simulations using hierarchical tree data structures", Supercomputing 1992.
// Each process builds the tree above the pieces from the pieces' moments, the "branch nodes" of Warren and
// Salmon, 1993.
//
// Since no process has part of a piece, and the tree follows from the bodies (tree.hpp), all bodies are
// bitwise equal on any number of processes, however pieces are cut and assigned. This holds for one
// processor, compiler and C library: sampling the scenario uses pow, sin and cos of the library.
#pragma once

#include <vector>

#include "apps/barneshut/parameters.hpp"
#include "apps/common/exchange.hpp"

namespace barneshut {

using apps::all_gather;
using apps::all_to_all;
using apps::gather;
using apps::Gathered;

/// A piece as partitions see it.
struct PieceWork {
  Octant cell;
  Vec3 place;              ///< centre of mass, or the middle if it has no bodies
  std::uint64_t work = 0;  ///< interactions of its bodies when forces were last computed
  std::uint64_t bodies = 0;
};

class Domain {
 public:
  /// Starts with this process's part of the scenario: equally many pieces for each process, as no work is
  /// known yet. Collective.
  Domain(MPI_Comm comm, const Parameters& parameters);

  std::vector<Body>& bodies() { return bodies_; }
  const std::vector<Body>& bodies() const { return bodies_; }
  const Gravity& gravity() const { return parameters_.gravity; }
  /// Brings bodies that have moved to the processes of their pieces. Collective. Throws like locate(); all
  /// processes throw an error of one alike.
  void settle();
  /// Sets acceleration, potential and interactions of all bodies. Collective. Precondition: settled.
  void attract();
  /// Returns the tree that attracted the bodies of this process.
  const Tree& whole_tree() const { return whole_; }
  /// Returns the processor seconds that attract() has used since the last call.
  double take_work_s();

  /// Cuts pieces with too much work, and joins those of this process with too little. Each stays where it is.
  /// Collective. Precondition: attract() was the last call that changed bodies.
  void cut_anew();
  /// Returns all pieces, after cut_anew().
  const std::vector<PieceWork>& pieces() const { return works_; }
  /// Returns the process of each of pieces().
  const std::vector<int>& owners() const { return owners_; }
  /// Gives pieces to processes; bodies follow by the next settle().
  void reassign(std::vector<int> owners) { owners_ = std::move(owners); }

 private:
  struct SegmentHead {
    std::int64_t piece, nodes, points;
  };

  bool is_mine(std::size_t piece) const { return owners_[piece] == rank_; }
  std::size_t rank_of(std::size_t piece) const { return static_cast<std::size_t>(owners_[piece]); }
  void locate_all();
  void plant();
  Heads all_heads() const;
  void exchange_segments(const Heads& heads);
  void walk(const Heads& heads);

  MPI_Comm comm_;
  Parameters parameters_;
  int rank_ = 0, processes_ = 1;
  std::vector<Octant> cells_;  // of all pieces, in the order of keys
  std::vector<int> owners_;    // of each
  std::vector<PieceWork> works_;
  std::vector<Body> bodies_;  // in_key_order()
  std::vector<Tree> trees_;   // of each piece, as far as it is known; empty: its head suffices
  Tree whole_;
  double work_s_ = 0;
};

}  // namespace barneshut
