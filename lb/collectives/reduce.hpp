// SPDX-License-Identifier: Apache-2.0
// Reduce, allreduce, reduce-scatter and scans.
//
// They combine a vector with these members:
//
//   count(), bytes()          elements, and their bytes
//   value(first, count)       the present value of these elements: to be sent
//   room(first, count)        the place to receive those of another rank
//   join_above(first, count)  joins room() to the value; it comes from ranks above those in the value
//   join_below(first, count)  joins room() to the value; it comes from ranks below those in the value
//   settle(first, count)      moves these elements of the value to their place in the result
//   result(first, count)      these elements of the result, to be sent or received
//
// Parts are joined in the order of ranks, so operations need not commute unless a comment says so.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lb/collectives/halving.hpp"
#include "lb/collectives/thresholds.hpp"
#include "lb/collectives/tree.hpp"

namespace skein::collectives {

/// The members of a Halving as a tree with the first at its root.
struct MemberTree {
  const Halving& pattern;
  int size() const { return pattern.power(); }
  int own() const { return pattern.member(); }
  int rank_of(int member) const { return pattern.rank_of(member); }
};

template <class Port, class Tree, class Vector>
[[gnu::always_inline]] inline void reduce_up_the_tree(Port& port, const Tree& tree, Vector& vector) {
  const std::int64_t count = vector.count();
  up_the_tree(
      port, tree, [&](int, int) { return vector.room(0, count); }, [&] { vector.join_above(0, count); },
      [&](int, int) { return vector.value(0, count); });
}

/// Begins an operation with a Halving: ranks that are no members give their part to their lower neighbours.
template <class Port, class Vector>
[[gnu::always_inline]] inline void fold(Port& port, const Halving& pattern, Vector& vector) {
  const std::int64_t count = vector.count();
  if (pattern.member() < 0) {
    port.send(port.rank() - 1, vector.value(0, count));
  } else if (pattern.doubled(pattern.member())) {
    port.receive(port.rank() + 1, vector.room(0, count));
    vector.join_above(0, count);
  }
}

/// Ends an operation with a Halving: members give the result to the ranks that they acted for.
template <class Port, class Part>
[[gnu::always_inline]] inline void unfold(Port& port, const Halving& pattern, const Part& result) {
  if (pattern.member() < 0)
    port.receive(port.rank() - 1, result);
  else if (pattern.doubled(pattern.member()))
    port.send(port.rank() + 1, result);
}

/// Members meet in pairs. Each sends the other the span that the other keeps, `kept_by(member, distance)`,
/// and joins the received span to its own.
template <class Port, class Vector, class KeptBy>
[[gnu::always_inline]] inline void meet(Port& port, const Halving& pattern, Vector& vector,
                                        const KeptBy& kept_by) {
  for (int distance = 1; distance < pattern.power(); distance *= 2) {
    const int other = pattern.member() ^ distance, peer = pattern.rank_of(other);
    const Span mine = kept_by(pattern.member(), distance), theirs = kept_by(other, distance);
    port.exchange(peer, vector.value(theirs.first, theirs.count), peer, vector.room(mine.first, mine.count));
    if (other < pattern.member())
      vector.join_below(mine.first, mine.count);
    else
      vector.join_above(mine.first, mine.count);
  }
}

/// Reduces among members: each ends with the result in its own span, left_with(member, power, count).
template <class Port, class Vector>
[[gnu::always_inline]] inline void reduce_scatter_spans(Port& port, const Halving& pattern, Vector& vector) {
  meet(port, pattern, vector,
       [&](int member, int distance) { return Halving::left_with(member, 2 * distance, vector.count()); });
}

template <class Port, class Vector>
[[gnu::always_inline]] inline void exchange_wholes(Port& port, const Halving& pattern, Vector& vector) {
  meet(port, pattern, vector, [&](int, int) { return Span{0, vector.count()}; });
}

template <class Port, class Vector>
[[gnu::always_inline]] inline void allgather_spans(Port& port, const Halving& pattern, Vector& vector) {
  for (int distance = pattern.power() / 2; distance > 0; distance /= 2) {
    const int other = pattern.member() ^ distance, peer = pattern.rank_of(other);
    const Span mine = Halving::left_with(pattern.member(), 2 * distance, vector.count());
    const Span theirs = Halving::left_with(other, 2 * distance, vector.count());
    port.exchange(peer, vector.result(mine.first, mine.count), peer,
                  vector.result(theirs.first, theirs.count));
  }
}

/// Reduces by Rabenseifner's method: every member reduces a span, and the root collects the spans.
template <class Port, class Vector>
[[gnu::always_inline]] inline void reduce_by_spans(Port& port, Vector& vector, int root) {
  const Halving pattern(port.rank(), port.size());
  fold(port, pattern, vector);
  if (pattern.member() >= 0) reduce_scatter_spans(port, pattern, vector);
  const auto span_of = [&](int member) {
    return Halving::left_with(member, pattern.power(), vector.count());
  };
  if (port.rank() != root) {
    if (pattern.member() < 0) return;
    const Span mine = span_of(pattern.member());
    return port.send(root, vector.value(mine.first, mine.count));
  }
  if (pattern.member() >= 0) {
    const Span mine = span_of(pattern.member());
    vector.settle(mine.first, mine.count);
  }
  auto batch = port.batch(static_cast<std::size_t>(pattern.power()));
  for (int member = 0; member < pattern.power(); ++member) {
    if (member == pattern.member()) continue;
    const Span span = span_of(member);
    batch.receive(pattern.rank_of(member), vector.result(span.first, span.count));
  }
  batch.wait();
}

/// Reduces to `root`. `top`: the root of the tree, which keeps rank order from `top` upwards around the end,
/// so `top` is 0 unless the operation commutes.
template <class Port, class Vector>
[[gnu::always_inline]] inline void reduce(Port& port, Vector& vector, int root, int top) {
  const std::int64_t count = vector.count();
  if (vector.bytes() == 0) return;
  if (worth_halving(vector.bytes(), count, port.size())) return reduce_by_spans(port, vector, root);
  reduce_up_the_tree(port, RankTree(port.rank(), port.size(), top), vector);
  if (top != root && port.rank() == top)
    port.send(root, vector.value(0, count));
  else if (top != root && port.rank() == root)
    port.receive(top, vector.result(0, count));
  else if (port.rank() == root)
    vector.settle(0, count);
}

/// Members exchange halves of long vectors. Short vectors are exchanged whole; or, with many ranks a PE, the
/// first member makes all the sums: fewer messages, twice as many in sequence.
template <class Port, class Vector>
[[gnu::always_inline]] inline void allreduce(Port& port, Vector& vector) {
  const std::int64_t count = vector.count();
  if (vector.bytes() == 0) return;
  const Halving pattern(port.rank(), port.size());
  const auto whole = vector.result(0, count);
  fold(port, pattern, vector);
  if (pattern.member() >= 0) {
    if (worth_halving(vector.bytes(), count, port.size())) {
      reduce_scatter_spans(port, pattern, vector);
      const Span mine = Halving::left_with(pattern.member(), pattern.power(), count);
      vector.settle(mine.first, mine.count);
      allgather_spans(port, pattern, vector);
    } else if (port.is_crowded()) {
      const MemberTree tree{pattern};
      reduce_up_the_tree(port, tree, vector);
      if (tree.own() == 0) vector.settle(0, count);
      down_the_tree(
          port, tree, [&](int, int) -> const auto& { return whole; });
    } else {
      exchange_wholes(port, pattern, vector);
      vector.settle(0, count);
    }
  }
  unfold(port, pattern, whole);
}

/// Makes a reduce-scatter of long vectors: each rank sends every other its piece, `outgoing(to)`, receives
/// pieces for its own result at `incoming(from)`, and combines them in took(from). The pieces come from just
/// below itself down to rank 0, then from the last rank down to just above: two runs of adjacent ranks, each
/// growing downwards, so rank order can be kept.
template <class Port, class Outgoing, class Incoming, class Took>
void reduce_in_pairs(Port& port, const Outgoing& outgoing, const Incoming& incoming, const Took& took) {
  for (int step = 1; step < port.size(); ++step) {
    const int to = port.above(step), from = port.below(step);
    port.exchange(to, outgoing(to), from, incoming(from));
    took(from);
  }
}

/// Sends `mine` `distance` ranks up and receives `theirs` from below. Returns true if it received.
template <class Port, class Mine, class Theirs>
[[gnu::always_inline]] inline bool pass_up(Port& port, int distance, const Mine& mine, const Theirs& theirs) {
  auto batch = port.batch(2);
  if (port.rank() >= distance) batch.receive(port.rank() - distance, theirs);
  if (distance < port.size() - port.rank()) batch.send(port.rank() + distance, mine);
  batch.wait();
  return port.rank() >= distance;
}

/// Hillis and Steele (1986): after the step of distance d, rank r has the result of ranks (r - 2d, r].
/// took() combines `theirs` and `mine` into `mine`.
template <class Port, class Mine, class Theirs, class Took>
void scan(Port& port, const Mine& mine, const Theirs& theirs, const Took& took) {
  for (int distance = 1; distance < port.size(); distance *= 2)
    if (pass_up(port, distance, mine, theirs)) took();
}

}  // namespace skein::collectives
