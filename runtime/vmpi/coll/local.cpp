// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/local.hpp"

#include <algorithm>

#include "runtime/vmpi/coll/deterministic.hpp"
#include "runtime/vmpi/coll/movement.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* in_bcast = "in MPI_Bcast, for the other ranks of its communicator";
constexpr const char* in_reduce = "in MPI_Reduce, for the other ranks of its communicator";
constexpr const char* in_allreduce = "in MPI_Allreduce, for the other ranks of its communicator";

Comm& leaders(Assembly& assembly, const Comm& comm) {
  assembly.leaders.leaders_of = &comm;
  return assembly.leaders;
}

/// The index of `rank` among the members on this PE, or -1.
int index_of(const Assembly& assembly, int rank) {
  const auto found = std::ranges::lower_bound(assembly.members, rank);
  return found != assembly.members.end() && *found == rank
             ? static_cast<int>(found - assembly.members.begin())
             : -1;
}

int leader_of(const Assembly& assembly, const Comm& comm, int rank) {
  return assembly.leader_on_pe[static_cast<std::size_t>(pe::pe_of(comm.world_rank(rank)))];
}

/// Brings the root's data to this PE's leader. Returns where it is then.
const Data* bring(Assembly& assembly, Comm& comm, int tag, int root, Channel& channel) {
  const int root_index = index_of(assembly, root);
  const Data& data = assembly.parts[root_index < 0 ? 0 : static_cast<std::size_t>(root_index)]->input;
  if (assembly.alone()) return &data;
  Comm& among = leaders(assembly, comm);
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

/// The inputs of all members on this PE, combined in the order of their ranks.
void combine_inputs(const Assembly& assembly, const Reduction& reduction, std::int64_t count,
                    RankState& state, void* value) {
  const auto input = [&](std::size_t i) { return assembly.parts[i]->input.place(); };
  std::size_t i = assembly.parts.size() - 1;
  reduction.copy_elements(input(i), value, 0, count);
  while (i-- > 0) reduction.combine(state, input(i), value, 0, count);
}

}  // namespace

void complete_barrier(Assembly& assembly, const Comm& comm, int tag, const char* waiting) {
  if (!assembly.alone())
    (void)run_barrier(leaders(assembly, comm), tag, waiting);  // without data it does not fail
  dismiss(assembly);
}

int bcast_at(Assembly& assembly, Comm& comm, int tag, const Data& data, int root) {
  Contribution mine;
  mine.input = data;
  if (!assemble(assembly, comm, &mine, in_bcast)) return mine.error;
  Channel channel(comm, tag, in_bcast);
  const Data* const from = bring(assembly, comm, tag, root, channel);
  for (Contribution* const part : assembly.parts) {
    const Data& to = part->input;
    part->error = to.bytes < from->bytes ? MPI_ERR_TRUNCATE : channel.error();
    if (&to != from) copy(*from, to, std::min(from->bytes, to.bytes));
  }
  dismiss(assembly);
  return mine.error;
}

bool reduction_assembles(const Reduction& reduction, std::int64_t count) {
  return !deterministic && reduction.op->predefined() && reduction.op->commutative() && count > 0 &&
         reduction.bytes(count) <= longest_to_assemble;
}

int reduce_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const void* input,
              void* result, std::int64_t count, int root) {
  Contribution mine;
  mine.input = reduction.elements(input, 0, count);
  if (root == no_root || root == comm.rank) mine.output = reduction.elements(result, 0, count);
  if (!assemble(assembly, comm, &mine, root == no_root ? in_allreduce : in_reduce)) return mine.error;
  for (const Contribution* part : assembly.parts)
    if (part->input.bytes != mine.input.bytes) report_mismatch(comm);

  RankState& state = current_state();
  const Vector vector(state, reduction, count);
  void* const value = vector.base();
  combine_inputs(assembly, reduction, count, state, value);
  int error = MPI_SUCCESS;
  if (!assembly.alone()) {
    Comm& among = leaders(assembly, comm);
    error = root == no_root
                ? run_allreduce(among, tag, reduction, value, value, count)
                : run_reduce(among, tag, reduction, value, value, count, leader_of(assembly, comm, root));
  }
  for (Contribution* const part : assembly.parts) {
    part->error = error;
    if (part->output.type) reduction.copy_elements(value, part->output.place(), 0, count);
  }
  dismiss(assembly);
  return error;
}

}  // namespace skein::vmpi
