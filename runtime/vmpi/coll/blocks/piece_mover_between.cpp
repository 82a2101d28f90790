// SPDX-License-Identifier: Apache-2.0
// PieceMover between PEs.
#include <algorithm>

#include "runtime/vmpi/coll/blocks/pe_mover.hpp"
#include "runtime/vmpi/coll/blocks/piece_mover.hpp"

namespace skein::vmpi {

std::size_t longest_block_of(const Assembly& assembly, const Comm& comm, const Moved<Side>& mine) {
  const MemberPlaces& places = *assembly.places;
  std::size_t pieces = places.most_members;
  if (mine.what == Pieces::each_to_each) pieces = places.most_pairs;
  if (mine.what == Pieces::from_root)
    pieces = static_cast<std::size_t>(comm.size()) -
             places.members_of[static_cast<std::size_t>(leader_of(assembly, comm, mine.root))].size();
  return pieces * piece_bytes(mine);
}

PieceWay way_of_pieces(const Assembly& assembly, const Comm& comm, const Moved<Side>& mine) {
  const RoundKind kind = mine.what == Pieces::from_root ? RoundKind::one_block : RoundKind::blocks;
  if (assembly.may_exchange && fits_exchange(assembly, longest_block_of(assembly, comm, mine), kind))
    return PieceWay::blocks;
  return way_without_exchange(assembly, mine);
}

PieceWay way_without_exchange(const Assembly& assembly, const Moved<Side>& mine) {
  const bool is_short = most_between_two(assembly, mine.what) * piece_bytes(mine) <= kLongestShortOfPair;
  return assembly.places->share_memory && !is_short ? PieceWay::in_place : PieceWay::packed;
}

// ---- each PE reads the others' tables, and their pieces in place

void PieceMover::copy_from_others() {
  const int n = leaders();
  const Scratch memory(channel_.state(), static_cast<std::size_t>(n) * sizeof(Side*));
  auto* const tables = reinterpret_cast<const Side**>(memory.data());
  tell_tables(tables);
  // Each PE starts with another partner, so that not all read from one.
  for (int distance = 1; distance < n; ++distance) {
    const int p = channel_.above(distance);
    if (!has_some(p) || !gets_some(own_leader())) continue;
    const std::vector<int>& ranks = members_of(p);
    for (std::size_t i = 0; i < ranks.size(); ++i) move_from(ranks[i], tables[p][i], false);
  }
  say_read();
}

void PieceMover::tell_tables(const Side** tables) {
  const int n = leaders();
  const Side* own = outgoing_;
  if (exchange_) {
    exchange_round(
        *exchange_, direction_, sizeof own, sizeof own, reason_,
        [&](std::byte* block) { memcpy(block, &own, sizeof own); },
        [&](const auto& block_of) {
          for (int p = 0; p < n; ++p)
            if (p != own_leader() && has_some(p)) memcpy(&tables[p], block_of(p).data(), sizeof *tables);
        });
    return;
  }
  tell_places(channel_, direction_, own, reinterpret_cast<const void**>(tables));
}

/// Tells the other PEs that their pieces have been read, and may change.
void PieceMover::say_read() {
  if (exchange_)
    wait_for_givers(*exchange_->on_node, direction_.reversed(), reason_);  // they share memory
  else
    tell_read(channel_, leaders_, direction_, tag_, reason_);
}

// ---- the pieces of a PE for others are packed

/// Returns the number of pieces that go from one PE to another; a piece that is the same for all counts once.
std::size_t PieceMover::pieces_between(int from, int to) const {
  if (!has_some(from) || !gets_some(to)) return 0;
  const std::size_t sending = what_ == Pieces::from_root ? 1 : members_of(from).size();
  return sending * (one_for_all() ? 1 : members_of(to).size());
}

/// Exchanges packed pieces in blocks. A block has the pieces for the other PEs in their order, or once for
/// all.
void PieceMover::exchange_packed() {
  const int n = leaders();
  // Returns where the bytes for `to` begin in the block of `from`, or its end if `to` is n.
  const auto begin_in_block = [&](int from, int to) {
    std::size_t begin = 0;
    for (int p = 0; p < to; ++p)
      if (p != from) begin += bytes_between(from, p);
    return begin;
  };
  const int one_taker = direction_.kind == Direction::Kind::to_one ? direction_.one
                        : own_leader() == 0                        ? 1
                                                                   : 0;
  const auto block_bytes = [&](int from) {
    if (!one_for_all()) return begin_in_block(from, n);
    return from == direction_.one ? 0 : members_of(from).size() * piece_;
  };
  const auto fill = [&](std::byte* block) {
    if (block_bytes(own_leader()) == 0) return;
    if (one_for_all()) return pack_for(one_taker, block);
    for (int p = 0; p < n; ++p)
      if (p != own_leader()) pack_for(p, block + begin_in_block(own_leader(), p));
  };
  exchange_round(*exchange_, direction_, longest_, block_bytes(own_leader()), reason_, fill,
                 [&](const auto& block_of) {
                   move_on_pe();  // while the others' blocks are on their way
                   for (int distance = 1; distance < n; ++distance) {
                     const int p = channel_.below(distance);
                     if (!has_some(p)) continue;
                     const std::span<const std::byte> block = block_of(p);
                     if (block.size() != block_bytes(p))
                       note_other_block(p, block.size(), block_bytes(p));
                     else
                       unpack_from(p, block.data() + (one_for_all() ? 0 : begin_in_block(p, own_leader())));
                   }
                 });
  if (!direction_.takes(own_leader())) move_on_pe();
}

/// Notes for all receivers that the pieces of a leader's PE are longer or shorter than here.
void PieceMover::note_other_block(int leader, std::size_t block, std::size_t expected) {
  const std::size_t theirs = expected > 0 ? block / (expected / piece_) : block;
  for (std::size_t i = receivers_.first; i < receivers_.end; ++i)
    note_other_length(i, members_of(leader)[0], theirs, piece_);
}

void PieceMover::send_packed() {
  const int n = leaders();
  std::size_t bytes = 0;
  for (int p = 0; p < n; ++p)
    if (p != own_leader()) bytes += bytes_between(own_leader(), p) + bytes_between(p, own_leader());
  const Scratch memory(channel_.state(), bytes);
  std::byte* at = memory.data();
  Batch batch(channel_, 2 * static_cast<std::size_t>(n));
  std::byte* const received = at;
  for (int distance = 1; distance < n; ++distance) {
    const int p = channel_.below(distance);
    const std::size_t size = bytes_between(p, own_leader());
    if (size > 0) batch.receive(p, byte_data(at, size));
    at += size;
  }
  for (int distance = 1; distance < n; ++distance) {
    const int p = channel_.above(distance);
    const std::size_t size = bytes_between(own_leader(), p);
    if (size == 0) continue;
    pack_for(p, at);
    batch.send(p, byte_data(at, size));
    at += size;
  }
  batch.wait();
  const std::byte* from = received;
  for (int distance = 1; distance < n; ++distance) {
    const int p = channel_.below(distance);
    const std::size_t size = bytes_between(p, own_leader());
    if (size > 0) unpack_from(p, from);
    from += size;
  }
}

/// Packs the pieces for a leader's PE in the order of the ranks that send, then of those that receive.
void PieceMover::pack_for(int leader, std::byte* at) {
  const Side packed(at, piece_);
  int next = 0;
  for (std::size_t i = 0; i < members(); ++i) {
    if (!sends(assembly_.members[i])) continue;
    copy_pieces(outgoing_[i], packed, [&](const auto& copy_one) {
      if (one_for_all()) return copy_one(0, next++);
      for (const int rank : members_of(leader)) copy_one(rank, next++);
    });
  }
}

void PieceMover::unpack_from(int leader, const std::byte* at) {
  const Side packed(const_cast<std::byte*>(at), piece_);
  int next = 0;
  for (const int source : members_of(leader)) {
    if (!sends(source)) continue;
    for (std::size_t i = receivers_.first; i < receivers_.end; ++i) {
      copy_pieces(packed, incoming_[i], [&](const auto& copy_one) { copy_one(next, source); });
      if (!one_for_all()) ++next;
    }
    if (one_for_all()) ++next;
  }
}

}  // namespace skein::vmpi
