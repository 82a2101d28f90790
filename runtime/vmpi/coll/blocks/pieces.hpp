// SPDX-License-Identifier: Apache-2.0
// Blocking collectives that move pieces between ranks, for members that assemble (assembly.hpp): one member
// on each PE moves the pieces of all, so that there is a message for each pair of PEs, not for each pair of
// ranks.
//
// All members know the length of equal pieces. Short pieces go together, packed: in a block of memory that
// the PEs share (node_exchange.hpp), or in a message for each pair of PEs. If the PEs see each other's slots,
// longer pieces are copied straight from the rank that has them to the rank that gets them, by the PE of the
// latter.
//
// Only the sender and the receiver know the length of a counted piece, so no decision that all must make
// alike can depend on it. Each PE chooses how it gives its pieces: in its block with their lengths, if all of
// them fit; otherwise it shows where they are, for the others to read. So all PEs must be on one node and see
// each other's slots.
#pragma once

#include "runtime/vmpi/coll/blocks/blocks.hpp"
#include "runtime/vmpi/coll/meeting/assembly.hpp"

namespace skein::vmpi {

/// The senders and receivers of pieces.
enum class Pieces : std::uint8_t { to_root, from_root, to_all, each_to_each };

/// Returns true if members that are fewer than two per PE may assemble to move these pieces: to one rank and
/// from one a message takes less time.
inline bool few_may_move(Pieces what) { return what == Pieces::to_all || what == Pieces::each_to_each; }

/// Equal pieces of a member, at one distance from each other.
class Side {
 public:
  Side() = default;
  /// Makes a side of one piece, the same for all others. Called in a call of its rank.
  explicit Side(const Data& piece);
  /// Makes a side of one piece for each rank. Precondition: regular.
  explicit Side(const Blocks& pieces);
  /// Makes a side of packed pieces of `bytes` bytes each, side by side.
  Side(std::byte* packed, std::size_t bytes);

  std::size_t bytes() const { return bytes_; }
  bool none() const { return bytes_ == 0; }
  bool flat() const { return flat_; }
  /// Returns the address of the piece to or from `rank`. Precondition: flat().
  std::byte* place(int rank) const {
    return reinterpret_cast<std::byte*>(first_ + flat_at_ + rank * stride_);
  }
  Data operator[](int rank) const;
  /// Makes the pieces readable while another rank runs, as those among their rank's thread-local variables
  /// are elsewhere then.
  void switch_out() {
    if (away_) first_ = away_;
  }
  /// Returns true if every PE that shares this one's memory can read the pieces of `ranks` ranks.
  bool seen_by_node(int ranks) const;

 private:
  std::intptr_t first_ = 0;  // the buffer argument of MPI
  std::intptr_t away_ = 0;   // its address while the rank does not run; 0: the same
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
  /// Makes a side of one piece, the same for all others. Called in a call of its rank.
  explicit CountedSide(const Data& piece) : one_(piece) {}
  /// Makes a side of one piece for each rank.
  explicit CountedSide(const Blocks& pieces);

  /// Returns the piece to or from `rank`; also while another rank runs, after switch_out().
  Data operator[](int rank) const {
    if (!counted_) return one_;
    Data piece = pieces_[rank];
    if (piece.switched_out) [[unlikely]]
      piece.switched_out = static_cast<std::byte*>(piece.buffer) + away_;
    return piece;
  }
  /// Returns the packed size of all pieces of `ranks` ranks.
  std::size_t total(int ranks) const { return counted_ ? pieces_.total(ranks) : one_.bytes; }
  /// Makes the pieces readable while another rank runs, as arrays among their rank's thread-local variables
  /// are elsewhere then.
  void switch_out();

 private:
  Data one_;
  Blocks pieces_;
  bool counted_ = false;
  /// Distance from a thread-local variable of the rank to its place while the rank does not run.
  std::ptrdiff_t away_ = 0;
};

/// The part of a member: equal pieces (Side) or counted ones (CountedSide).
template <class OneSide>
struct Moved {
  Pieces what{};
  int root = 0;
  /// The piece for itself is in its place; with each_to_each: the outgoing pieces, too.
  bool in_place = false;
  OneSide outgoing;  ///< of ranks that send: all, or the root
  OneSide incoming;  ///< of ranks that receive
};

/// Returns the length of the pieces, which all members know alike. 0: there is nothing to move.
inline std::size_t piece_bytes(const Moved<Side>& moved) {
  return moved.outgoing.none() ? moved.incoming.bytes() : moved.outgoing.bytes();
}

/// Returns true if members assemble to move these pieces; the same on all members. Precondition: there is
/// something to move.
bool moves_at(Assembly& assembly, const Comm& comm, const Moved<Side>& mine);
bool moves_at(Assembly& assembly, const Comm& comm, const Moved<CountedSide>& mine);
/// Moves the pieces. Precondition: moves_at(). Called on a member's main fiber; may switch. Returns an MPI
/// error class, not raised.
template <class OneSide>
int move_at(Assembly& assembly, Comm& comm, int tag, Moved<OneSide>& mine);

}  // namespace skein::vmpi
