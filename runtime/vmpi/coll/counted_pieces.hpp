// SPDX-License-Identifier: Apache-2.0
// Blocking collectives that move pieces of unlike lengths from ranks to ranks, for members that assemble
// (assembly.hpp), as pieces.hpp does for equal ones: one member on each PE moves the pieces of all that are
// there.
//
// How long a piece is, only those know who send it or get it, so nothing that all must do alike can depend on
// it. Each PE says of what it has for others how it gives it: in its block (node_exchange.hpp) if all of it
// finds room there, with the lengths; or, if not, where it is, for the others to read. So all PEs must be on
// one node and see each other's slots.
#pragma once

#include "runtime/vmpi/coll/pieces.hpp"

namespace skein::vmpi {

/// Pieces of a member, for whoever moves them. Trivially copyable.
class CountedSide {
 public:
  CountedSide() = default;
  /// In a call of the rank whose they are. One piece, the same for all others.
  explicit CountedSide(const Data& piece) : one_(piece) {}
  /// One for each rank.
  explicit CountedSide(const Blocks& pieces);

  /// What goes to, or comes from, that rank; also while another rank runs than theirs, after switch_out().
  Data operator[](int rank) const {
    if (!counted_) return one_;
    Data piece = pieces_[rank];
    if (piece.switched_out) [[unlikely]]
      piece.switched_out = static_cast<std::byte*>(piece.buffer) + away_;
    return piece;
  }
  /// Packed bytes of all pieces of `ranks` ranks.
  std::size_t total(int ranks) const { return counted_ ? pieces_.total(ranks) : one_.bytes; }
  /// While another rank runs: arrays among the thread-local variables of its own are elsewhere.
  void switch_out();

 private:
  Data one_;
  Blocks pieces_;
  bool counted_ = false;
  std::ptrdiff_t away_ = 0;  ///< from where a thread-local variable of the rank is to where it is meanwhile
};

/// A member's part.
struct CountedMoved {
  Pieces what{};
  int root = 0;
  bool in_place = false;  ///< the piece for itself is where it belongs; each to each: what goes out, too
  CountedSide outgoing;   ///< of those who send: all, or the root
  CountedSide incoming;   ///< of those who receive
};

/// Whether pieces of unlike lengths are moved by members that assemble; all come to the same answer.
bool moves_at(Assembly& assembly, const Comm& comm, const CountedMoved& mine);
/// Precondition: moves_at(). From a member's main fiber; may switch. Returns an MPI error class, not
/// raised.
int move_at(Assembly& assembly, Comm& comm, int tag, const CountedMoved& mine);

}  // namespace skein::vmpi
