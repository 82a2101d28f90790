// SPDX-License-Identifier: Apache-2.0
// Reductions, as runtime/vmpi/coll/{reduce,reduce_scatter,scan}.cpp play them; the bounds between algorithms
// are theirs. Vectors are divided between elements, which are taken to have 8 bytes.
#include <cstdint>

#include "lb/simulate/collective_call.hpp"
#include "skein/lb/halving.hpp"

namespace skein::simulate {

Playing up_a_tree(Ring ring, std::uint64_t bytes, int top) {
  const int n = ring.size(), relative = ring.below(top);
  for (int bit = 1; bit < n; bit *= 2) {
    if (relative & bit) {
      ring.send(static_cast<int>((relative - bit + static_cast<std::int64_t>(top)) % n), bytes);
      co_await ring.all();
      co_return;
    }
    if (relative + bit >= n) continue;
    ring.receive(static_cast<int>((relative + bit + static_cast<std::int64_t>(top)) % n));
    co_await ring.all();
  }
}

namespace {

using lb::Halving;

constexpr std::uint64_t element_bytes = 8;

bool worth_halving(std::uint64_t bytes, int ranks) {
  return lb::worth_halving(bytes, static_cast<std::int64_t>(bytes / element_bytes), ranks);
}

/// Bytes that a member is left with after it met its partners at the distances below `distance`.
std::uint64_t left_with(int member, int distance, std::uint64_t bytes) {
  const std::uint64_t count = (bytes + element_bytes - 1) / element_bytes;
  return static_cast<std::uint64_t>(
             Halving::left_with(member, distance, static_cast<std::int64_t>(count)).count) *
         element_bytes;
}

Playing fold(Ring ring, std::uint64_t bytes) {
  const Halving pattern(ring.rank(), ring.size());
  if (pattern.member() < 0)
    ring.send(ring.rank() - 1, bytes);
  else if (pattern.doubled(pattern.member()))
    ring.receive(ring.rank() + 1);
  co_await ring.all();
}

Playing unfold(Ring ring, std::uint64_t bytes) {
  const Halving pattern(ring.rank(), ring.size());
  if (pattern.member() < 0)
    ring.receive(ring.rank() - 1);
  else if (pattern.doubled(pattern.member()))
    ring.send(ring.rank() + 1, bytes);
  co_await ring.all();
}

Playing reduce_scatter_spans(Ring ring, std::uint64_t bytes) {
  const Halving pattern(ring.rank(), ring.size());
  if (pattern.member() < 0) co_return;
  for (int distance = 1; distance < pattern.power(); distance *= 2) {
    const int other = pattern.member() ^ distance, peer = pattern.rank_of(other);
    ring.exchange(peer, left_with(other, 2 * distance, bytes), peer);
    co_await ring.all();
  }
}

Playing allgather_spans(Ring ring, std::uint64_t bytes) {
  const Halving pattern(ring.rank(), ring.size());
  for (int distance = pattern.power() / 2; distance > 0; distance /= 2) {
    const int peer = pattern.rank_of(pattern.member() ^ distance);
    ring.exchange(peer, left_with(pattern.member(), 2 * distance, bytes), peer);
    co_await ring.all();
  }
}

Playing exchange_wholes(Ring ring, std::uint64_t bytes) {
  const Halving pattern(ring.rank(), ring.size());
  for (int distance = 1; distance < pattern.power(); distance *= 2) {
    const int peer = pattern.rank_of(pattern.member() ^ distance);
    ring.exchange(peer, bytes, peer);
    co_await ring.all();
  }
}

Playing through_the_first(Ring ring, std::uint64_t bytes) {
  const Halving pattern(ring.rank(), ring.size());
  const auto away = [&](int distance) { return pattern.rank_of(pattern.member() + distance); };
  int distance = 1;
  for (; distance < pattern.power() && !(pattern.member() & distance); distance *= 2) {
    ring.receive(away(distance));
    co_await ring.all();
  }
  if (distance < pattern.power()) {
    ring.send(away(-distance), bytes);
    co_await ring.all();
    ring.receive(away(-distance));
    co_await ring.all();
  }
  for (distance /= 2; distance > 0; distance /= 2) {
    ring.send(away(distance), bytes);
    co_await ring.all();
  }
}

Playing by_spans(Ring ring, std::uint64_t bytes, int root) {
  const Halving pattern(ring.rank(), ring.size());
  co_await fold(ring, bytes);
  co_await reduce_scatter_spans(ring, bytes);
  if (ring.rank() != root) {
    if (pattern.member() < 0) co_return;
    ring.send(root, left_with(pattern.member(), pattern.power(), bytes));
  } else {
    for (int member = 0; member < pattern.power(); ++member)
      if (member != pattern.member()) ring.receive(pattern.rank_of(member));
  }
  co_await ring.all();
}

Playing pairwise(Ring ring, std::uint64_t piece, const std::vector<std::uint64_t>* pieces) {
  for (int step = 1; step < ring.size(); ++step) {
    const int to = ring.above(step);
    ring.exchange(to, pieces ? (*pieces)[static_cast<std::size_t>(to)] : piece, ring.below(step));
    co_await ring.all();
  }
}

}  // namespace

Playing reduce(Ring ring, std::uint64_t bytes, int root) {
  if (bytes == 0) co_return;
  if (worth_halving(bytes, ring.size()))
    co_await by_spans(ring, bytes, root);
  else
    co_await up_a_tree(ring, bytes, root);
}

Playing allreduce(Ring ring, std::uint64_t bytes) {
  if (bytes == 0) co_return;
  const Halving pattern(ring.rank(), ring.size());
  co_await fold(ring, bytes);
  if (pattern.member() >= 0) {
    if (worth_halving(bytes, ring.size())) {
      co_await reduce_scatter_spans(ring, bytes);
      co_await allgather_spans(ring, bytes);
    } else if (ring.is_crowded()) {
      co_await through_the_first(ring, bytes);
    } else {
      co_await exchange_wholes(ring, bytes);
    }
  }
  co_await unfold(ring, bytes);
}

Playing reduce_scatter(Ring ring, std::uint64_t total, const std::vector<std::uint64_t>* pieces) {
  if (total < lb::halving_bytes)
    co_await allreduce(ring, total);
  else
    co_await pairwise(ring, total / static_cast<std::uint64_t>(ring.size()), pieces);
}

Playing scan(Ring ring, std::uint64_t bytes, bool exclusive) {
  if (bytes == 0) co_return;
  const int n = ring.size(), rank = ring.rank();
  for (int distance = 1; distance < n; distance *= 2) {
    if (rank >= distance) ring.receive(rank - distance);
    if (rank + distance < n) ring.send(rank + distance, bytes);
    co_await ring.all();
  }
  if (!exclusive) co_return;
  if (rank > 0) ring.receive(rank - 1);
  if (rank + 1 < n) ring.send(rank + 1, bytes);
  co_await ring.all();
}

}  // namespace skein::simulate
