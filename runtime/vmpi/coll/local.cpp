// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/local.hpp"

#include <algorithm>

#include "runtime/vmpi/coll/movement.hpp"
#include "runtime/vmpi/coll/node_exchange.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* in_local_bcast = "in MPI_Bcast, for the other ranks of its communicator";

/// The index of `rank` among the members on this PE, or -1.
int index_of(const Assembly& assembly, int rank) {
  const auto found = std::ranges::lower_bound(assembly.members, rank);
  return found != assembly.members.end() && *found == rank
             ? static_cast<int>(found - assembly.members.begin())
             : -1;
}

/// Brings the root's data to this PE's leader. Returns where it is then.
const Data* bring(Assembly& assembly, Comm& comm, int tag, int root, Channel& channel) {
  const int root_index = index_of(assembly, root);
  const Data& data = assembly.parts[root_index < 0 ? 0 : static_cast<std::size_t>(root_index)]->input;
  if (assembly.alone()) return &data;
  Comm& among = leaders_of(assembly, comm);
  const int from = leader_of(assembly, comm, root);
  if (root_index <= 0) {
    channel.note(run_bcast(among, tag, data, from));
  } else {
    // The messages of a rank are in its own memory.
    const Scratch copy(channel.state(), data.bytes);
    data.pack(0, copy.data(), data.bytes);
    channel.note(run_bcast(among, tag, byte_data(copy.data(), data.bytes), from));
  }
  return &data;
}

}  // namespace

void complete_barrier(Assembly& assembly, const Comm& comm, int tag, const char* waiting) {
  if (!assembly.alone()) {
    if (net::Exchange* const exchange = exchange_of(assembly, comm, tag))
      meet(assembly, *exchange, assembly.purpose);
    else
      (void)run_barrier(leaders_of(assembly, comm), tag, waiting);  // without data it does not fail
  }
  dismiss(assembly);
}

int bcast_at(Assembly& assembly, Comm& comm, int tag, const Data& data, int root) {
  Contribution mine;
  mine.input = data;
  if (!assemble(assembly, comm, &mine, in_local_bcast)) return mine.error;
  {
    const SharedWork shared(assembly, data.bytes * assembly.parts.size());
    Channel channel(comm, tag, in_local_bcast);
    const Data* const from = bring(assembly, comm, tag, root, channel);
    for (Contribution* const part : assembly.parts) {
      const Data& to = part->input;
      part->error = to.bytes < from->bytes ? MPI_ERR_TRUNCATE : channel.error();
      if (&to != from) copy(*from, to, std::min(from->bytes, to.bytes));
    }
  }
  dismiss(assembly);
  return mine.error;
}

}  // namespace skein::vmpi
