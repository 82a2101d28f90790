// SPDX-License-Identifier: Apache-2.0
// Reductions and prefix reductions, by the algorithms of lb/collectives/.
#include "lb/collectives/reduce.hpp"

#include "runtime/vmpi/coll/algorithms/reduction.hpp"
#include "runtime/vmpi/coll/blocks/blocks.hpp"

namespace skein::vmpi {

using trace::Collective;

namespace {

constexpr const char* kInReduce = "in MPI_Reduce to root %d%b, for rank %d of its communicator";
constexpr const char* kInAllreduce = "in MPI_Allreduce%b, for rank %d of its communicator";
constexpr const char* kInReduceScatter = "in a reduce-scatter%b, for rank %d of its communicator";
constexpr const char* kInScan = "in MPI_Scan%b, for rank %d of its communicator";
constexpr const char* kInExscan = "in MPI_Exscan%b, for rank %d of its communicator";

void reduce_in_pairs(Channel& channel, const Reduction& reduction, const void* input, void* result,
                     const Numbers& counts, std::int64_t count) {
  const int n = channel.size(), rank = channel.rank();
  const auto size_of = [&](int i) { return counts.null() ? count : counts[i]; };
  const Scratch memory(channel.state(), static_cast<std::size_t>(n) * sizeof(std::int64_t));
  auto* const first = reinterpret_cast<std::int64_t*>(memory.data());
  std::int64_t total = 0;
  for (int i = 0; i < n; ++i) {
    first[i] = total;
    total += size_of(i);
  }
  const std::int64_t mine = size_of(rank);
  const auto whole = [&](const void* base) { return reduction.elements(base, 0, mine); };
  const Vector low(channel.state(), reduction, mine), high(channel.state(), reduction, mine),
      part(channel.state(), reduction, mine);
  copy(reduction.elements(input, first[rank], mine), whole(low.base()), reduction.bytes(mine));
  channel.log_together([&](int i) { return reduction.bytes(size_of(i)); });
  const auto target = [&](int from) { return from == n - 1 ? high.base() : part.base(); };
  collectives::reduce_in_pairs(
      channel, [&](int to) { return reduction.elements(input, first[to], size_of(to)); },
      [&](int from) { return whole(target(from)); },
      [&](int from) {
        if (from == n - 1) return;
        reduction.combine(channel.state(), target(from), from < rank ? low.base() : high.base(), 0, mine);
      });
  void* value = low.base();
  if (rank != n - 1) {
    reduction.combine(channel.state(), low.base(), high.base(), 0, mine);
    value = high.base();
  }
  copy(whole(value), whole(result), reduction.bytes(mine));
}

void allreduce(Channel& channel, const Reduction& reduction, const void* input, void* result,
               std::int64_t count) {
  Partial partial(channel.state(), reduction, count, input, result);
  collectives::allreduce(channel, partial);
}

void scan(Channel& channel, const Reduction& reduction, void* value, std::int64_t count) {
  const Vector part(channel.state(), reduction, count);
  collectives::scan(channel, reduction.elements(value, 0, count), reduction.elements(part.base(), 0, count),
                    [&] { reduction.combine(channel.state(), part.base(), value, 0, count); });
}

}  // namespace

int run_reduce(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
               std::int64_t count, int root, int named) {
  Channel channel(comm, tag, {kInReduce, {named < 0 ? root : named, 0}});
  channel.says(Collective::reduce, {.bytes = reduction.bytes(count), .reduction = reduction.number()});
  Partial partial(channel.state(), reduction, count, input, channel.rank() == root ? result : nullptr);
  collectives::reduce(channel, partial, root, reduction.op->commutative() ? root : 0);
  return channel.error();
}

int run_allreduce(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
                  std::int64_t count) {
  Channel channel(comm, tag, kInAllreduce);
  channel.says(Collective::allreduce, {.bytes = reduction.bytes(count), .reduction = reduction.number()});
  allreduce(channel, reduction, input, result, count);
  return channel.error();
}

int run_reduce_scatter(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
                       const Numbers& counts, std::int64_t count) {
  std::int64_t total = count * comm.size(), before = count * comm.rank;
  if (!counts.null()) {
    total = before = 0;
    for (int i = 0; i < comm.size(); ++i) {
      if (i == comm.rank) before = total;
      total += counts[i];
    }
  }
  Channel channel(comm, tag, kInReduceScatter);
  channel.says(Collective::reduce_scatter,
               {.bytes = reduction.bytes(total), .reduction = reduction.number()});
  if (collectives::worth_pairs(reduction.bytes(total))) {
    reduce_in_pairs(channel, reduction, input, result, counts, count);
    return channel.error();
  }
  const Vector all(channel.state(), reduction, total);
  allreduce(channel, reduction, input, all.base(), total);
  const std::int64_t mine = counts.null() ? count : counts[comm.rank];
  copy(reduction.elements(all.base(), before, mine), reduction.elements(result, 0, mine),
       reduction.bytes(mine));
  return channel.error();
}

int run_scan(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
             std::int64_t count) {
  Channel channel(comm, tag, kInScan);
  channel.says(Collective::scan, {.bytes = reduction.bytes(count), .reduction = reduction.number()});
  if (reduction.bytes(count) == 0) return MPI_SUCCESS;
  reduction.copy_elements(input, result, 0, count);
  scan(channel, reduction, result, count);
  return channel.error();
}

int run_exscan(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
               std::int64_t count) {
  Channel channel(comm, tag, kInExscan);
  channel.says(Collective::exscan, {.bytes = reduction.bytes(count), .reduction = reduction.number()});
  if (reduction.bytes(count) == 0) return MPI_SUCCESS;
  const Vector inclusive(channel.state(), reduction, count);
  reduction.copy_elements(input, inclusive.base(), 0, count);
  scan(channel, reduction, inclusive.base(), count);
  // A rank's result is the prefix of the rank below it; rank 0 has none.
  collectives::pass_up(channel, 1, reduction.elements(inclusive.base(), 0, count),
                       reduction.elements(result, 0, count));
  return channel.error();
}

}  // namespace skein::vmpi
