// SPDX-License-Identifier: Apache-2.0
// Moves equal pieces (pieces.hpp) of all members on a PE, by one of them.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>

#include "runtime/vmpi/coll/blocks/pe_mover.hpp"

namespace skein::vmpi {

/// The ways of pieces from PE to PE.
enum class PieceWay : std::uint8_t {
  packed,    ///< a message with the data of one PE for another
  blocks,    ///< a block in shared memory with the data of one PE for all others (node_exchange.hpp)
  in_place,  ///< each PE reads the others' pieces in their places
};
/// The data of two PEs for each other is packed up to this size (bytes); it is one short message then.
inline constexpr std::size_t kLongestShortOfPair = kEagerBytes;
/// Returns the largest number of pieces that a PE has for another. Precondition: places_of() was called.
inline std::size_t most_between_two(const Assembly& assembly, Pieces what) {
  const std::size_t most = assembly.places->most_members;
  return what == Pieces::each_to_each ? most * most : most;
}
/// Returns the way of pieces, the same on all members; it may be another after exchange_of() has found no
/// exchange. Precondition: places_of() was called, and the assembly is not alone.
PieceWay way_of_pieces(const Assembly& assembly, const Comm& comm, const Moved<Side>& mine);
/// Returns the way of pieces if exchange_of() has found no exchange.
PieceWay way_without_exchange(const Assembly& assembly, const Moved<Side>& mine);
/// Returns the length of the longest block of a PE for others. Precondition: exchange_of() has found an
/// exchange.
std::size_t longest_block_of(const Assembly& assembly, const Comm& comm, const Moved<Side>& mine);

class PieceMover : PeMover<Side> {
 public:
  /// `exchange`: null if there is none.
  PieceMover(Assembly& assembly, Comm& comm, int tag, const Moved<Side>& mine, PeExchange* exchange,
             WaitReason reason);
  void run();

 private:
  /// Return true if the PE of a leader has pieces for others, and if it gets some of others.
  bool has_some(int leader) const { return direction_.gives(leader); }
  bool gets_some(int leader) const {
    return direction_.kind != Direction::Kind::to_one || leader == direction_.one;
  }

  void pack_what_cannot_be_read();
  void move_on_pe();
  void move_from(int source, const Side& from, bool here);

  void copy_from_others();
  void tell_tables(const Side** tables);
  void say_read();

  std::size_t pieces_between(int from, int to) const;
  std::size_t bytes_between(int from, int to) const { return pieces_between(from, to) * piece_; }
  void send_packed();
  void exchange_packed();
  [[gnu::cold]] void note_other_block(int leader, std::size_t block, std::size_t expected);
  void pack_for(int leader, std::byte* at);
  void unpack_from(int leader, const std::byte* at);

  const std::size_t piece_;
  const PieceWay way_;         // if there are other PEs
  const std::size_t longest_;  // size of the longest block of a PE, if way_ is blocks
  /// In the slot, where the PEs of the node see it.
  Scratch tables_;
  Side* const outgoing_;
  Side* const incoming_;
  std::optional<Scratch> packed_;
};

/// Calls each_pair(copy_one) with a function that copies one piece. Properties that all pieces of the two
/// sides share are tested once.
template <class Visit>
void copy_pieces(const Side& from, const Side& to, const Visit& each_pair) {
  const std::size_t bytes = std::min(from.bytes(), to.bytes());
  if (!from.flat() || !to.flat())
    each_pair([&](int out, int in) { copy(from[out], to[in], bytes); });
  else if (bytes == sizeof(std::uint64_t))
    each_pair([&](int out, int in) { memcpy(to.place(in), from.place(out), sizeof(std::uint64_t)); });
  else
    each_pair([&](int out, int in) { memcpy(to.place(in), from.place(out), bytes); });
}

}  // namespace skein::vmpi
