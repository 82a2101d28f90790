// SPDX-License-Identifier: Apache-2.0
// The work of the member that moves the pieces of all on its PE (pieces.hpp).
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>

#include "runtime/vmpi/coll/blocks/pe_mover.hpp"

namespace skein::vmpi {

/// How pieces get from PE to PE.
enum class PieceWay : std::uint8_t {
  packed,    ///< what a PE has for another is a message
  blocks,    ///< what a PE has for others is a block in memory that they share (node_exchange.hpp)
  in_place,  ///< each PE reads the others' pieces where they are
};
/// What two PEs have for each other goes packed up to here; it is one short message then.
inline constexpr std::size_t kLongestShortOfPair = kEagerBytes;
/// How many pieces a PE has for another at most. Precondition: places_of() was asked.
inline std::size_t most_between_two(const Assembly& assembly, Pieces what) {
  const std::size_t most = assembly.places->most_members;
  return what == Pieces::each_to_each ? most * most : most;
}
/// All members come to the same answer; it may be another after exchange_of() found that there is none.
/// Precondition: places_of() was asked, and the assembly is not alone.
PieceWay way_of_pieces(const Assembly& assembly, const Comm& comm, const Moved<Side>& mine);
/// How pieces go where exchange_of() has found no exchange.
PieceWay way_without_exchange(const Assembly& assembly, const Moved<Side>& mine);
/// The longest block of a PE for others. Precondition: exchange_of() has found an exchange.
std::size_t longest_block_of(const Assembly& assembly, const Comm& comm, const Moved<Side>& mine);

class PieceMover : PeMover<Side> {
 public:
  /// `exchange`: null where there is none.
  PieceMover(Assembly& assembly, Comm& comm, int tag, const Moved<Side>& mine, PeExchange* exchange,
             WaitReason reason);
  void run();

 private:
  /// Whether the PE of a leader has pieces for others, and gets some of others.
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
  const PieceWay way_;         // where there are other PEs
  const std::size_t longest_;  // block of a PE, if way_ is blocks
  /// In the slot, where the PEs of the node see it.
  Scratch tables_;
  Side* const outgoing_;
  Side* const incoming_;
  std::optional<Scratch> packed_;
};

/// What is the same for all pieces of a pair of sides is looked at once.
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
