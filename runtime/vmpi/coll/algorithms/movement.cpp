// SPDX-License-Identifier: Apache-2.0
// Collectives that move data, by the algorithms of lb/collectives/.
#include "runtime/vmpi/coll/algorithms/movement.hpp"

#include <algorithm>
#include <cstring>

#include "lb/collectives/allgather.hpp"
#include "lb/collectives/alltoall.hpp"
#include "lb/collectives/bcast.hpp"
#include "lb/collectives/gather.hpp"

namespace skein::vmpi {

using trace::Collective;

namespace {

constexpr const char* kInGather = "in a gather to root %d%b, for rank %d of its communicator";
constexpr const char* kInScatter = "in a scatter from root %d%b, for rank %d of its communicator";
constexpr const char* kInAlltoall = "in an alltoall%b, for rank %d of its communicator";

/// The packed pieces of this rank's subtree, in the order of places.
class SubtreePieces {
 public:
  SubtreePieces(const Channel& channel, const collectives::RankTree& tree, std::size_t piece)
      : own_(tree.own()),
        piece_(piece),
        memory_(channel.state(), static_cast<std::size_t>(tree.end_of(own_) - own_) * piece) {}
  Data operator()(int first, int last) const {
    return byte_data(memory_.data() + static_cast<std::size_t>(first - own_) * piece_,
                     static_cast<std::size_t>(last - first) * piece_);
  }

 private:
  int own_;
  std::size_t piece_;
  Scratch memory_;
};

void gather_up_the_tree(Channel& channel, const Data& mine, const Blocks& all, int root, bool in_place,
                        std::size_t piece) {
  const collectives::RankTree tree(channel.rank(), channel.size(), root);
  const SubtreePieces pieces(channel, tree, piece);
  const int own = tree.own();
  if (!in_place) {
    const Data here = pieces(own, own + 1);
    mine.pack(0, static_cast<std::byte*>(here.buffer), std::min(piece, mine.bytes));
  }
  collectives::gather_up_the_tree(channel, tree, pieces);
  if (own > 0) return;
  for (int i = in_place ? 1 : 0; i < tree.size(); ++i)
    copy_own(channel, pieces(i, i + 1), all[tree.rank_of(i)]);
}

void gather_directly(Channel& channel, const Data& mine, const Blocks& all, int root, bool in_place) {
  collectives::gather_directly(
      channel, root, mine, [&](int from) { return all[from]; },
      [&] {
        if (!in_place) copy_own(channel, mine, all[root]);
      });
}

void scatter_down_the_tree(Channel& channel, const Blocks& all, const Data& mine, int root, bool in_place,
                           std::size_t piece) {
  const collectives::RankTree tree(channel.rank(), channel.size(), root);
  const SubtreePieces pieces(channel, tree, piece);
  const int own = tree.own();
  for (int i = in_place ? 1 : 0; own == 0 && i < tree.size(); ++i)
    copy_own(channel, all[tree.rank_of(i)], pieces(i, i + 1));
  collectives::down_the_tree(channel, tree, pieces);
  if (!in_place) copy_own(channel, pieces(own, own + 1), mine);
}

void scatter_directly(Channel& channel, const Blocks& all, const Data& mine, int root, bool in_place) {
  collectives::scatter_directly(
      channel, root, mine, [&](int to) { return all[to]; },
      [&] {
        if (!in_place) copy_own(channel, all[root], mine);
      });
}

void double_the_pieces(Channel& channel, const Blocks& all, std::size_t total) {
  const Scratch pieces(channel.state(), total);
  const Data mine = all[channel.rank()];
  mine.pack(0, pieces.data(), mine.bytes);
  collectives::double_the_pieces(
      channel,
      [&](int first, int count) {
        if (all.regular()) return all[0].bytes * static_cast<std::size_t>(count);
        std::size_t sum = 0;
        for (int i = first; i < first + count; ++i) sum += all[channel.above(i)].bytes;
        return sum;
      },
      [&](std::size_t begin, std::size_t bytes) { return byte_data(pieces.data() + begin, bytes); });
  std::size_t at = mine.bytes;
  for (int i = 1; i < channel.size(); ++i) {
    const Data piece = all[channel.above(i)];
    piece.unpack(0, pieces.data() + at, piece.bytes);
    at += piece.bytes;
  }
}

void store_and_forward(Channel& channel, const Blocks& outgoing, const Blocks& incoming, std::size_t piece) {
  const int n = channel.size();
  const auto bytes = [&](int pieces) { return static_cast<std::size_t>(pieces) * piece; };
  const Scratch slots(channel.state(), bytes(n)), out(channel.state(), bytes(n)),
      in(channel.state(), bytes(n));
  for (int i = 0; i < n; ++i)
    copy_own(channel, outgoing[channel.above(i)], byte_data(slots.data() + bytes(i), piece));
  collectives::store_and_forward(
      channel,
      [&](int distance, int count) {
        std::byte* to = out.data();
        for (int i = distance; i < n; ++i)
          if (i & distance) to = static_cast<std::byte*>(mempcpy(to, slots.data() + bytes(i), piece));
        return byte_data(out.data(), bytes(count));
      },
      [&](int count) { return byte_data(in.data(), bytes(count)); },
      [&](int distance) {
        const std::byte* from = in.data();
        for (int i = distance; i < n; ++i) {
          if (!(i & distance)) continue;
          memcpy(slots.data() + bytes(i), from, piece);
          from += piece;
        }
      });
  for (int i = 0; i < n; ++i)
    copy_own(channel, byte_data(slots.data() + bytes(i), piece), incoming[channel.below(i)]);
}

/// Exchanges pieces of every rank with every other. `piece(i)`: the piece for rank i.
template <class Piece>
void pairwise(Channel& channel, const Piece& piece, const Blocks& incoming) {
  copy_own(channel, piece(channel.rank()), incoming[channel.rank()]);
  channel.log_together([&](int i) { return piece(i).bytes; });
  collectives::pairwise(channel, piece, [&](int from) { return incoming[from]; });
}

/// Exchanges pieces in place: packs the outgoing pieces first, as incoming ones overwrite them.
void from_a_copy(Channel& channel, const Blocks& both) {
  const int n = channel.size();
  const Scratch copy(channel.state(), both.total(n));
  const Scratch starts(channel.state(), static_cast<std::size_t>(n) * sizeof(std::size_t));
  auto* const start = reinterpret_cast<std::size_t*>(starts.data());
  std::size_t at = 0;
  for (int i = 0; i < n; ++i) {
    const Data piece = both[i];
    start[i] = at;
    piece.pack(0, copy.data() + at, piece.bytes);
    at += piece.bytes;
  }
  pairwise(
      channel, [&](int i) { return byte_data(copy.data() + start[i], both[i].bytes); }, both);
}

}  // namespace

int run_barrier(Comm& comm, int tag, const char* waiting) {
  Channel channel(comm, tag, waiting);
  channel.says(Collective::barrier);
  collectives::barrier(channel);
  return channel.error();
}

int run_bcast(Comm& comm, int tag, const Data& data, int root, WaitReason waiting) {
  Channel channel(comm, tag, waiting);
  channel.says(Collective::bcast, {.root = waiting.values[0]});
  if (channel.size() == 1) return MPI_SUCCESS;
  // Packed once, not for each child.
  Packed packed(channel, data, channel.rank() == root ? Packed::Use::input : Packed::Use::output);
  collectives::bcast(channel, root, data.bytes, [&](std::size_t begin, std::size_t bytes) {
    return byte_data(packed.bytes() + begin, bytes);
  });
  if (channel.rank() != root) packed.unpack();
  return channel.error();
}

int run_gather(Comm& comm, int tag, const Data& mine, const Blocks& all, int root, bool in_place) {
  Channel channel(comm, tag, {kInGather, {root, 0}});
  channel.says(Collective::gather, {.root = root});
  const std::size_t piece = channel.rank() == root ? all[0].bytes : mine.bytes;
  if (collectives::worth_a_tree(piece, channel.size()))
    gather_up_the_tree(channel, mine, all, root, in_place, piece);
  else
    gather_directly(channel, mine, all, root, in_place);
  return channel.error();
}

int run_gatherv(Comm& comm, int tag, const Data& mine, const Blocks& all, int root, bool in_place) {
  Channel channel(comm, tag, {kInGather, {root, 0}});
  channel.says(Collective::gatherv, {.root = root});
  gather_directly(channel, mine, all, root, in_place);
  return channel.error();
}

int run_scatter(Comm& comm, int tag, const Blocks& all, const Data& mine, int root, bool in_place) {
  Channel channel(comm, tag, {kInScatter, {root, 0}});
  channel.says(Collective::scatter, {.root = root});
  const std::size_t piece = channel.rank() == root ? all[0].bytes : mine.bytes;
  if (collectives::worth_a_tree(piece, channel.size()))
    scatter_down_the_tree(channel, all, mine, root, in_place, piece);
  else
    scatter_directly(channel, all, mine, root, in_place);
  return channel.error();
}

int run_scatterv(Comm& comm, int tag, const Blocks& all, const Data& mine, int root, bool in_place) {
  Channel channel(comm, tag, {kInScatter, {root, 0}});
  channel.says(Collective::scatterv, {.root = root});
  scatter_directly(channel, all, mine, root, in_place);
  return channel.error();
}

int run_allgather(Comm& comm, int tag, const Data& mine, const Blocks& all, bool in_place, WaitReason waiting,
                  std::uint16_t said) {
  Channel channel(comm, tag, waiting);
  const std::uint16_t word =
      short_word_of(all.regular() ? Collective::allgather : Collective::allgatherv, {});
  channel.says(said != 0 ? said : word);
  if (!in_place) copy_own(channel, mine, all[channel.rank()]);
  const std::size_t total = all.total(channel.size());
  if (collectives::worth_a_ring(total))
    collectives::around_the_ring(channel, [&](int rank) { return all[rank]; });
  else
    double_the_pieces(channel, all, total);
  return channel.error();
}

int run_alltoall(Comm& comm, int tag, const Blocks& outgoing, const Blocks& incoming, bool in_place) {
  Channel channel(comm, tag, kInAlltoall);
  channel.says(incoming.regular() ? Collective::alltoall : Collective::alltoallv, {.in_place = in_place});
  if (incoming.regular() && collectives::worth_forwarding(incoming[0].bytes, channel.size()))
    store_and_forward(channel, in_place ? incoming : outgoing, incoming, incoming[0].bytes);
  else if (in_place)
    from_a_copy(channel, incoming);
  else
    pairwise(
        channel, [&](int i) { return outgoing[i]; }, incoming);
  return channel.error();
}

}  // namespace skein::vmpi
