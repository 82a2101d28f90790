// SPDX-License-Identifier: Apache-2.0
// Makes the steps of any recorded collective from the bytes that its members have for each other.
#pragma once

#include <algorithm>
#include <string>

#include "lb/collectives/allgather.hpp"
#include "lb/collectives/alltoall.hpp"
#include "lb/collectives/bcast.hpp"
#include "lb/collectives/gather.hpp"
#include "lb/collectives/reduce.hpp"
#include "lb/collectives/steps.hpp"
#include "skein/lb/trace.hpp"

namespace skein::collectives {

/// A vector of which only the bytes are known. Vectors are divided between elements, which are assumed to
/// have 8 bytes; the last one may have fewer.
class ByteVector {
 public:
  explicit ByteVector(Bytes bytes) : bytes_(bytes) {}
  Bytes bytes() const { return bytes_; }
  std::int64_t count() const { return static_cast<std::int64_t>((bytes_ + element - 1) / element); }
  Bytes value(std::int64_t first, std::int64_t count) const { return begin(first + count) - begin(first); }
  Bytes room(std::int64_t first, std::int64_t count) const { return value(first, count); }
  Bytes result(std::int64_t first, std::int64_t count) const { return value(first, count); }
  void join_above(std::int64_t, std::int64_t) {}
  void join_below(std::int64_t, std::int64_t) {}
  void settle(std::int64_t, std::int64_t) {}

 private:
  static constexpr Bytes element = 8;
  Bytes begin(std::int64_t index) const { return std::min(static_cast<Bytes>(index) * element, bytes_); }
  Bytes bytes_;
};

/// Makes the steps of a blocking collective of one group, or of a nonblocking one that is no joint operation.
/// `bytes`, and `bytes_of(from, to)` for kinds with counts, come from trace::Event::bytes and list.
/// Operations are assumed to commute. Throws TraceError for an unknown kind.
template <class BytesOf>
void make_steps(Steps& port, trace::Collective kind, int root, Bytes bytes, const BytesOf& bytes_of) {
  using trace::Collective;
  const int n = port.size(), rank = port.rank();
  const auto same = [&](int) { return bytes; };
  const auto stretch = [](Bytes, Bytes length) { return length; };
  const auto nothing = [](auto...) {};
  const auto allgather = [&](const auto& piece_of, const auto& sum_of) {
    if (worth_a_ring(sum_of(0, n)))
      around_the_ring(port, piece_of);
    else
      double_the_pieces(port, sum_of, stretch);
  };
  const auto reduce_scatter = [&](Bytes total, const auto& piece_of) {
    ByteVector all(total);
    if (worth_pairs(total))
      reduce_in_pairs(
          port, piece_of, [&](int) { return piece_of(rank); }, nothing);
    else
      allreduce(port, all);
  };
  const RankTree tree(rank, n, std::max(root, 0));
  const auto pieces = [&](int first, int last) { return static_cast<Bytes>(last - first) * bytes; };
  ByteVector vector(bytes);
  switch (kind) {
    case Collective::barrier:
      return barrier(port);
    case Collective::bcast:
      return bcast(port, root, bytes, stretch);
    case Collective::gather:
      if (worth_a_tree(bytes, n)) return gather_up_the_tree(port, tree, pieces);
      return gather_directly(port, root, bytes, same, nothing);
    case Collective::gatherv:
      return gather_directly(
          port, root, bytes_of(rank, root), [&](int from) { return bytes_of(from, root); }, nothing);
    case Collective::scatter:
      if (worth_a_tree(bytes, n)) return down_the_tree(port, tree, pieces);
      return scatter_directly(port, root, bytes, same, nothing);
    case Collective::scatterv:
      return scatter_directly(
          port, root, bytes_of(root, rank), [&](int to) { return bytes_of(root, to); }, nothing);
    case Collective::allgather:
      return allgather(same, [&](int, int count) { return static_cast<Bytes>(count) * bytes; });
    case Collective::allgatherv: {
      const auto piece_of = [&](int from) { return bytes_of(from, rank); };
      return allgather(piece_of, [&](int first, int count) {
        Bytes sum = 0;
        for (int i = first; i < first + count; ++i) sum += piece_of(port.above(i));
        return sum;
      });
    }
    case Collective::alltoall:
      if (worth_forwarding(bytes, n))
        return store_and_forward(
            port, [&](int, int count) { return static_cast<Bytes>(count) * bytes; },
            [&](int count) { return static_cast<Bytes>(count) * bytes; }, nothing);
      return pairwise(port, same, same);
    case Collective::alltoallv:
    case Collective::alltoallw:
      return pairwise(
          port, [&](int to) { return bytes_of(rank, to); }, [&](int from) { return bytes_of(from, rank); });
    case Collective::reduce:
      return reduce(port, vector, root, root);
    case Collective::allreduce:
      return allreduce(port, vector);
    case Collective::reduce_scatter_block:
      return reduce_scatter(bytes, [&](int) { return bytes / static_cast<Bytes>(n); });
    case Collective::reduce_scatter: {
      Bytes total = 0;
      for (int to = 0; to < n; ++to) total += bytes_of(rank, to);
      return reduce_scatter(total, [&](int to) { return bytes_of(rank, to); });
    }
    case Collective::scan:
    case Collective::exscan:
      if (bytes == 0) return;
      scan(port, bytes, bytes, nothing);
      if (kind == Collective::exscan) pass_up(port, 1, bytes, bytes);
      return;
    case Collective::create_comm: {
      // A split: all ranks tell all others their choices, however many they are; then the first member's
      // number for the new communicator goes down a tree.
      static constexpr Bytes choice_bytes = 12, id_bytes = 8;
      double_the_pieces(
          port, [](int, int count) { return static_cast<Bytes>(count) * choice_bytes; }, stretch);
      return down_the_tree(port, RankTree(rank, n, 0), [](int, int) { return id_bytes; });
    }
  }
  throw trace::TraceError("a collective of unknown kind " + std::to_string(static_cast<int>(kind)));
}

}  // namespace skein::collectives
