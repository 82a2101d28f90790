// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/pieces.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "runtime/vmpi/coll/channel.hpp"
#include "runtime/vmpi/coll/movement.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* waiting_for(Pieces what) {
  switch (what) {
    case Pieces::to_root:
      return "in MPI_Gather, for the other ranks of its communicator";
    case Pieces::from_root:
      return "in MPI_Scatter, for the other ranks of its communicator";
    case Pieces::to_all:
      return "in MPI_Allgather, for the other ranks of its communicator";
    case Pieces::each_to_each:
      break;
  }
  return "in MPI_Alltoall, for the other ranks of its communicator";
}

// What two PEs have for each other goes packed up to here; it is one short message then.
constexpr std::size_t longest_short = eager_bytes;
// More than this is not packed: the leaders' memory would grow with what all ranks have.
constexpr std::size_t longest_packed = std::size_t{2} << 20;

/// The most that a PE has for another.
std::size_t bytes_of_pair(const Assembly& assembly, Pieces what, std::size_t piece) {
  const std::size_t most = assembly.places->most_members;
  return (what == Pieces::each_to_each ? most * most : most) * piece;
}

struct Part : Contribution {
  const Moved* moved = nullptr;
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

/// The work of the member that moves the pieces of all on this PE.
class Mover {
 public:
  Mover(Assembly& assembly, Comm& comm, int tag, const Moved& mine)
      : assembly_(assembly),
        comm_(comm),
        leaders_(leaders_of(assembly, comm)),
        what_(mine.what),
        root_(mine.root),
        piece_(mine.piece_bytes()),
        shared_(!assembly.alone() && assembly.places->share_memory &&
                bytes_of_pair(assembly, what_, piece_) > longest_short),
        channel_(leaders_, tag, waiting_for(mine.what)),
        tag_(tag),
        tables_(channel_.state(), 2 * members() * sizeof(Side)),
        outgoing_(reinterpret_cast<Side*>(tables_.data())),
        incoming_(outgoing_ + members()) {
    for (std::size_t i = 0; i < members(); ++i) {
      outgoing_[i] = part(i).moved->outgoing;
      incoming_[i] = part(i).moved->incoming;
      if (assembly.members[i] == comm.rank) continue;
      outgoing_[i].switch_out();
      incoming_[i].switch_out();
    }
    pack_what_cannot_be_read();
  }

  void run() {
    for (std::size_t i = 0; i < members(); ++i) move_from(assembly_.members[i], outgoing_[i], true);
    if (assembly_.alone()) return;
    if (shared_)
      copy_from_others();
    else
      exchange_packed();
    for (Contribution* const p : assembly_.parts)
      if (p->error == MPI_SUCCESS) p->error = channel_.error();
  }

 private:
  std::size_t members() const { return assembly_.members.size(); }
  const Part& part(std::size_t i) const { return static_cast<const Part&>(*assembly_.parts[i]); }
  const std::vector<int>& members_of(int leader) const {
    return assembly_.places->members_of[static_cast<std::size_t>(leader)];
  }
  int own_leader() const { return leaders_.rank; }
  int root_leader() const { return leader_of(assembly_, comm_, root_); }
  bool sends(int rank) const { return what_ != Pieces::from_root || rank == root_; }
  bool receives(int rank) const { return what_ != Pieces::to_root || rank == root_; }
  /// Whether the PE of that leader has pieces for this one's, or gets some of them.
  bool has_some(int leader) const { return what_ != Pieces::from_root || leader == root_leader(); }
  bool gets_some(int leader) const { return what_ != Pieces::to_root || leader == root_leader(); }

  /// What others are to read and cannot, and what is overwritten before it is read, becomes packed.
  void pack_what_cannot_be_read() {
    const int ranks = comm_.size();
    const auto pieces = [&](std::size_t i) {
      const bool several = what_ == Pieces::each_to_each || what_ == Pieces::from_root;
      const Side& from =
          part(i).moved->in_place && what_ == Pieces::each_to_each ? incoming_[i] : outgoing_[i];
      return std::pair(&from, several ? ranks : 1);
    };
    const auto is_packed = [&](std::size_t i) {
      if (!sends(assembly_.members[i])) return false;
      if (part(i).moved->in_place && what_ == Pieces::each_to_each) return true;
      return shared_ && !outgoing_[i].none() && !outgoing_[i].seen_by_node(ranks);
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

  /// From one rank, here or elsewhere, to all on this PE who get something of it.
  void move_from(int source, const Side& from, bool here) {
    if (!sends(source)) return;
    for (std::size_t i = 0; i < members(); ++i) {
      const int rank = assembly_.members[i];
      if (!receives(rank)) continue;
      const bool stays = here && rank == source && part(i).moved->in_place && what_ != Pieces::each_to_each;
      if (stays) continue;
      if (from.bytes() > incoming_[i].bytes()) assembly_.parts[i]->error = MPI_ERR_TRUNCATE;
      copy_pieces(from, incoming_[i], [&](const auto& copy_one) { copy_one(rank, source); });
    }
  }

  // ---- PEs that share memory: each reads the others' tables, and the pieces where they are.

  void copy_from_others() {
    const int n = channel_.size();
    const Scratch memory(channel_.state(), static_cast<std::size_t>(n) * sizeof(Side*) + 1);
    auto* const tables = reinterpret_cast<const Side**>(memory.data());
    const Side* own = outgoing_;
    {
      Batch batch(channel_, 2 * static_cast<std::size_t>(n));
      for (int p = 0; p < n; ++p) {
        if (p == own_leader()) continue;
        if (has_some(p) && gets_some(own_leader())) batch.receive(p, byte_data(&tables[p], sizeof *tables));
        if (has_some(own_leader()) && gets_some(p)) batch.send(p, byte_data(&own, sizeof own));
      }
      batch.wait();
    }
    // Each begins with another one.
    for (int distance = 1; distance < n; ++distance) {
      const int p = channel_.above(distance);
      if (!has_some(p) || !gets_some(own_leader())) continue;
      const std::vector<int>& ranks = members_of(p);
      for (std::size_t i = 0; i < ranks.size(); ++i) move_from(ranks[i], tables[p][i], false);
    }
    say_read();
  }

  /// What was read may change from here on.
  void say_read() {
    if (what_ == Pieces::to_all || what_ == Pieces::each_to_each) {
      channel_.note(run_barrier(leaders_, tag_, waiting_for(what_)));
      return;
    }
    Batch batch(channel_, 2 * static_cast<std::size_t>(channel_.size()));
    for (int p = 0; p < channel_.size(); ++p) {
      if (p == own_leader()) continue;
      if (has_some(p) && gets_some(own_leader())) batch.send(p, byte_data(nullptr, 0));
      if (has_some(own_leader()) && gets_some(p)) batch.receive(p, byte_data(nullptr, 0));
    }
    batch.wait();
  }

  // ---- others: what a PE has for another is one message.

  /// How many pieces go from one PE to another: of a piece that is the same for all there is one.
  std::size_t pieces_between(int from, int to) const {
    if (!has_some(from) || !gets_some(to)) return 0;
    const std::size_t sending = what_ == Pieces::from_root ? 1 : members_of(from).size();
    const bool one_for_all = what_ == Pieces::to_root || what_ == Pieces::to_all;
    return sending * (one_for_all ? 1 : members_of(to).size());
  }

  void exchange_packed() {
    const int n = channel_.size();
    std::size_t bytes = 0;
    for (int p = 0; p < n; ++p)
      if (p != own_leader())
        bytes += (pieces_between(own_leader(), p) + pieces_between(p, own_leader())) * piece_;
    const Scratch memory(channel_.state(), bytes);
    std::byte* at = memory.data();
    Batch batch(channel_, 2 * static_cast<std::size_t>(n));
    std::byte* const received = at;
    for (int distance = 1; distance < n; ++distance) {
      const int p = channel_.below(distance);
      const std::size_t size = pieces_between(p, own_leader()) * piece_;
      if (size > 0) batch.receive(p, byte_data(at, size));
      at += size;
    }
    for (int distance = 1; distance < n; ++distance) {
      const int p = channel_.above(distance);
      const std::size_t size = pieces_between(own_leader(), p) * piece_;
      if (size == 0) continue;
      pack_for(p, at);
      batch.send(p, byte_data(at, size));
      at += size;
    }
    batch.wait();
    const std::byte* from = received;
    for (int distance = 1; distance < n; ++distance) {
      const int p = channel_.below(distance);
      if (pieces_between(p, own_leader()) == 0) continue;
      unpack_from(p, from);
      from += pieces_between(p, own_leader()) * piece_;
    }
  }

  /// In the order of the ranks that send, then of those that receive.
  void pack_for(int leader, std::byte* at) {
    const bool one_for_all = what_ == Pieces::to_root || what_ == Pieces::to_all;
    const Side packed(at, piece_);
    int next = 0;
    for (std::size_t i = 0; i < members(); ++i) {
      if (!sends(assembly_.members[i])) continue;
      copy_pieces(outgoing_[i], packed, [&](const auto& copy_one) {
        if (one_for_all) return copy_one(0, next++);
        for (const int rank : members_of(leader)) copy_one(rank, next++);
      });
    }
  }

  void unpack_from(int leader, const std::byte* at) {
    const bool one_for_all = what_ == Pieces::to_root || what_ == Pieces::to_all;
    const Side packed(const_cast<std::byte*>(at), piece_);
    int next = 0;
    for (const int source : members_of(leader)) {
      if (!sends(source)) continue;
      for (std::size_t i = 0; i < members(); ++i) {
        if (!receives(assembly_.members[i])) continue;
        copy_pieces(packed, incoming_[i], [&](const auto& copy_one) { copy_one(next, source); });
        if (!one_for_all) ++next;
      }
      if (one_for_all) ++next;
    }
  }

  /// A packed piece that is the same for all.
  static Data byte_piece(std::byte* at, std::size_t bytes) {
    return make_data(at, static_cast<std::int64_t>(bytes), *predefined_datatype(MPI_BYTE));
  }

  Assembly& assembly_;
  Comm& comm_;
  Comm& leaders_;
  const Pieces what_;
  const int root_;
  const std::size_t piece_;
  const bool shared_;
  Channel channel_;
  const int tag_;
  // In the slot, where the PEs of the node see it.
  Scratch tables_;
  Side* const outgoing_;
  Side* const incoming_;
  std::optional<Scratch> packed_;
};

}  // namespace

bool moves_at(Assembly& assembly, const Comm& comm, const Moved& mine) {
  if (mine.piece_bytes() == 0) return false;
  if (assembly.alone()) return true;
  return places_of(assembly, comm).share_memory ||
         bytes_of_pair(assembly, mine.what, mine.piece_bytes()) <= longest_packed;
}

int move_at(Assembly& assembly, Comm& comm, int tag, const Moved& mine) {
  Part part;
  part.moved = &mine;
  if (!assemble(assembly, comm, &part, waiting_for(mine.what))) return part.error;
  {
    const SharedWork shared(assembly, mine.piece_bytes() * static_cast<std::size_t>(comm.size()) *
                                          (mine.what == Pieces::each_to_each ? assembly.members.size() : 1));
    Mover(assembly, comm, tag, mine).run();
  }
  dismiss(assembly);
  return part.error;
}

}  // namespace skein::vmpi
