// SPDX-License-Identifier: Apache-2.0
// The bounds between algorithms are those of runtime/vmpi/coll/, and of the same names.
#include "lb/trace/formats/collective_messages.hpp"

#include <algorithm>
#include <bit>

#include "skein/lb/halving.hpp"

namespace skein::trace {
namespace {

using Bytes = std::uint64_t;
using StepKind = CollectiveStep::Kind;

/// One member's steps in the making.
class Member {
 public:
  Member(std::size_t rank, std::size_t ranks)
      : rank_(static_cast<int>(rank)), ranks_(static_cast<int>(ranks)) {}
  int rank() const { return rank_; }
  int size() const { return ranks_; }
  int above(int distance) const { return (rank_ + distance) % ranks_; }
  int below(int distance) const { return (rank_ - distance + ranks_) % ranks_; }

  void start_send(int to, Bytes bytes) { add(StepKind::send, to, bytes); }
  void start_receive(int from, Bytes bytes) { add(StepKind::receive, from, bytes); }
  void wait() {
    if (!steps_.empty() && steps_.back().kind != StepKind::wait) steps_.push_back({});
  }
  void send(int to, Bytes bytes) {
    start_send(to, bytes);
    wait();
  }
  void receive(int from, Bytes bytes) {
    start_receive(from, bytes);
    wait();
  }
  void exchange(int to, Bytes out, int from, Bytes in) {
    start_receive(from, in);
    start_send(to, out);
    wait();
  }
  std::vector<CollectiveStep> take() { return std::move(steps_); }

 private:
  void add(StepKind kind, int peer, Bytes bytes) {
    steps_.push_back({kind, static_cast<std::size_t>(peer), bytes});
  }
  int rank_, ranks_;
  std::vector<CollectiveStep> steps_;
};

int subtree(int relative, int ranks) {
  return relative == 0 ? ranks : std::min(relative & -relative, ranks - relative);
}

// ---- bcast.cpp

void barrier(Member& me) {
  for (int distance = 1; distance < me.size(); distance *= 2)
    me.exchange(me.above(distance), 0, me.below(distance), 0);
}

template <class Part>
void down_the_tree(Member& me, int root, Part part) {
  const int n = me.size(), relative = (me.rank() - root + n) % n;
  int bit = 1;
  for (; bit < n; bit *= 2) {
    if (!(relative & bit)) continue;
    me.receive((relative - bit + root) % n, part(relative, std::min(relative + bit, n)));
    break;
  }
  for (bit /= 2; bit > 0; bit /= 2) {
    const int child = relative + bit;
    if (child < n) me.send((child + root) % n, part(child, std::min(child + bit, n)));
  }
}

void bcast(Member& me, int root, Bytes bytes) {
  constexpr Bytes long_bytes = 128 * 1024;
  constexpr int enough_ranks = 8;
  if (me.size() == 1) return;
  if (bytes < long_bytes || me.size() < enough_ranks)
    return down_the_tree(me, root, [&](int, int) { return bytes; });
  const int n = me.size(), relative = (me.rank() - root + n) % n;
  const Bytes piece = (bytes + static_cast<Bytes>(n) - 1) / static_cast<Bytes>(n);
  const auto part = [&](int first, int last) {
    return std::min(static_cast<Bytes>(last) * piece, bytes) -
           std::min(static_cast<Bytes>(first) * piece, bytes);
  };
  down_the_tree(me, root, part);
  for (int step = 0; step < n - 1; ++step) {
    const int out = (relative - step + n) % n, in = (out - 1 + n) % n;
    me.exchange(me.above(1), part(out, out + 1), me.below(1), part(in, in + 1));
  }
}

// ---- gather.cpp

constexpr Bytes tree_bytes = 2 * 1024;
bool worth_a_tree(const Member& me, Bytes piece) { return piece <= tree_bytes && me.size() >= 4; }

template <class PieceOf>
void gather_directly(Member& me, int root, PieceOf piece_of) {
  if (me.rank() != root) return me.send(root, piece_of(me.rank()));
  for (int from = 0; from < me.size(); ++from)
    if (from != root) me.start_receive(from, piece_of(from));
  me.wait();
}

void gather(Member& me, int root, Bytes piece) {
  if (!worth_a_tree(me, piece)) return gather_directly(me, root, [&](int) { return piece; });
  const int n = me.size(), relative = (me.rank() - root + n) % n, members = subtree(relative, n);
  for (int bit = 1; bit < members; bit *= 2)
    me.receive((relative + bit + root) % n, static_cast<Bytes>(subtree(relative + bit, n)) * piece);
  if (relative != 0)
    me.send((relative - (relative & -relative) + root) % n, static_cast<Bytes>(members) * piece);
}

template <class PieceOf>
void scatter_directly(Member& me, int root, PieceOf piece_of) {
  if (me.rank() != root) return me.receive(root, piece_of(me.rank()));
  for (int to = 0; to < me.size(); ++to)
    if (to != root) me.start_send(to, piece_of(to));
  me.wait();
}

void scatter(Member& me, int root, Bytes piece) {
  if (!worth_a_tree(me, piece)) return scatter_directly(me, root, [&](int) { return piece; });
  const int n = me.size(), relative = (me.rank() - root + n) % n, members = subtree(relative, n);
  if (relative != 0)
    me.receive((relative - (relative & -relative) + root) % n, static_cast<Bytes>(members) * piece);
  for (int bit = static_cast<int>(std::bit_ceil(static_cast<unsigned>(members))) / 2; bit > 0; bit /= 2) {
    const int child = relative + bit;
    if (child < relative + members)
      me.send((child + root) % n, static_cast<Bytes>(subtree(child, n)) * piece);
  }
}

// ---- allgather.cpp, alltoall.cpp

template <class PieceOf>
void allgather(Member& me, PieceOf piece_of) {
  constexpr Bytes long_bytes = 64 * 1024;
  const int n = me.size();
  Bytes total = 0;
  for (int i = 0; i < n; ++i) total += piece_of(i);
  if (total >= long_bytes) {
    for (int step = 0; step < n - 1; ++step)
      me.exchange(me.above(1), piece_of(me.below(step)), me.below(1), piece_of(me.below(step + 1)));
    return;
  }
  const auto sum = [&](int first, int count) {
    Bytes bytes = 0;
    for (int i = first; i < first + count; ++i) bytes += piece_of(me.above(i));
    return bytes;
  };
  for (int distance = 1; distance < n; distance *= 2) {
    const int count = std::min(distance, n - distance);
    me.exchange(me.below(distance), sum(0, count), me.above(distance), sum(distance, count));
  }
}

template <class BytesOf>
void alltoall_pairwise(Member& me, BytesOf bytes_of) {
  constexpr int at_once = 32;
  const int n = me.size();
  for (int first = 1; first < n; first += at_once) {
    const int last = std::min(first + at_once, n);
    for (int i = first; i < last; ++i) me.start_receive(me.below(i), bytes_of(me.below(i), me.rank()));
    for (int i = first; i < last; ++i) me.start_send(me.above(i), bytes_of(me.rank(), me.above(i)));
    me.wait();
  }
}

void alltoall(Member& me, Bytes piece) {
  constexpr Bytes short_bytes = 256;
  constexpr int enough_ranks = 8;
  if (piece > short_bytes || me.size() < enough_ranks)
    return alltoall_pairwise(me, [&](int, int) { return piece; });
  for (int distance = 1; distance < me.size(); distance *= 2) {
    Bytes count = 0;
    for (int i = distance; i < me.size(); ++i) count += (i & distance) != 0;
    me.exchange(me.above(distance), count * piece, me.below(distance), count * piece);
  }
}

// ---- halving.hpp, reduce.cpp, reduce_scatter.cpp, scan.cpp

using lb::Halving;

constexpr Bytes element_bytes = 8;

bool worth_halving(Bytes bytes, int ranks) {
  return lb::worth_halving(bytes, static_cast<std::int64_t>(bytes / element_bytes), ranks);
}

/// Bytes that a member is left with after it met its partners at the distances below `distance`.
Bytes left_with(int member, int distance, Bytes bytes) {
  const auto count = static_cast<std::int64_t>(bytes / element_bytes);
  return static_cast<Bytes>(Halving::left_with(member, distance, count).count) * element_bytes;
}

void fold(Member& me, const Halving& pattern, Bytes bytes) {
  if (pattern.member() < 0)
    me.send(me.rank() - 1, bytes);
  else if (pattern.doubled(pattern.member()))
    me.receive(me.rank() + 1, bytes);
}

void unfold(Member& me, const Halving& pattern, Bytes bytes) {
  if (pattern.member() < 0)
    me.receive(me.rank() - 1, bytes);
  else if (pattern.doubled(pattern.member()))
    me.send(me.rank() + 1, bytes);
}

void reduce_scatter_spans(Member& me, const Halving& pattern, Bytes bytes) {
  if (pattern.member() < 0) return;
  for (int distance = 1; distance < pattern.power(); distance *= 2) {
    const int other = pattern.member() ^ distance, peer = pattern.rank_of(other);
    me.exchange(peer, left_with(other, 2 * distance, bytes), peer,
                left_with(pattern.member(), 2 * distance, bytes));
  }
}

void reduce(Member& me, int root, Bytes bytes) {
  if (bytes == 0) return;
  const int n = me.size();
  if (!worth_halving(bytes, n)) {
    const int relative = (me.rank() - root + n) % n;
    for (int bit = 1; bit < n; bit *= 2) {
      if (relative & bit) return me.send((relative - bit + root) % n, bytes);
      if (relative + bit < n) me.receive((relative + bit + root) % n, bytes);
    }
    return;
  }
  const Halving pattern(me.rank(), n);
  fold(me, pattern, bytes);
  reduce_scatter_spans(me, pattern, bytes);
  if (me.rank() != root) {
    if (pattern.member() >= 0) me.send(root, left_with(pattern.member(), pattern.power(), bytes));
    return;
  }
  for (int member = 0; member < pattern.power(); ++member)
    if (member != pattern.member())
      me.start_receive(pattern.rank_of(member), left_with(member, pattern.power(), bytes));
  me.wait();
}

void allreduce(Member& me, Bytes bytes) {
  if (bytes == 0) return;
  const Halving pattern(me.rank(), me.size());
  fold(me, pattern, bytes);
  if (pattern.member() >= 0 && worth_halving(bytes, me.size())) {
    reduce_scatter_spans(me, pattern, bytes);
    for (int distance = pattern.power() / 2; distance > 0; distance /= 2) {
      const int other = pattern.member() ^ distance, peer = pattern.rank_of(other);
      me.exchange(peer, left_with(pattern.member(), 2 * distance, bytes), peer,
                  left_with(other, 2 * distance, bytes));
    }
  } else if (pattern.member() >= 0) {
    for (int distance = 1; distance < pattern.power(); distance *= 2) {
      const int peer = pattern.rank_of(pattern.member() ^ distance);
      me.exchange(peer, bytes, peer, bytes);
    }
  }
  unfold(me, pattern, bytes);
}

template <class PieceOf>
void reduce_scatter(Member& me, PieceOf piece_of) {
  Bytes total = 0;
  for (int i = 0; i < me.size(); ++i) total += piece_of(i);
  if (total < lb::halving_bytes) return allreduce(me, total);
  for (int step = 1; step < me.size(); ++step)
    me.exchange(me.above(step), piece_of(me.above(step)), me.below(step), piece_of(me.rank()));
}

void scan(Member& me, Bytes bytes, bool exclusive) {
  if (bytes == 0) return;
  const auto step = [&](int distance) {
    if (me.rank() >= distance) me.start_receive(me.rank() - distance, bytes);
    if (me.rank() + distance < me.size()) me.start_send(me.rank() + distance, bytes);
    me.wait();
  };
  for (int distance = 1; distance < me.size(); distance *= 2) step(distance);
  if (exclusive) step(1);
}

// ---- runtime/vmpi/comm/

/// A split: all tell all their color and key; then the first member's number for it goes down a tree.
void create_comm(Member& me) {
  constexpr Bytes told_bytes = 16, id_bytes = 8;
  allgather(me, [](int) { return told_bytes; });
  bcast(me, 0, id_bytes);
}

/// What `from` sends to `to` where everybody sends what he has to all who need it; nothing: no message.
struct Direct {
  const Collectives& collectives;
  const CollectiveCall& call;
  std::size_t members, others;  // places from `members` on are of the other group
  std::size_t root;

  bool inter() const { return others > 0; }
  std::size_t rank_of(std::size_t place) const { return place < members ? place : place - members; }
  std::optional<Bytes> bytes(std::size_t from, std::size_t to) const {
    if (from == to || (inter() && (from < members) == (to < members))) return {};
    switch (call.kind) {
      case Collective::barrier:
      case Collective::create_comm:
        return 0;
      case Collective::bcast:
      case Collective::scatter:
        return from == root ? std::optional(call.bytes) : std::nullopt;
      case Collective::gather:
      case Collective::reduce:
        return to == root ? std::optional(call.bytes) : std::nullopt;
      case Collective::gatherv:
        return to == root ? std::optional(collectives.bytes(call, from, rank_of(to))) : std::nullopt;
      case Collective::scatterv:
        return from == root ? std::optional(collectives.bytes(call, from, rank_of(to))) : std::nullopt;
      case Collective::allgather:
      case Collective::alltoall:
      case Collective::allreduce:
        return call.bytes;
      case Collective::allgatherv:
      case Collective::alltoallv:
      case Collective::alltoallw:
      case Collective::reduce_scatter:
        return collectives.bytes(call, from, rank_of(to));
      case Collective::reduce_scatter_block:
        return call.bytes / std::max<std::size_t>(inter() ? (to < members ? members : others) : members, 1);
      case Collective::scan:
      case Collective::exscan:
        return from < to ? std::optional(call.bytes) : std::nullopt;
    }
    throw TraceError("a collective of unknown kind " + std::to_string(static_cast<int>(call.kind)));
  }
};

std::size_t root_place(const Collectives& collectives, const Communicator& communicator,
                       const CollectiveCall& call) {
  return call.root == any ? 0 : collectives.place(communicator.id, static_cast<ObjectIndex>(call.root));
}

}  // namespace

std::vector<CollectiveStep> nonblocking_steps(const Collectives& collectives,
                                              const Communicator& communicator, const CollectiveCall& call,
                                              std::size_t self) {
  const Direct direct{collectives, call, communicator.members.size(), communicator.others.size(),
                      root_place(collectives, communicator, call)};
  const std::size_t all = direct.members + direct.others;
  std::vector<CollectiveStep> steps;
  // Each begins with another peer, so that not all send to the same.
  for (std::size_t i = 1; i < all; ++i) {
    const std::size_t from = (self + all - i) % all;
    if (const auto bytes = direct.bytes(from, self)) steps.push_back({StepKind::receive, from, *bytes});
  }
  for (std::size_t i = 1; i < all; ++i) {
    const std::size_t to = (self + i) % all;
    if (const auto bytes = direct.bytes(self, to)) steps.push_back({StepKind::send, to, *bytes});
  }
  return steps;
}

std::vector<CollectiveStep> blocking_steps(const Collectives& collectives, const Communicator& communicator,
                                           const CollectiveCall& call, std::size_t self) {
  if (!communicator.others.empty()) {
    std::vector<CollectiveStep> steps = nonblocking_steps(collectives, communicator, call, self);
    if (!steps.empty()) steps.push_back({});
    return steps;
  }
  Member me(self, communicator.members.size());
  const auto root = static_cast<int>(root_place(collectives, communicator, call));
  const auto from_to = [&](int from, int to) {
    return collectives.bytes(call, static_cast<std::size_t>(from), static_cast<std::size_t>(to));
  };
  switch (call.kind) {
    case Collective::barrier:
      barrier(me);
      break;
    case Collective::bcast:
      bcast(me, root, call.bytes);
      break;
    case Collective::gather:
      gather(me, root, call.bytes);
      break;
    case Collective::gatherv:
      gather_directly(me, root, [&](int from) { return from_to(from, root); });
      break;
    case Collective::scatter:
      scatter(me, root, call.bytes);
      break;
    case Collective::scatterv:
      scatter_directly(me, root, [&](int to) { return from_to(root, to); });
      break;
    case Collective::allgather:
      allgather(me, [&](int) { return call.bytes; });
      break;
    case Collective::allgatherv:
      allgather(me, [&](int from) { return from_to(from, me.rank()); });
      break;
    case Collective::alltoall:
      alltoall(me, call.bytes);
      break;
    case Collective::alltoallv:
    case Collective::alltoallw:
      alltoall_pairwise(me, from_to);
      break;
    case Collective::reduce:
      reduce(me, root, call.bytes);
      break;
    case Collective::allreduce:
      allreduce(me, call.bytes);
      break;
    case Collective::reduce_scatter_block:
      reduce_scatter(me, [&](int) { return call.bytes / static_cast<Bytes>(me.size()); });
      break;
    case Collective::reduce_scatter:
      reduce_scatter(me, [&](int to) { return from_to(me.rank(), to); });
      break;
    case Collective::scan:
    case Collective::exscan:
      scan(me, call.bytes, call.kind == Collective::exscan);
      break;
    case Collective::create_comm:
      create_comm(me);
      break;
    default:
      throw TraceError("a collective of unknown kind " + std::to_string(static_cast<int>(call.kind)));
  }
  return me.take();
}

}  // namespace skein::trace
