// SPDX-License-Identifier: Apache-2.0
// Reduce, allreduce and reduce-scatter of members that assemble.
#include <algorithm>
#include <cstring>

#include "runtime/vmpi/coll/deterministic.hpp"
#include "runtime/vmpi/coll/local.hpp"
#include "runtime/vmpi/coll/node_exchange.hpp"

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

/// Gives the members on this PE what they want of the result.
void hand_out(const Assembly& assembly, const Reduction& reduction, const void* value) {
  const bool dense = reduction.is_dense();
  for (std::size_t i = 0; i < assembly.parts.size(); ++i) {
    const Part& to = part(assembly, i);
    if (!to.output.type || to.count == 0) continue;
    const std::byte* const wanted = reduction.element(const_cast<void*>(value), to.first);
    if (dense)
      memcpy(to.output.place(), wanted, to.output.bytes);
    else
      reduction.copy_elements(wanted, to.output.place(), 0, to.count);
  }
}

/// What `count` elements take from the origin of the first on; 0 where some of it lies before that.
std::size_t span_of(const Reduction& reduction, std::int64_t count) {
  const Datatype& type = *reduction.type;
  if (type.true_lb() < 0 || type.extent() < type.true_lb() + type.true_extent()) return 0;
  return static_cast<std::size_t>(count * type.extent());
}

/// Whether the PEs combine what they have through an exchange, if there is one.
AmongPes way_of(const Reduction& reduction, std::int64_t count) {
  const std::size_t span = span_of(reduction, count);
  return span > 0 && span <= net::Exchange::longest_block ? AmongPes::exchange : AmongPes::messages;
}

void reduce_by_exchange(Assembly& assembly, net::Exchange& exchange, const Reduction& reduction,
                        std::int64_t count) {
  RankState& state = current_state();
  combine_all(
      assembly, exchange, span_of(reduction, count), assembly.purpose,
      [&](std::byte* block) { combine_inputs(assembly, reduction, count, state, block); },
      [&](std::byte* to, const auto& blocks, std::size_t pes) {
        reduction.copy_elements(blocks(pes - 1), to, 0, count);
        for (std::size_t i = pes - 1; i-- > 0;) reduction.combine(state, blocks(i), to, 0, count);
      },
      [&](const std::byte* result) { hand_out(assembly, reduction, result); });
}

/// `combine(value)` is what the PEs do with what each of them has, where they do it by messages; returns an
/// MPI error class.
template <class Combine>
int reduce_parts(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, std::int64_t count,
                 Part& mine, const char* purpose, const Combine& combine) {
  const AmongPes way = way_of(reduction, count);
  if (!assemble(assembly, comm, &mine, purpose, way)) return mine.error;
  for (const Contribution* other : assembly.parts)
    if (other->input.bytes != mine.input.bytes) report_mismatch(comm);
  net::Exchange* const exchange =
      !assembly.alone() && way == AmongPes::exchange ? exchange_of(assembly, comm, tag) : nullptr;
  if (exchange) {
    reduce_by_exchange(assembly, *exchange, reduction, count);
    for (Contribution* const other : assembly.parts) other->error = MPI_SUCCESS;
  } else {
    const SharedWork shared(assembly, reduction.bytes(count) * assembly.parts.size());
    RankState& state = current_state();
    const Vector vector(state, reduction, count);
    void* const value = vector.base();
    combine_inputs(assembly, reduction, count, state, value);
    const int error = assembly.alone() ? MPI_SUCCESS : combine(value);
    for (Contribution* const other : assembly.parts) other->error = error;
    hand_out(assembly, reduction, value);
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
  return reduce_parts(assembly, comm, tag, reduction, count, mine, root == no_root ? in_allreduce : in_reduce,
                      [&](void* value) {
                        Comm& among = leaders_of(assembly, comm);
                        return root == no_root ? run_allreduce(among, tag, reduction, value, value, count)
                                               : run_reduce(among, tag, reduction, value, value, count,
                                                            leader_of(assembly, comm, root));
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
  return reduce_parts(assembly, comm, tag, reduction, count, mine, in_reduce_scatter, [&](void* value) {
    return run_allreduce(leaders_of(assembly, comm), tag, reduction, value, value, count);
  });
}

}  // namespace skein::vmpi
