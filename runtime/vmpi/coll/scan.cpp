// SPDX-License-Identifier: Apache-2.0
// Prefix reductions.
#include "runtime/vmpi/coll/reduction.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* in_scan = "in MPI_Scan, for rank %d of its communicator";
constexpr const char* in_exscan = "in MPI_Exscan, for rank %d of its communicator";

/// Hillis and Steele (1986): after the step of distance d, rank r has the result of ranks (r - 2d, r].
void scan(Channel& channel, const Reduction& reduction, void* value, std::int64_t count) {
  const int n = channel.size(), rank = channel.rank();
  const Vector part(channel.state(), reduction, count);
  const Data mine = reduction.elements(value, 0, count), theirs = reduction.elements(part.base(), 0, count);
  for (int distance = 1; distance < n; distance *= 2) {
    Batch batch(channel, 2);
    if (rank >= distance) batch.receive(rank - distance, theirs);
    if (rank + distance < n) batch.send(rank + distance, mine);
    batch.wait();
    if (rank >= distance) reduction.combine(channel.state(), part.base(), value, 0, count);
  }
}

}  // namespace

int run_scan(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
             std::int64_t count) {
  Channel channel(comm, tag, in_scan);
  if (reduction.bytes(count) == 0) return MPI_SUCCESS;
  reduction.copy_elements(input, result, 0, count);
  scan(channel, reduction, result, count);
  return channel.error();
}

int run_exscan(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
               std::int64_t count) {
  Channel channel(comm, tag, in_exscan);
  if (reduction.bytes(count) == 0) return MPI_SUCCESS;
  const Vector inclusive(channel.state(), reduction, count);
  reduction.copy_elements(input, inclusive.base(), 0, count);
  scan(channel, reduction, inclusive.base(), count);
  // Everybody's result is the rank's below it; rank 0 has none.
  Batch batch(channel, 2);
  if (channel.rank() > 0) batch.receive(channel.rank() - 1, reduction.elements(result, 0, count));
  if (channel.rank() + 1 < channel.size())
    batch.send(channel.rank() + 1, reduction.elements(inclusive.base(), 0, count));
  batch.wait();
  return channel.error();
}

}  // namespace skein::vmpi
