// SPDX-License-Identifier: Apache-2.0
// Reduce and allreduce.
#include "runtime/vmpi/coll/halving.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* in_reduce = "in MPI_Reduce, for rank %d of its communicator";
constexpr const char* in_allreduce = "in MPI_Allreduce, for rank %d of its communicator";

bool worth_halving(const Reduction& reduction, std::int64_t count, int ranks) {
  return collectives::worth_halving(reduction.bytes(count), count, ranks);
}

/// Binomial tree. It keeps rank order from `top` upwards around the end, so `top` is 0 unless the operation
/// commutes.
void reduce_up_a_tree(Channel& channel, const Reduction& reduction, Partial& partial, std::int64_t count,
                      int top) {
  const int n = channel.size(), relative = (channel.rank() - top + n) % n;
  for (int bit = 1; bit < n; bit *= 2) {
    if (relative & bit) {
      channel.send((relative - bit + top) % n, reduction.elements(partial.value(), 0, count));
      return;
    }
    if (relative + bit >= n) continue;
    channel.receive((relative + bit + top) % n, reduction.elements(partial.room(), 0, count));
    partial.join_above(0, count);
  }
}

/// Rabenseifner: every member reduces a span, and the root collects them.
void reduce_by_spans(Channel& channel, const Reduction& reduction, Partial& partial, void* result,
                     std::int64_t count, int root) {
  const Halving pattern(channel.rank(), channel.size());
  fold(channel, pattern, reduction, partial, count);
  reduce_scatter_spans(channel, pattern, reduction, partial, count);
  const auto span_of = [&](int member) { return Halving::left_with(member, pattern.power(), count); };
  if (channel.rank() != root) {
    if (pattern.member() < 0) return;
    const Span mine = span_of(pattern.member());
    channel.send(root, reduction.elements(partial.value(), mine.first, mine.count));
    return;
  }
  if (pattern.member() >= 0) {
    const Span mine = span_of(pattern.member());
    partial.copy_to(result, mine.first, mine.count);
  }
  Batch batch(channel, static_cast<std::size_t>(pattern.power()));
  for (int member = 0; member < pattern.power(); ++member) {
    if (member == pattern.member()) continue;
    const Span span = span_of(member);
    batch.receive(pattern.rank_of(member), reduction.elements(result, span.first, span.count));
  }
  batch.wait();
}

void exchange_wholes(Channel& channel, const Halving& pattern, const Reduction& reduction, Partial& partial,
                     std::int64_t count) {
  for (int distance = 1; distance < pattern.power(); distance *= 2) {
    const int other = pattern.member() ^ distance, peer = pattern.rank_of(other);
    channel.exchange(peer, reduction.elements(partial.value(), 0, count), peer,
                     reduction.elements(partial.room(), 0, count));
    if (other < pattern.member())
      partial.join_below(0, count);
    else
      partial.join_above(0, count);
  }
}

/// Makes all the sums at the first member: fewer messages, of which twice as many follow one another.
void through_the_first(Channel& channel, const Halving& pattern, const Reduction& reduction, Partial& partial,
                       void* result, std::int64_t count) {
  const auto away = [&](int distance) { return pattern.rank_of(pattern.member() + distance); };
  const Data whole = reduction.elements(result, 0, count);
  int distance = 1;
  for (; distance < pattern.power() && !(pattern.member() & distance); distance *= 2) {
    channel.receive(away(distance), reduction.elements(partial.room(), 0, count));
    partial.join_above(0, count);
  }
  if (distance == pattern.power()) {
    partial.copy_to(result, 0, count);
  } else {
    channel.send(away(-distance), reduction.elements(partial.value(), 0, count));
    channel.receive(away(-distance), whole);
  }
  for (distance /= 2; distance > 0; distance /= 2) channel.send(away(distance), whole);
}

void allgather_spans(Channel& channel, const Halving& pattern, const Reduction& reduction, void* result,
                     std::int64_t count) {
  for (int distance = pattern.power() / 2; distance > 0; distance /= 2) {
    const int other = pattern.member() ^ distance, peer = pattern.rank_of(other);
    const Span mine = Halving::left_with(pattern.member(), 2 * distance, count);
    const Span theirs = Halving::left_with(other, 2 * distance, count);
    channel.exchange(peer, reduction.elements(result, mine.first, mine.count), peer,
                     reduction.elements(result, theirs.first, theirs.count));
  }
}

}  // namespace

void fold(Channel& channel, const Halving& pattern, const Reduction& reduction, Partial& partial,
          std::int64_t count) {
  if (pattern.member() < 0) {
    channel.send(channel.rank() - 1, reduction.elements(partial.value(), 0, count));
  } else if (pattern.doubled(pattern.member())) {
    channel.receive(channel.rank() + 1, reduction.elements(partial.room(), 0, count));
    partial.join_above(0, count);
  }
}

void unfold(Channel& channel, const Halving& pattern, const Data& result) {
  if (pattern.member() < 0)
    channel.receive(channel.rank() - 1, result);
  else if (pattern.doubled(pattern.member()))
    channel.send(channel.rank() + 1, result);
}

void reduce_scatter_spans(Channel& channel, const Halving& pattern, const Reduction& reduction,
                          Partial& partial, std::int64_t count) {
  if (pattern.member() < 0) return;
  for (int distance = 1; distance < pattern.power(); distance *= 2) {
    const int other = pattern.member() ^ distance, peer = pattern.rank_of(other);
    const Span mine = Halving::left_with(pattern.member(), 2 * distance, count);
    const Span theirs = Halving::left_with(other, 2 * distance, count);
    channel.exchange(peer, reduction.elements(partial.value(), theirs.first, theirs.count), peer,
                     reduction.elements(partial.room(), mine.first, mine.count));
    if (other < pattern.member())
      partial.join_below(mine.first, mine.count);
    else
      partial.join_above(mine.first, mine.count);
  }
}

int run_reduce(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
               std::int64_t count, int root) {
  Channel channel(comm, tag, in_reduce);
  if (reduction.bytes(count) == 0) return MPI_SUCCESS;
  const bool receives = channel.rank() == root;
  Partial partial(channel.state(), reduction, count, input, receives ? result : nullptr);
  if (worth_halving(reduction, count, channel.size())) {
    reduce_by_spans(channel, reduction, partial, result, count, root);
    return channel.error();
  }
  const int top = reduction.op->commutative() ? root : 0;
  reduce_up_a_tree(channel, reduction, partial, count, top);
  if (channel.rank() == top && top != root)
    channel.send(root, reduction.elements(partial.value(), 0, count));
  else if (receives && top != root)
    channel.receive(top, reduction.elements(result, 0, count));
  else if (receives)
    partial.copy_to(result, 0, count);
  return channel.error();
}

int run_allreduce(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
                  std::int64_t count) {
  Channel channel(comm, tag, in_allreduce);
  if (reduction.bytes(count) == 0) return MPI_SUCCESS;
  const Halving pattern(channel.rank(), channel.size());
  Partial partial(channel.state(), reduction, count, input, result);
  fold(channel, pattern, reduction, partial, count);
  if (pattern.member() >= 0) {
    if (worth_halving(reduction, count, channel.size())) {
      reduce_scatter_spans(channel, pattern, reduction, partial, count);
      const Span mine = Halving::left_with(pattern.member(), pattern.power(), count);
      partial.copy_to(result, mine.first, mine.count);
      allgather_spans(channel, pattern, reduction, result, count);
    } else if (channel.is_crowded()) {
      through_the_first(channel, pattern, reduction, partial, result, count);
    } else {
      exchange_wholes(channel, pattern, reduction, partial, count);
      partial.copy_to(result, 0, count);
    }
  }
  unfold(channel, pattern, reduction.elements(result, 0, count));
  return channel.error();
}

}  // namespace skein::vmpi
