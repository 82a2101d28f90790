// SPDX-License-Identifier: Apache-2.0
// Allgather, with equal pieces and with counts.
#include <algorithm>

#include "runtime/vmpi/coll/movement.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* in_allgather = "in an allgather, for rank %d of its communicator";

/// The bytes of all pieces together. Below, ceil(log2 n) steps on packed copies; above, n - 1 without copies.
constexpr std::size_t long_allgather_bytes = 64 * 1024;

/// Bruck et al. (1997), for pieces of any size: after a step of distance d every rank has the pieces of the
/// 2d ranks from itself on, in that order.
void double_the_pieces(Channel& channel, const Blocks& all, std::size_t total) {
  const int n = channel.size();
  const Scratch pieces(channel.state(), total);
  const auto bytes_of = [&](int first, int count) {  // counted from the own rank
    if (all.regular()) return all[0].bytes * static_cast<std::size_t>(count);
    std::size_t sum = 0;
    for (int i = first; i < first + count; ++i) sum += all[channel.above(i)].bytes;
    return sum;
  };
  const Data mine = all[channel.rank()];
  mine.pack(0, pieces.data(), mine.bytes);
  std::size_t have = mine.bytes;
  for (int distance = 1; distance < n; distance *= 2) {
    const int count = std::min(distance, n - distance);
    const std::size_t more = bytes_of(distance, count);
    channel.exchange(channel.below(distance), byte_data(pieces.data(), bytes_of(0, count)),
                     channel.above(distance), byte_data(pieces.data() + have, more));
    have += more;
  }
  std::size_t at = mine.bytes;
  for (int i = 1; i < n; ++i) {
    const Data piece = all[channel.above(i)];
    piece.unpack(0, pieces.data() + at, piece.bytes);
    at += piece.bytes;
  }
}

void around_the_ring(Channel& channel, const Blocks& all) {
  for (int step = 0; step < channel.size() - 1; ++step)
    channel.exchange(channel.above(1), all[channel.below(step)], channel.below(1),
                     all[channel.below(step + 1)]);
}

}  // namespace

int run_allgather(Comm& comm, int tag, const Data& mine, const Blocks& all, bool in_place) {
  Channel channel(comm, tag, in_allgather);
  if (!in_place) copy_own(channel, mine, all[channel.rank()]);
  const std::size_t total = all.total(channel.size());
  if (total < long_allgather_bytes)
    double_the_pieces(channel, all, total);
  else
    around_the_ring(channel, all);
  return channel.error();
}

}  // namespace skein::vmpi
