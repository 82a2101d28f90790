// SPDX-License-Identifier: Apache-2.0
// Reduce, allreduce and reduce-scatter of members that assemble.
#include <cstring>

#include "runtime/vmpi/coll/local.hpp"
#include "runtime/vmpi/coll/node_exchange.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* in_local_reduce = "in MPI_Reduce, for the other ranks of its communicator";
constexpr const char* in_local_allreduce = "in MPI_Allreduce, for the other ranks of its communicator";
constexpr const char* in_local_reduce_scatter =
    "in a reduce-scatter, for the other ranks of its communicator";

/// Where a buffer is while the calling rank does not run.
template <class T>
T* place_when_away(T* buffer) {
  if (among_thread_locals(buffer)) [[unlikely]]
    return reinterpret_cast<T*>(switched_out_place(buffer));
  return buffer;
}

/// The inputs of all members on this PE, combined in the order of their ranks: a stretch at a time of all,
/// which stays in the cache.
void combine_inputs(const Assembly& assembly, const Reduction& reduction, std::int64_t count, void* value) {
  const std::vector<Operand>& operands = assembly.operands;
  for_each_stretch(reduction, count, [&](std::int64_t first, std::int64_t length) {
    const std::int64_t at = first * reduction.type->extent();
    const auto stretch = [at](const void* elements) { return static_cast<const std::byte*>(elements) + at; };
    std::byte* const combined = static_cast<std::byte*>(value) + at;
    std::size_t i = operands.size() - 1;
    reduction.copy_elements(operands[i].input, value, first, length);
    while (i-- > 0) reduction.kernel(stretch(operands[i].input), combined, length);
  });
}

/// Gives the members on this PE what they want of the result.
void hand_out(const Assembly& assembly, const Reduction& reduction, const void* value) {
  const bool dense = reduction.is_dense();
  for (const Operand& to : assembly.operands) {
    if (!to.result || to.count == 0) continue;
    const std::byte* const wanted = reduction.element(const_cast<void*>(value), to.first);
    const std::size_t bytes = reduction.bytes(to.count);
    if (!dense)
      reduction.copy_elements(wanted, to.result, 0, to.count);
    else if (bytes == sizeof(std::uint64_t))
      memcpy(to.result, wanted, sizeof(std::uint64_t));
    else
      memcpy(to.result, wanted, bytes);
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
      [&](std::byte* block) { combine_inputs(assembly, reduction, count, block); },
      [&](std::byte* to, const auto& blocks, std::size_t pes) {
        reduction.copy_elements(blocks(pes - 1), to, 0, count);
        for (std::size_t i = pes - 1; i-- > 0;) reduction.combine(state, blocks(i), to, 0, count);
      },
      [&](const std::byte* result) { hand_out(assembly, reduction, result); });
}

/// `own` is what this rank brings, as it sees it. `combine(value)` is what the PEs do with what each of them
/// has, where they do it by messages; returns an MPI error class.
template <class Combine>
int reduce_parts(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, std::int64_t count,
                 const Operand& own, const char* purpose, const Combine& combine) {
  const std::size_t bytes = reduction.bytes(count);
  if (assembly.arrived == 0)
    assembly.operand_bytes = bytes;
  else if (assembly.operand_bytes != bytes)
    report_mismatch(comm);
  const AmongPes way = assembly.alone() ? AmongPes::messages : way_of(reduction, count);
  int own_error = MPI_SUCCESS;
  Operand& mine = assembly.operands[comm.assembly.member];
  mine = {place_when_away(own.input), place_when_away(own.result), own.first, own.count, &own_error};
  if (!assemble(assembly, comm, nullptr, purpose, way)) return own_error;
  // This rank runs from here on.
  mine.input = own.input;
  mine.result = own.result;
  net::Exchange* const exchange =
      !assembly.alone() && way == AmongPes::exchange ? exchange_of(assembly, comm, tag) : nullptr;
  if (exchange) {
    reduce_by_exchange(assembly, *exchange, reduction, count);
  } else {
    const SharedWork shared(assembly, bytes * assembly.operands.size());
    const Vector vector(current_state(), reduction, count);
    void* const value = vector.base();
    combine_inputs(assembly, reduction, count, value);
    const int error = assembly.alone() ? MPI_SUCCESS : combine(value);
    if (error != MPI_SUCCESS)
      for (const Operand& operand : assembly.operands) *operand.error = error;
    hand_out(assembly, reduction, value);
  }
  dismiss(assembly);
  return own_error;
}

}  // namespace

int reduce_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const void* input,
              void* result, std::int64_t count, int root) {
  const bool gets = root == no_root || root == comm.rank;
  return reduce_parts(assembly, comm, tag, reduction, count, {input, gets ? result : nullptr, 0, count},
                      root == no_root ? in_local_allreduce : in_local_reduce, [&](void* value) {
                        Comm& among = leaders_of(assembly, comm);
                        return root == no_root ? run_allreduce(among, tag, reduction, value, value, count)
                                               : run_reduce(among, tag, reduction, value, value, count,
                                                            leader_of(assembly, comm, root));
                      });
}

// Every PE gets all of it: what its members want is mostly not side by side, and most of the work is theirs.
int reduce_scatter_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const void* input,
                      void* result, std::int64_t count, std::int64_t first, std::int64_t own) {
  return reduce_parts(assembly, comm, tag, reduction, count, {input, result, first, own},
                      in_local_reduce_scatter, [&](void* value) {
                        return run_allreduce(leaders_of(assembly, comm), tag, reduction, value, value, count);
                      });
}

}  // namespace skein::vmpi
