// SPDX-License-Identifier: Apache-2.0
// Alltoall in its three forms.
#include <algorithm>
#include <cstring>

#include "runtime/vmpi/coll/movement.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* in_alltoall = "in an alltoall, for rank %d of its communicator";

/// Up to this piece, and from so many ranks on, n log2(n) / 2 copies are cheaper than n messages.
constexpr std::size_t short_bytes = 256;
constexpr int enough_for_alltoall = 8;
/// How many peers a rank talks to at a time, so that it does not flood one that is late.
constexpr int at_once = 32;

/// Bruck et al. (1997): slot i holds the piece for the i-th rank from here; in the step of distance d, all
/// slots with that bit go d ranks on.
void store_and_forward(Channel& channel, const Blocks& outgoing, const Blocks& incoming, std::size_t piece) {
  const int n = channel.size();
  const auto bytes = [&](int pieces) { return static_cast<std::size_t>(pieces) * piece; };
  const Scratch slots(channel.state(), bytes(n)), out(channel.state(), bytes(n)),
      in(channel.state(), bytes(n));
  for (int i = 0; i < n; ++i)
    copy_own(channel, outgoing[channel.above(i)], byte_data(slots.data() + bytes(i), piece));
  for (int distance = 1; distance < n; distance *= 2) {
    int count = 0;
    for (int i = distance; i < n; ++i)
      if (i & distance) memcpy(out.data() + bytes(count++), slots.data() + bytes(i), piece);
    channel.exchange(channel.above(distance), byte_data(out.data(), bytes(count)), channel.below(distance),
                     byte_data(in.data(), bytes(count)));
    count = 0;
    for (int i = distance; i < n; ++i)
      if (i & distance) memcpy(slots.data() + bytes(i), in.data() + bytes(count++), piece);
  }
  for (int i = 0; i < n; ++i)
    copy_own(channel, byte_data(slots.data() + bytes(i), piece), incoming[channel.below(i)]);
}

/// `piece(i)` is what goes to rank i.
template <class Piece>
void pairwise(Channel& channel, Piece piece, const Blocks& incoming) {
  const int n = channel.size();
  copy_own(channel, piece(channel.rank()), incoming[channel.rank()]);
  channel.log_together([&](int i) { return piece(i).bytes; });
  Batch batch(channel, 2 * static_cast<std::size_t>(std::min(n, at_once)));
  for (int first = 1; first < n; first += at_once) {
    const int last = std::min(first + at_once, n);
    for (int i = first; i < last; ++i) batch.receive(channel.below(i), incoming[channel.below(i)]);
    for (int i = first; i < last; ++i) batch.send(channel.above(i), piece(channel.above(i)));
    batch.wait();
  }
}

/// What is sent is overwritten by what comes, so it is packed first.
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

int run_alltoall(Comm& comm, int tag, const Blocks& outgoing, const Blocks& incoming, bool in_place) {
  Channel channel(comm, tag, in_alltoall);
  const std::size_t piece = incoming.regular() ? incoming[0].bytes : 0;
  if (incoming.regular() && piece <= short_bytes && channel.size() >= enough_for_alltoall)
    store_and_forward(channel, in_place ? incoming : outgoing, incoming, piece);
  else if (in_place)
    from_a_copy(channel, incoming);
  else
    pairwise(
        channel, [&](int i) { return outgoing[i]; }, incoming);
  return channel.error();
}

}  // namespace skein::vmpi
