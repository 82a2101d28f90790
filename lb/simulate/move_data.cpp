// SPDX-License-Identifier: Apache-2.0
// Collectives that move data, as runtime/vmpi/coll/{bcast,gather,allgather,alltoall}.cpp play them; the
// bounds between algorithms are theirs.
#include <algorithm>
#include <array>

#include "lb/simulate/collective_call.hpp"

namespace skein::simulate {
namespace {

/// Ranks [relative, last) of a binomial tree are below its rank `relative`.
int subtree(int relative, int n) { return relative == 0 ? n : std::min(relative & -relative, n - relative); }

/// What the ranks [first, last) of the tree are to have.
struct Parts {
  std::uint64_t bytes;
  std::uint64_t piece;  // of each rank; 0: all get everything
  std::uint64_t of(int first, int last) const {
    if (piece == 0) return bytes;
    const std::uint64_t begin = std::min(static_cast<std::uint64_t>(first) * piece, bytes);
    return std::min(static_cast<std::uint64_t>(last) * piece, bytes) - begin;
  }
};

Playing down_the_tree(Ring ring, Parts parts, int root) {
  const int n = ring.size(), relative = ring.below(root);
  const auto absolute = [&](int r) { return static_cast<int>((r + static_cast<std::int64_t>(root)) % n); };
  int bit = 1;
  for (; bit < n; bit *= 2) {
    if (!(relative & bit)) continue;
    ring.receive(absolute(relative - bit));
    co_await ring.all();
    break;
  }
  for (bit /= 2; bit > 0; bit /= 2) {
    const int child = relative + bit;
    if (child >= n) continue;
    ring.send(absolute(child), parts.of(child, std::min(child + bit, n)));
    co_await ring.all();
  }
}

/// The bytes of all pieces together.
constexpr std::uint64_t long_allgather_bytes = 64 * 1024;

/// What `count` members bring from the `first` above this one on.
std::uint64_t brought(const Ring& ring, std::uint64_t piece, const std::vector<std::uint64_t>* pieces,
                      int first, int count) {
  if (!pieces) return piece * static_cast<std::uint64_t>(count);
  std::uint64_t sum = 0;
  for (int i = first; i < first + count; ++i) sum += (*pieces)[static_cast<std::size_t>(ring.above(i))];
  return sum;
}

Playing store_and_forward(Ring ring, std::uint64_t piece) {
  const int n = ring.size();
  for (int distance = 1; distance < n; distance *= 2) {
    // How many of the numbers below n have this bit.
    const int whole = n / (2 * distance) * distance, rest = std::max(0, n % (2 * distance) - distance);
    ring.exchange(ring.above(distance), static_cast<std::uint64_t>(whole + rest) * piece,
                  ring.below(distance));
    co_await ring.all();
  }
}

}  // namespace

Playing barrier(Ring ring) {
  if (ring.is_crowded()) {
    co_await up_a_tree(ring, 0, 0);
    co_await down_the_tree(ring, {0, 0}, 0);
    co_return;
  }
  for (int distance = 1; distance < ring.size(); distance *= 2) {
    ring.exchange(ring.above(distance), 0, ring.below(distance));
    co_await ring.all();
  }
}

Playing bcast(Ring ring, std::uint64_t bytes, int root) {
  constexpr std::uint64_t long_bytes = 128 * 1024;
  constexpr int enough_ranks = 8;
  const int n = ring.size();
  if (n == 1) co_return;
  if (bytes < long_bytes || n < enough_ranks) {
    co_await down_the_tree(ring, {bytes, 0}, root);
    co_return;
  }
  const Parts parts{bytes, (bytes + static_cast<std::uint64_t>(n) - 1) / static_cast<std::uint64_t>(n)};
  co_await down_the_tree(ring, parts, root);
  for (int step = 0; step < n - 1; ++step) {
    const int out = (ring.below(root) - step + n) % n;
    ring.exchange(ring.above(1), parts.of(out, out + 1), ring.below(1));
    co_await ring.all();
  }
}

namespace {

/// Up to this piece a tree is taken for gather and scatter.
constexpr std::uint64_t tree_bytes = 2 * 1024;
constexpr int enough_for_a_tree = 4;

}  // namespace

Playing gather(Ring ring, std::uint64_t piece, int root) {
  const int n = ring.size(), relative = ring.below(root);
  if (piece > tree_bytes || n < enough_for_a_tree) {
    co_await gather_directly(ring, piece, root);
    co_return;
  }
  const int members = subtree(relative, n);
  for (int bit = 1; bit < members; bit *= 2) {
    ring.receive(static_cast<int>((relative + static_cast<std::int64_t>(bit) + root) % n));
    co_await ring.all();
  }
  if (relative == 0) co_return;
  const int parent = relative - (relative & -relative);
  ring.send(static_cast<int>((parent + static_cast<std::int64_t>(root)) % n),
            static_cast<std::uint64_t>(members) * piece);
  co_await ring.all();
}

Playing gather_directly(Ring ring, std::uint64_t piece, int root) {
  if (ring.rank() != root) {
    ring.send(root, piece);
  } else {
    for (int i = 0; i < ring.size(); ++i)
      if (i != root) ring.receive(i);
  }
  co_await ring.all();
}

Playing scatter(Ring ring, std::uint64_t piece, const std::vector<std::uint64_t>* pieces, int root) {
  const int n = ring.size(), relative = ring.below(root);
  if (piece > tree_bytes || n < enough_for_a_tree) {
    co_await scatter_directly(ring, piece, pieces, root);
    co_return;
  }
  const int members = subtree(relative, n);
  const auto absolute = [&](int r) { return static_cast<int>((r + static_cast<std::int64_t>(root)) % n); };
  if (relative != 0) {
    ring.receive(absolute(relative - (relative & -relative)));
    co_await ring.all();
  }
  int bit = 1;
  while (bit < members) bit *= 2;
  for (bit /= 2; bit > 0; bit /= 2) {
    const int child = relative + bit;
    if (child >= relative + members) continue;
    ring.send(absolute(child), static_cast<std::uint64_t>(subtree(child, n)) * piece);
    co_await ring.all();
  }
}

Playing scatter_directly(Ring ring, std::uint64_t piece, const std::vector<std::uint64_t>* pieces, int root) {
  if (ring.rank() != root) {
    ring.receive(root);
  } else {
    for (int i = 0; i < ring.size(); ++i)
      if (i != root) ring.send(i, pieces ? (*pieces)[static_cast<std::size_t>(i)] : piece);
  }
  co_await ring.all();
}

Playing allgather(Ring ring, std::uint64_t piece, const std::vector<std::uint64_t>* pieces) {
  const int n = ring.size();
  if (brought(ring, piece, pieces, 0, n) < long_allgather_bytes) {
    for (int distance = 1; distance < n; distance *= 2) {
      const int count = std::min(distance, n - distance);
      ring.exchange(ring.below(distance), brought(ring, piece, pieces, 0, count), ring.above(distance));
      co_await ring.all();
    }
    co_return;
  }
  for (int step = 0; step < n - 1; ++step) {
    const auto whose = static_cast<std::size_t>(ring.below(step));
    ring.exchange(ring.above(1), pieces ? (*pieces)[whose] : piece, ring.below(1));
    co_await ring.all();
  }
}

Playing alltoall(Ring ring, std::uint64_t piece, const std::vector<std::uint64_t>* pieces) {
  constexpr std::uint64_t short_bytes = 256;
  constexpr int enough_ranks = 8;
  constexpr int at_once = 32;
  const int n = ring.size();
  if (!pieces && piece <= short_bytes && n >= enough_ranks) {
    co_await store_and_forward(ring, piece);
    co_return;
  }
  for (int first = 1; first < n; first += at_once) {
    const int last = std::min(first + at_once, n);
    for (int i = first; i < last; ++i) ring.receive(ring.below(i));
    for (int i = first; i < last; ++i) {
      const int to = ring.above(i);
      ring.send(to, pieces ? (*pieces)[static_cast<std::size_t>(to)] : piece);
    }
    co_await ring.all();
  }
}

/// A split: all tell all their color and key; then the first member's number for it goes down a tree.
Playing create_comm(Ring ring) {
  constexpr std::uint64_t told_bytes = 16, id_bytes = 8;
  const int n = ring.size();
  for (int distance = 1; distance < n; distance *= 2) {
    ring.exchange(ring.below(distance),
                  told_bytes * static_cast<std::uint64_t>(std::min(distance, n - distance)),
                  ring.above(distance));
    co_await ring.all();
  }
  co_await down_the_tree(ring, {id_bytes, 0}, 0);
}

}  // namespace skein::simulate
