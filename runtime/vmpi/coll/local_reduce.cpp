// SPDX-License-Identifier: Apache-2.0
// Reduce, allreduce and reduce-scatter of members that assemble.
#include <algorithm>

#include "runtime/vmpi/coll/deterministic.hpp"
#include "runtime/vmpi/coll/local.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* in_reduce = "in MPI_Reduce, for the other ranks of its communicator";
constexpr const char* in_allreduce = "in MPI_Allreduce, for the other ranks of its communicator";
constexpr const char* in_reduce_scatter = "in a reduce-scatter, for the other ranks of its communicator";

/// What a member wants of the result.
struct Part : Contribution {
  std::int64_t first = 0, count = 0;  ///< elements
};
const Part& part(const Assembly& assembly, std::size_t i) {
  return static_cast<const Part&>(*assembly.parts[i]);
}

/// The inputs of all members on this PE, combined in the order of their ranks: a stretch at a time of all,
/// which stays in the cache.
void combine_inputs(const Assembly& assembly, const Reduction& reduction, std::int64_t count,
                    RankState& state, void* value) {
  const auto input = [&](std::size_t i) { return assembly.parts[i]->input.place(); };
  for_each_stretch(reduction, count, [&](std::int64_t first, std::int64_t length) {
    std::size_t i = assembly.parts.size() - 1;
    reduction.copy_elements(input(i), value, first, length);
    while (i-- > 0) reduction.combine(state, input(i), value, first, length);
  });
}

/// `combine(value)` is what the PEs do with what each of them has; returns an MPI error class.
template <class Combine>
int reduce_parts(Assembly& assembly, const Comm& comm, const Reduction& reduction, std::int64_t count,
                 Part& mine, const char* purpose, const Combine& combine) {
  if (!assemble(assembly, comm, &mine, purpose)) return mine.error;
  for (const Contribution* other : assembly.parts)
    if (other->input.bytes != mine.input.bytes) report_mismatch(comm);
  {
    const SharedWork shared(assembly, reduction.bytes(count) * assembly.parts.size());
    RankState& state = current_state();
    const Vector vector(state, reduction, count);
    void* const value = vector.base();
    combine_inputs(assembly, reduction, count, state, value);
    const int error = assembly.alone() ? MPI_SUCCESS : combine(value);
    for (Contribution* const other : assembly.parts) other->error = error;
    for (std::size_t i = 0; i < assembly.parts.size(); ++i) {
      const Part& to = part(assembly, i);
      if (!to.output.type || to.count == 0) continue;
      copy(reduction.elements(value, to.first, to.count), to.output, to.output.bytes);
    }
  }
  dismiss(assembly);
  return mine.error;
}

}  // namespace

bool reduction_assembles(const Reduction& reduction, std::int64_t count) {
  return !deterministic && reduction.op->predefined() && reduction.op->commutative() && count > 0;
}

int reduce_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const void* input,
              void* result, std::int64_t count, int root) {
  Part mine;
  mine.input = reduction.elements(input, 0, count);
  if (root == no_root || root == comm.rank) mine.output = reduction.elements(result, 0, count);
  mine.count = count;
  return reduce_parts(
      assembly, comm, reduction, count, mine, root == no_root ? in_allreduce : in_reduce, [&](void* value) {
        Comm& among = leaders_of(assembly, comm);
        return root == no_root
                   ? run_allreduce(among, tag, reduction, value, value, count)
                   : run_reduce(among, tag, reduction, value, value, count, leader_of(assembly, comm, root));
      });
}

// Every PE gets all of it: what its members want is mostly not side by side, and most of the work is theirs.
int reduce_scatter_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const void* input,
                      void* result, std::int64_t count, std::int64_t first, std::int64_t own) {
  Part mine;
  mine.input = reduction.elements(input, 0, count);
  mine.output = reduction.elements(result, 0, own);
  mine.first = first;
  mine.count = own;
  return reduce_parts(assembly, comm, reduction, count, mine, in_reduce_scatter, [&](void* value) {
    return run_allreduce(leaders_of(assembly, comm), tag, reduction, value, value, count);
  });
}

}  // namespace skein::vmpi
