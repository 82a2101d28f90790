// SPDX-License-Identifier: Apache-2.0
// Blocking collectives that move pieces from ranks to ranks, for members that assemble (assembly.hpp): one
// member on each PE moves the pieces of all that are there, so that between PEs there is a message for each
// pair of PEs, not for each pair of ranks.
//
// All members know the length of equal pieces. Short ones go together, packed: in a block of memory that the
// PEs share (node_exchange.hpp), or in a message for each pair of PEs. Where the PEs see each other's slots,
// longer ones are copied straight from the rank that has them to the rank that gets them, by the PE of the
// latter.
//
// How long a counted piece is, only those know who send it or get it, so nothing that all must do alike can
// depend on it. Each PE says of what it has for others how it gives it: in its block if all of it finds room
// there, with the lengths; or, if not, where it is, for the others to read. So all PEs must be on one node
// and see each other's slots.
#pragma once

#include "runtime/vmpi/coll/blocks/blocks.hpp"
#include "runtime/vmpi/coll/meeting/assembly.hpp"

namespace skein::vmpi {

/// Who has pieces for whom.
enum class Pieces : std::uint8_t { to_root, from_root, to_all, each_to_each };

/// Whether they are moved by members that assemble where these are fewer than two a PE: to one and from one a
/// message takes less.
inline bool few_may_move(Pieces what) { return what == Pieces::to_all || what == Pieces::each_to_each; }

/// Equal pieces, at one distance from each other, of a member.
class Side {
 public:
  Side() = default;
  /// In a call of the rank whose they are. One piece, the same for all others.
  explicit Side(const Data& piece);
  /// One for each rank. Precondition: regular.
  explicit Side(const Blocks& pieces);
  /// `bytes` each, side by side.
  Side(std::byte* packed, std::size_t bytes);

  std::size_t bytes() const { return bytes_; }
  bool none() const { return bytes_ == 0; }
  bool flat() const { return flat_; }
  /// If flat: where the piece is that goes to, or comes from, that rank.
  std::byte* place(int rank) const {
    return reinterpret_cast<std::byte*>(first_ + flat_at_ + rank * stride_);
  }
  Data operator[](int rank) const;
  /// While another rank runs: what is among the thread-local variables of its own is elsewhere.
  void switch_out() {
    if (away_) first_ = away_;
  }
  /// Whether every PE that shares this one's memory can read the pieces of so many ranks.
  bool seen_by_node(int ranks) const;

 private:
  std::intptr_t first_ = 0;  // what MPI means by a buffer
  std::intptr_t away_ = 0;   // where that is while the rank does not run; 0: there
  std::int64_t stride_ = 0;
  std::int64_t flat_at_ = 0;
  std::int64_t count_ = 0;
  const Datatype* type_ = nullptr;
  std::size_t bytes_ = 0;
  bool flat_ = false;
};

/// Counted pieces of a member. Trivially copyable.
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

/// A member's part, of equal pieces (Side) or of counted ones (CountedSide).
template <class OneSide>
struct Moved {
  Pieces what{};
  int root = 0;
  bool in_place = false;  ///< the piece for itself is where it belongs; each to each: what goes out, too
  OneSide outgoing;       ///< of those who send: all, or the root
  OneSide incoming;       ///< of those who receive
};

/// All members know it alike. 0: there is nothing to move.
inline std::size_t piece_bytes(const Moved<Side>& moved) {
  return moved.outgoing.none() ? moved.incoming.bytes() : moved.outgoing.bytes();
}

/// Whether they are moved by members that assemble; all come to the same answer. Precondition: there is
/// something to move.
bool moves_at(Assembly& assembly, const Comm& comm, const Moved<Side>& mine);
bool moves_at(Assembly& assembly, const Comm& comm, const Moved<CountedSide>& mine);
/// Precondition: moves_at(). From a member's main fiber; may switch. Returns an MPI error class, not raised.
template <class OneSide>
int move_at(Assembly& assembly, Comm& comm, int tag, Moved<OneSide>& mine);

}  // namespace skein::vmpi
