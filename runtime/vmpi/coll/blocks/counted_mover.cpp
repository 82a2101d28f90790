// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/blocks/counted_mover.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/vmpi/coll/blocks/pe_mover.hpp"
#include "runtime/vmpi/p2p/visibility.hpp"

namespace skein::vmpi {

CountedMover::CountedMover(Assembly& assembly, Comm& comm, int tag, const Moved<CountedSide>& mine,
                           PeExchange* exchange, WaitReason reason)
    : PeMover(assembly, comm, tag, mine, exchange, reason) {
  in_place_ = agree_in_place();
  for (std::size_t i = 0; i < members(); ++i) {
    if (assembly.members[i] == comm.rank) continue;
    moved(i).outgoing.switch_out();
    moved(i).incoming.switch_out();
  }
  if (in_place_) make_table();
}

void CountedMover::run() {
  if (assembly_.alone())
    move_on_pe();
  else if (exchange_)
    move_by_exchange();
  else
    move_by_messages();
}

// ---- sending

/// Returns the piece of a sending member for `rank`.
Data CountedMover::outgoing(std::size_t sender, int rank) const {
  if (!table_) return moved(sender).outgoing[rank];
  const Place& place = table()[place_of(row_of(sender), rank)];
  return {const_cast<std::byte*>(place.at), static_cast<MPI_Count>(place.bytes), nullptr, place.bytes,
          nullptr};
}

/// Returns the head by which a PE shows others its table.
CountedMover::Head CountedMover::head(const Place* table) const {
  return reinterpret_cast<Head>(table) | static_cast<Head>(in_place_);
}

/// Returns the table in the head of a leader's block.
const CountedMover::Place* CountedMover::table_in(Head head, int leader) const {
  if ((head & 1) != static_cast<Head>(in_place_)) [[unlikely]]
    report_other_in_place(assembly_.members[0], in_place_, members_of(leader)[0]);
  return reinterpret_cast<const Place*>(head & ~Head{1});
}

/// Returns true if the pieces of a sending member are not all blocks of bytes that stay in place for all
/// readers.
bool CountedMover::must_pack(std::size_t sender) const {
  if (in_place_) return true;
  const std::byte *begin = nullptr, *end = nullptr;
  for (std::size_t column = 0; column < columns(); ++column) {
    const Data piece = moved(sender).outgoing[static_cast<int>(column)];
    if (piece.bytes == 0) continue;
    const std::byte* const at = piece.contiguous();
    if (!at || piece.switched_out) return true;
    if (!begin || at < begin) begin = at;
    if (!end || at + piece.bytes > end) end = at + piece.bytes;
  }
  return !assembly_.alone() && begin && !mapped_by_all(begin, static_cast<std::size_t>(end - begin));
}

void CountedMover::make_table() {
  if (table_) return;
  const auto side = [&](std::size_t i) -> const CountedSide& {
    return in_place_ ? moved(i).incoming : moved(i).outgoing;
  };
  const Scratch flags(channel_.state(), members());
  auto* const packs = reinterpret_cast<bool*>(flags.data());
  std::size_t rows = 0, bytes = 0;
  for (std::size_t i = 0; i < members(); ++i) {
    const bool sender = sends(assembly_.members[i]);
    packs[i] = sender && must_pack(i);
    rows += sender;
    if (packs[i]) bytes += one_for_all() ? side(i)[0].bytes : side(i).total(comm_.size());
  }
  packed_.emplace(channel_.state(), bytes);
  table_.emplace(channel_.state(), rows * columns() * sizeof(Place));
  std::byte* at = packed_->data();
  auto* place = reinterpret_cast<Place*>(table_->data());
  for (std::size_t i = 0; i < members(); ++i) {
    if (!sends(assembly_.members[i])) continue;
    for (std::size_t column = 0; column < columns(); ++column, ++place) {
      const Data piece = side(i)[static_cast<int>(column)];
      *place = {packs[i] ? at : piece.contiguous(), piece.bytes};
      if (!packs[i]) continue;
      piece.pack(0, at, piece.bytes);
      at += piece.bytes;
    }
  }
}

/// Calls visit(piece) for each piece of this PE for the PE of a leader, in the order of a section.
template <class Visit>
void CountedMover::for_each_piece(int leader, const Visit& visit) const {
  for (std::size_t i = 0; i < members(); ++i) {
    if (!sends(assembly_.members[i])) continue;
    if (one_for_all())
      visit(outgoing(i, 0));
    else
      for (const int rank : members_of(leader)) visit(outgoing(i, rank));
  }
}

/// Returns the length of a block with all pieces in it, or a length over the longest if they do not fit.
std::size_t CountedMover::bytes_of_pieces() const {
  std::size_t bytes = sizeof(Head) + sections() * sizeof(Length);
  for (int p = 0; p < static_cast<int>(sections()); ++p) {
    if (!one_for_all() && p == own_leader()) continue;
    for_each_piece(p, [&](const Data& piece) { bytes += sizeof(Length) + piece.bytes; });
    bytes = even(bytes);
    if (bytes > net::Exchange::longest_block) break;
  }
  return bytes;
}

void CountedMover::fill(std::byte* block) const {
  const Head none = head(nullptr);
  memcpy(block, &none, sizeof none);
  auto* const begin = reinterpret_cast<Length*>(block + sizeof(Head));
  std::size_t at = sizeof(Head) + sections() * sizeof(Length);
  for (int p = 0; p < static_cast<int>(sections()); ++p) {
    begin[p] = static_cast<Length>(at);
    if (!one_for_all() && p == own_leader()) continue;
    auto* length = reinterpret_cast<Length*>(block + at);
    for_each_piece(p, [&](const Data& piece) { *length++ = static_cast<Length>(piece.bytes); });
    at = static_cast<std::size_t>(reinterpret_cast<std::byte*>(length) - block);
    for_each_piece(p, [&](const Data& piece) {
      piece.pack(0, block + at, piece.bytes);
      at += piece.bytes;
    });
    at = even(at);
  }
}

// ---- receiving

void CountedMover::deliver(const Data& piece, int source, std::size_t receiver) {
  const Data to = moved(receiver).incoming[source];
  if (piece.bytes != to.bytes) [[unlikely]]
    note_other_length(receiver, source, piece.bytes, to.bytes);
  copy(piece, to, std::min(piece.bytes, to.bytes));
}

void CountedMover::move_on_pe() {
  for (std::size_t i = 0; i < members(); ++i) {
    const int source = assembly_.members[i];
    if (!sends(source)) continue;
    for (std::size_t to = receivers_.first; to < receivers_.end; ++to) {
      const bool stays = to == i && moved(i).in_place && what_ != Pieces::each_to_each;
      if (!stays) deliver(outgoing(i, assembly_.members[to]), source, to);
    }
  }
}

void CountedMover::take_from(int leader, const std::byte* block) {
  const auto* const begin = reinterpret_cast<const Length*>(block + sizeof(Head));
  const std::size_t senders = what_ == Pieces::from_root ? 1 : members_of(leader).size(),
                    pieces = senders * (one_for_all() ? 1 : members());
  const auto* length = reinterpret_cast<const Length*>(block + begin[one_for_all() ? 0 : own_leader()]);
  const auto* at = reinterpret_cast<const std::byte*>(length + pieces);
  const auto next = [&] {
    const Data piece = byte_data(const_cast<std::byte*>(at), *length++);
    at += piece.bytes;
    return piece;
  };
  for (const int source : members_of(leader)) {
    if (!sends(source)) continue;
    const Data for_all = one_for_all() ? next() : Data();
    for (std::size_t to = receivers_.first; to < receivers_.end; ++to)
      deliver(one_for_all() ? for_all : next(), source, to);
  }
}

void CountedMover::read_from(int leader, const Place* others) {
  std::size_t row = 0;
  for (const int source : members_of(leader)) {
    if (!sends(source)) continue;
    for (std::size_t to = receivers_.first; to < receivers_.end; ++to) {
      const Place& place = others[place_of(row, assembly_.members[to])];
      deliver(byte_data(const_cast<std::byte*>(place.at), place.bytes), source, to);
    }
    ++row;
  }
}

// ---- between PEs

void CountedMover::move_by_exchange() {
  const int own = own_leader();
  // A PE gives itself nothing.
  const bool gives =
      direction_.gives(own) && !(direction_.kind == Direction::Kind::to_one && direction_.one == own);
  std::size_t bytes = gives ? bytes_of_pieces() : 0;
  const bool shows_table = bytes > net::Exchange::longest_block;
  if (shows_table) {
    make_table();
    bytes = sizeof(Head);
  }
  bool some_read = shows_table;
  exchange_round(
      *exchange_, direction_, net::Exchange::longest_block, bytes, reason_,
      [&](std::byte* block) {
        const Head shown = head(shows_table ? table() : nullptr);
        if (shows_table)
          memcpy(block, &shown, sizeof shown);
        else if (gives)
          fill(block);
      },
      [&](const auto& block_of) {
        move_on_pe();  // while the others' blocks are on their way
        for (int distance = 1; distance < leaders(); ++distance) {
          const int p = channel_.above(distance);  // each PE starts with another partner
          if (!direction_.gives(p)) continue;
          const std::span<const std::byte> block = block_of(p);
          if (block.size() < sizeof(Head)) report_mismatch(comm_);
          Head told;
          memcpy(&told, block.data(), sizeof told);
          const Place* const others = table_in(told, p);
          some_read = some_read || others;
          if (others)
            read_from(p, others);
          else
            take_from(p, block.data());
        }
      });
  if (!direction_.takes(own)) move_on_pe();
  // In a gather the other PEs do not know whether a piece of some PE was read.
  if (!some_read && direction_.kind != Direction::Kind::to_one) return;
  exchange_round(
      *exchange_, direction_.reversed(), 0, 0, reason_, [](std::byte*) {},
      [&](const auto& block_of) {
        if (!shows_table) return;
        for (int p = 0; p < leaders(); ++p)
          if (direction_.reversed().gives(p)) (void)block_of(p);
      });
}

void CountedMover::move_by_messages() {
  const std::size_t n = static_cast<std::size_t>(leaders());
  const Scratch memory(channel_.state(), n * sizeof(Head));
  auto* const told = reinterpret_cast<const void**>(memory.data());
  if (direction_.gives(own_leader())) make_table();
  const Head own = head(table_ ? table() : nullptr);
  tell_places(channel_, direction_, reinterpret_cast<const void*>(own), told);
  move_on_pe();
  for (int distance = 1; distance < leaders(); ++distance) {
    const int p = channel_.above(distance);
    if (direction_.gives(p) && direction_.takes(own_leader()))
      read_from(p, table_in(reinterpret_cast<Head>(told[p]), p));
  }
  tell_read(channel_, leaders_, direction_, tag_, reason_);
  note(channel_.error());
}

}  // namespace skein::vmpi
