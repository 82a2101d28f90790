// SPDX-License-Identifier: Apache-2.0
// Moves counted pieces (pieces.hpp) of all members on a PE, by one of them.
//
// The data of a PE for others is in its block, if it fits:
//
//     the address of a table, or null   a table is the whole block, and others read the pieces by it. Its
//                                       lowest bit says whether members are in place, as all are or none
//     begin[section]                    where the sections are in the block: one for each PE, by its leader,
//                                       or one for all if a piece is the same for all who get it
//     a section                         the length of each piece, by rank that sends, then by rank that
//                                       receives; then their bytes, one behind the other
//
// A table has a row for each rank of the PE that sends, in their order: the addresses of its pieces by the
// rank that gets them, or the address of its one piece for all.
#pragma once

#include <optional>

#include "runtime/vmpi/coll/blocks/pe_mover.hpp"

namespace skein::vmpi {

class CountedMover : PeMover<CountedSide> {
 public:
  /// `exchange`: null if there is none.
  CountedMover(Assembly& assembly, Comm& comm, int tag, const Moved<CountedSide>& mine, PeExchange* exchange,
               WaitReason reason);
  void run();

 private:
  using Length = std::uint16_t;  // of a piece in a block
  static_assert(net::Exchange::longest_block <= UINT16_MAX);
  /// A piece that is one block of bytes.
  struct Place {
    const std::byte* at;
    std::size_t bytes;
  };

  /// The address of a table, or null; the lowest bit is set if this PE's members are in place.
  using Head = std::uintptr_t;
  Head head(const Place* table) const;
  const Place* table_in(Head head, int leader) const;

  std::size_t row_of(std::size_t sender) const { return what_ == Pieces::from_root ? 0 : sender; }
  std::size_t columns() const { return one_for_all() ? 1 : static_cast<std::size_t>(comm_.size()); }
  std::size_t place_of(std::size_t row, int rank) const {
    return row * columns() + (one_for_all() ? 0 : static_cast<std::size_t>(rank));
  }
  bool must_pack(std::size_t sender) const;
  void make_table();
  const Place* table() const { return reinterpret_cast<const Place*>(table_->data()); }
  Data outgoing(std::size_t sender, int rank) const;

  template <class Visit>
  void for_each_piece(int leader, const Visit& visit) const;
  std::size_t sections() const { return one_for_all() ? 1 : static_cast<std::size_t>(leaders()); }
  static std::size_t even(std::size_t bytes) { return bytes + bytes % sizeof(Length); }
  std::size_t bytes_of_pieces() const;
  void fill(std::byte* block) const;

  void deliver(const Data& piece, int source, std::size_t receiver);
  void move_on_pe();
  void take_from(int leader, const std::byte* block);
  void read_from(int leader, const Place* table);
  void move_by_exchange();
  void move_by_messages();

  bool in_place_ = false;  // whether members receive their pieces into the buffer that they send from
  /// In the slot, where the PEs of the node see them.
  std::optional<Scratch> table_, packed_;
};

}  // namespace skein::vmpi
