// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter, with equal pieces and with counts.
#include "runtime/vmpi/coll/blocks.hpp"
#include "runtime/vmpi/coll/halving.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* in_reduce_scatter = "in a reduce-scatter, for rank %d of its communicator";

/// Every rank sends each other one its piece, and combines what comes for its own. They come from just below
/// itself down to rank 0, then from the last rank down to just above: two runs of ranks side by side, each
/// growing downwards, so rank order is kept.
void pairwise(Channel& channel, const Reduction& reduction, const void* input, void* result,
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
  for (int step = 1; step < n; ++step) {
    const int to = channel.above(step), from = channel.below(step);
    void* const target = from == n - 1 ? high.base() : part.base();
    channel.exchange(to, reduction.elements(input, first[to], size_of(to)), from, whole(target));
    if (from == n - 1) continue;
    reduction.combine(channel.state(), target, from < rank ? low.base() : high.base(), 0, mine);
  }
  void* value = low.base();
  if (rank != n - 1) {
    reduction.combine(channel.state(), low.base(), high.base(), 0, mine);
    value = high.base();
  }
  copy(whole(value), whole(result), reduction.bytes(mine));
}

}  // namespace

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
  if (reduction.bytes(total) <
      collectives::halving_bytes) {  // few steps matter most: everybody gets everything
    const Vector all(current_state(), reduction, total);
    const int error = run_allreduce(comm, tag, reduction, input, all.base(), total);
    const std::int64_t mine = counts.null() ? count : counts[comm.rank];
    copy(reduction.elements(all.base(), before, mine), reduction.elements(result, 0, mine),
         reduction.bytes(mine));
    return error;
  }
  Channel channel(comm, tag, in_reduce_scatter);
  pairwise(channel, reduction, input, result, counts, count);
  return channel.error();
}

}  // namespace skein::vmpi
