// SPDX-License-Identifier: Apache-2.0
// Barrier and broadcast.
#include <algorithm>

#include "runtime/vmpi/coll/movement.hpp"

namespace skein::vmpi {
namespace {

/// From here on the root's own bandwidth counts for more than the number of steps.
constexpr std::size_t long_bcast_bytes = 128 * 1024;
constexpr int enough_for_bcast = 8;

/// Ranks as a binomial tree sees them: the root is 0, and the subtree of r is [r, r + span(r)).
struct BinomialTree {
  Channel& channel;
  int root;
  int relative = (channel.rank() - root + channel.size()) % channel.size();
  int absolute(int r) const { return (r + root) % channel.size(); }
};

/// Receives from the parent, then sends to the children, the largest subtree first. `part(first, last)` is
/// what the ranks [first, last) of the tree are to have.
template <class Part>
void down_the_tree(const BinomialTree& tree, Part part) {
  const int n = tree.channel.size();
  int bit = 1;
  for (; bit < n; bit *= 2) {
    if (!(tree.relative & bit)) continue;
    const int last = std::min(tree.relative + bit, n);
    tree.channel.receive(tree.absolute(tree.relative - bit), part(tree.relative, last));
    break;
  }
  for (bit /= 2; bit > 0; bit /= 2) {
    const int child = tree.relative + bit;
    if (child < n) tree.channel.send(tree.absolute(child), part(child, std::min(child + bit, n)));
  }
}

/// Van de Geijn (1994): scatter the bytes down a binomial tree, then pass the pieces around a ring.
void scatter_and_allgather(const BinomialTree& tree, std::byte* bytes, std::size_t size) {
  Channel& channel = tree.channel;
  const int n = channel.size();
  const std::size_t piece = (size + static_cast<std::size_t>(n) - 1) / static_cast<std::size_t>(n);
  const auto part = [&](int first, int last) {
    const std::size_t begin = std::min(static_cast<std::size_t>(first) * piece, size);
    return byte_data(bytes + begin, std::min(static_cast<std::size_t>(last) * piece, size) - begin);
  };
  down_the_tree(tree, part);
  for (int step = 0; step < n - 1; ++step) {
    const int out = (tree.relative - step + n) % n, in = (out - 1 + n) % n;
    channel.exchange(channel.above(1), part(out, out + 1), channel.below(1), part(in, in + 1));
  }
}

const Data nothing = byte_data(nullptr, 0);

/// Dissemination (Hensgen, Finkel and Manber 1988): n log2 n messages, of which log2 n follow one another.
void tell_further_and_further(Channel& channel) {
  for (int distance = 1; distance < channel.size(); distance *= 2)
    channel.exchange(channel.above(distance), nothing, channel.below(distance), nothing);
}

/// 2 n messages, of which 2 log2 n follow one another.
void up_and_down_the_tree(Channel& channel) {
  const BinomialTree tree{channel, 0};
  for (int bit = 1; bit < channel.size(); bit *= 2) {
    if (tree.relative & bit) {
      channel.send(tree.relative - bit, nothing);
      break;
    }
    if (tree.relative + bit < channel.size()) channel.receive(tree.relative + bit, nothing);
  }
  down_the_tree(tree, [](int, int) { return nothing; });
}

}  // namespace

int run_barrier(Comm& comm, int tag, const char* waiting) {
  Channel channel(comm, tag, waiting);
  if (channel.is_crowded())
    up_and_down_the_tree(channel);
  else
    tell_further_and_further(channel);
  return channel.error();
}

int run_bcast(Comm& comm, int tag, const Data& data, int root, const char* waiting) {
  Channel channel(comm, tag, waiting);
  if (channel.size() == 1) return MPI_SUCCESS;
  // Packed once, not once for every child.
  Packed packed(channel, data, channel.rank() == root ? Packed::Use::input : Packed::Use::output);
  const BinomialTree tree{channel, root};
  if (data.bytes >= long_bcast_bytes && channel.size() >= enough_for_bcast)
    scatter_and_allgather(tree, packed.bytes(), data.bytes);
  else
    down_the_tree(tree, [&](int, int) { return byte_data(packed.bytes(), data.bytes); });
  if (channel.rank() != root) packed.unpack();
  return channel.error();
}

}  // namespace skein::vmpi
