// SPDX-License-Identifier: Apache-2.0
// PieceMover on the PE; piece_mover_between.cpp has its work between PEs.
#include "runtime/vmpi/coll/blocks/piece_mover.hpp"

namespace skein::vmpi {
namespace {

/// Returns a packed piece that is the same for all.
Data byte_piece(std::byte* at, std::size_t bytes) {
  return make_data(at, static_cast<std::int64_t>(bytes), *predefined_datatype(MPI_BYTE));
}

}  // namespace

PieceMover::PieceMover(Assembly& assembly, Comm& comm, int tag, const Moved<Side>& mine, PeExchange* exchange,
                       WaitReason reason)
    : PeMover(assembly, comm, tag, mine, exchange, reason),
      piece_(piece_bytes(mine)),
      way_(assembly.alone() ? PieceWay::packed
           : exchange       ? way_of_pieces(assembly, comm, mine)
                            : way_without_exchange(assembly, mine)),
      longest_(way_ == PieceWay::blocks ? longest_block_of(assembly, comm, mine) : 0),
      tables_(channel_.state(), 2 * members() * sizeof(Side)),
      outgoing_(reinterpret_cast<Side*>(tables_.data())),
      incoming_(outgoing_ + members()) {
  (void)agree_in_place();
  for (std::size_t i = 0; i < members(); ++i) {
    const std::size_t bytes = piece_bytes(moved(i));
    if (bytes != piece_ && !assembly.alone()) [[unlikely]]
      report_unlike(comm, assembly.members[i], {.bytes = bytes, .purpose = reason.format}, comm.rank,
                    {.bytes = piece_, .purpose = reason.format});
    outgoing_[i] = moved(i).outgoing;
    incoming_[i] = moved(i).incoming;
    if (assembly.members[i] == comm.rank) continue;
    outgoing_[i].switch_out();
    incoming_[i].switch_out();
  }
  pack_what_cannot_be_read();
}

void PieceMover::run() {
  if (!assembly_.alone() && way_ == PieceWay::blocks) {
    exchange_packed();
    return;
  }
  move_on_pe();
  if (assembly_.alone()) return;
  if (way_ == PieceWay::in_place)
    copy_from_others();
  else
    send_packed();
  note(channel_.error());
}

void PieceMover::move_on_pe() {
  for (std::size_t i = 0; i < members(); ++i) move_from(assembly_.members[i], outgoing_[i], true);
}

/// Packs the pieces that other PEs cannot read in place, and those that are overwritten before they are read.
void PieceMover::pack_what_cannot_be_read() {
  const int ranks = comm_.size();
  const auto pieces = [&](std::size_t i) {
    const bool several = what_ == Pieces::each_to_each || what_ == Pieces::from_root;
    const Side& from = moved(i).in_place && what_ == Pieces::each_to_each ? incoming_[i] : outgoing_[i];
    return std::pair(&from, several ? ranks : 1);
  };
  const auto is_packed = [&](std::size_t i) {
    if (!sends(assembly_.members[i])) return false;
    if (moved(i).in_place && what_ == Pieces::each_to_each) return true;
    return way_ == PieceWay::in_place && !outgoing_[i].none() && !outgoing_[i].seen_by_node(ranks);
  };
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < members(); ++i)
    if (is_packed(i)) bytes += pieces(i).first->bytes() * static_cast<std::size_t>(pieces(i).second);
  if (bytes == 0) return;
  packed_.emplace(channel_.state(), bytes);
  std::byte* at = packed_->data();
  for (std::size_t i = 0; i < members(); ++i) {
    if (!is_packed(i)) continue;
    const auto [from, count] = pieces(i);
    const std::size_t piece = from->bytes();
    std::byte* const begin = at;
    for (int k = 0; k < count; ++k, at += piece) (*from)[k].pack(0, at, piece);
    outgoing_[i] = count == 1 ? Side(byte_piece(begin, piece)) : Side(begin, piece);
  }
}

/// Moves the pieces of one rank, here or elsewhere, to all members on this PE that get some.
void PieceMover::move_from(int source, const Side& from, bool here) {
  if (!sends(source)) return;
  for (std::size_t i = receivers_.first; i < receivers_.end; ++i) {
    const int rank = assembly_.members[i];
    const bool stays = here && rank == source && moved(i).in_place && what_ != Pieces::each_to_each;
    if (stays) continue;
    if (from.bytes() != incoming_[i].bytes()) [[unlikely]]
      note_other_length(i, source, from.bytes(), incoming_[i].bytes());
    copy_pieces(from, incoming_[i], [&](const auto& copy_one) { copy_one(rank, source); });
  }
}

}  // namespace skein::vmpi
