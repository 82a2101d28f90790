// SPDX-License-Identifier: Apache-2.0
// Gather and scatter, with equal pieces and with counts.
#include <algorithm>

#include "runtime/vmpi/coll/movement.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* in_gather = "in a gather, for rank %d of its communicator";
constexpr const char* in_scatter = "in a scatter, for rank %d of its communicator";

/// Up to this, fewer steps are worth the copies that a tree makes of every piece. Both ends know the piece's
/// size.
constexpr std::size_t tree_bytes = 2 * 1024;
constexpr int enough_for_tree = 4;

bool worth_a_tree(const Channel& channel, std::size_t piece) {
  return piece <= tree_bytes && channel.size() >= enough_for_tree;
}

/// Ranks of the subtree of `relative` in a binomial tree of `n` ranks.
int subtree(int relative, int n) { return relative == 0 ? n : std::min(relative & -relative, n - relative); }

/// Every rank collects the packed pieces of its subtree, in order, and hands them to its parent.
void gather_up_a_tree(Channel& channel, const Data& mine, const Blocks& all, int root, bool in_place,
                      std::size_t piece) {
  const int n = channel.size(), relative = (channel.rank() - root + n) % n;
  const int members = subtree(relative, n);
  const Scratch collected(channel.state(), static_cast<std::size_t>(members) * piece);
  const auto pieces = [&](int first, int count) {
    return byte_data(collected.data() + static_cast<std::size_t>(first - relative) * piece,
                     static_cast<std::size_t>(count) * piece);
  };
  if (!in_place) mine.pack(0, collected.data(), std::min(piece, mine.bytes));
  for (int bit = 1; bit < members; bit *= 2) {
    const int child = relative + bit;
    channel.receive((child + root) % n, pieces(child, subtree(child, n)));
  }
  if (relative != 0) {
    channel.send((relative - (relative & -relative) + root) % n, pieces(relative, members));
    return;
  }
  for (int i = in_place ? 1 : 0; i < n; ++i) copy_own(channel, pieces(i, 1), all[(i + root) % n]);
}

void gather_directly(Channel& channel, const Data& mine, const Blocks& all, int root, bool in_place) {
  if (channel.rank() != root) {
    channel.send(root, mine);
    return;
  }
  Batch batch(channel, static_cast<std::size_t>(channel.size()));
  for (int i = 0; i < channel.size(); ++i)
    if (i != root) batch.receive(i, all[i]);
  if (!in_place) copy_own(channel, mine, all[root]);
  batch.wait();
}

void scatter_down_a_tree(Channel& channel, const Blocks& all, const Data& mine, int root, bool in_place,
                         std::size_t piece) {
  const int n = channel.size(), relative = (channel.rank() - root + n) % n;
  const int members = subtree(relative, n);
  const Scratch held(channel.state(), static_cast<std::size_t>(members) * piece);
  const auto pieces = [&](int first, int count) {
    return byte_data(held.data() + static_cast<std::size_t>(first - relative) * piece,
                     static_cast<std::size_t>(count) * piece);
  };
  if (relative == 0) {
    for (int i = in_place ? 1 : 0; i < n; ++i) copy_own(channel, all[(i + root) % n], pieces(i, 1));
  } else {
    channel.receive((relative - (relative & -relative) + root) % n, pieces(relative, members));
  }
  int bit = 1;
  while (bit < members) bit *= 2;
  for (bit /= 2; bit > 0; bit /= 2) {
    const int child = relative + bit;
    if (child < relative + members) channel.send((child + root) % n, pieces(child, subtree(child, n)));
  }
  if (!in_place) copy_own(channel, pieces(relative, 1), mine);
}

void scatter_directly(Channel& channel, const Blocks& all, const Data& mine, int root, bool in_place) {
  if (channel.rank() != root) {
    channel.receive(root, mine);
    return;
  }
  Batch batch(channel, static_cast<std::size_t>(channel.size()));
  for (int i = 0; i < channel.size(); ++i)
    if (i != root) batch.send(i, all[i]);
  if (!in_place) copy_own(channel, all[root], mine);
  batch.wait();
}

}  // namespace

int run_gather(Comm& comm, int tag, const Data& mine, const Blocks& all, int root, bool in_place) {
  Channel channel(comm, tag, in_gather);
  const std::size_t piece = channel.rank() == root ? all[0].bytes : mine.bytes;
  if (worth_a_tree(channel, piece))
    gather_up_a_tree(channel, mine, all, root, in_place, piece);
  else
    gather_directly(channel, mine, all, root, in_place);
  return channel.error();
}

int run_gatherv(Comm& comm, int tag, const Data& mine, const Blocks& all, int root, bool in_place) {
  Channel channel(comm, tag, in_gather);
  gather_directly(channel, mine, all, root, in_place);
  return channel.error();
}

int run_scatter(Comm& comm, int tag, const Blocks& all, const Data& mine, int root, bool in_place) {
  Channel channel(comm, tag, in_scatter);
  const std::size_t piece = channel.rank() == root ? all[0].bytes : mine.bytes;
  if (worth_a_tree(channel, piece))
    scatter_down_a_tree(channel, all, mine, root, in_place, piece);
  else
    scatter_directly(channel, all, mine, root, in_place);
  return channel.error();
}

int run_scatterv(Comm& comm, int tag, const Blocks& all, const Data& mine, int root, bool in_place) {
  Channel channel(comm, tag, in_scatter);
  scatter_directly(channel, all, mine, root, in_place);
  return channel.error();
}

}  // namespace skein::vmpi
