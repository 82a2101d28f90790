// SPDX-License-Identifier: Apache-2.0
// Reduce, allreduce and reduce-scatter of members that assemble.
#include "runtime/vmpi/coll/meeting/local.hpp"
#include "runtime/vmpi/coll/meeting/operands.hpp"
#include "runtime/vmpi/coll/meeting/pe_exchange.hpp"

namespace skein::vmpi {

const char in_local_reduce[] = "in MPI_Reduce to root %d%b, for the other ranks of its communicator";
const char in_local_allreduce[] = "in MPI_Allreduce%b, for the other ranks of its communicator";

namespace {

constexpr const char* kInLocalReduceScatter =
    "in a reduce-scatter%b, for the other ranks of its communicator";

/// Combines the inputs of all members on this PE in the order of their ranks: one stretch of all at a time,
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

/// Combines the values of all PEs through the exchange: `fill(block)` writes this PE's, `take(result)` reads
/// the result where it is wanted. `root`: rank of the communicator, or kNoRoot.
template <class Fill, class Take>
void reduce_by_exchange(Assembly& assembly, Comm& comm, PeExchange& exchange, const Reduction& reduction,
                        std::int64_t count, int root, const Fill& fill, const Take& take) {
  RankState& state = current_state();
  const std::size_t span = reduction.span(count);
  const auto elements = [&](std::span<const std::byte> block) {
    if (block.size() != span) report_mismatch(comm);
    return block.data();
  };
  combine_blocks(
      exchange, root == kNoRoot ? Direction::among_all() : Direction::to(leader_of(assembly, comm, root)),
      span, assembly.reason(), fill,
      [&](std::byte* to, const auto& blocks, std::size_t pes) {
        reduction.copy_elements(elements(blocks(pes - 1)), to, 0, count);
        for (std::size_t i = pes - 1; i-- > 0;) reduction.combine(state, elements(blocks(i)), to, 0, count);
      },
      take);
}

/// Combines the leaders' `value` by messages. Returns an MPI error class.
int reduce_by_messages(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, void* value,
                       std::int64_t count, int root) {
  Comm& among = leaders_of(assembly, comm);
  if (root == kNoRoot) return run_allreduce(among, tag, reduction, value, value, count);
  return run_reduce(among, tag, reduction, value, value, count, leader_of(assembly, comm, root), root);
}

/// Reduces. `own`: the operand of this rank as it sees it. `root`: the rank whose PE alone gets the result,
/// or kNoRoot.
int reduce_parts(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, std::int64_t count,
                 const Operand& own, int root, const char* purpose) {
  const std::size_t bytes = reduction.bytes(count);
  const AmongPes way = way_of(assembly, reduction.span(count), RoundKind::combined);
  int own_error = MPI_SUCCESS;
  if (root != kNoRoot) agree_on_root(assembly, comm, root);
  if (!assemble_operand(assembly, comm, reduction, own, bytes, purpose, way, root, own_error))
    return own_error;
  if (PeExchange* const exchange = exchange_of(assembly, comm, tag, {root, bytes, reduction.number()}, way)) {
    reduce_by_exchange(
        assembly, comm, *exchange, reduction, count, root,
        [&](std::byte* block) { combine_inputs(assembly, reduction, count, block); },
        [&](const std::byte* result) { hand_out(assembly, reduction, result); });
  } else {
    const SharedWork shared(assembly, bytes * assembly.operands.size());
    const Vector vector(current_state(), reduction, count);
    void* const value = vector.base();
    combine_inputs(assembly, reduction, count, value);
    const int error = assembly.alone()
                          ? MPI_SUCCESS
                          : reduce_by_messages(assembly, comm, tag, reduction, value, count, root);
    tell_error(assembly, error);
    hand_out(assembly, reduction, value);
  }
  dismiss(assembly);
  return own_error;
}

}  // namespace

void combine_side_by_side(const Reduction& reduction, std::byte* vectors, std::size_t number,
                          std::int64_t each) {
  const std::size_t bytes = reduction.bytes(each);
  for (; number > 1; number -= number / 2) {
    const std::size_t half = number / 2;
    reduction.kernel(vectors + (number - half) * bytes, vectors, static_cast<std::int64_t>(half) * each);
  }
}

void complete_short_reduction(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction,
                              std::int64_t count, int root) {
  ShortReduction& all = assembly.short_reduction;
  const std::size_t bytes = reduction.bytes(count);
  std::byte* const combined = all.brought_by(0, bytes);
  combine_side_by_side(reduction, combined, assembly.members.size(), count);
  all.error = MPI_SUCCESS;
  if (PeExchange* const exchange = exchange_of(assembly, comm, tag, {root, bytes, reduction.number()})) {
    reduce_by_exchange(
        assembly, comm, *exchange, reduction, count, root,
        [&](std::byte* block) { memcpy(block, combined, bytes); },
        [&](const std::byte* result) { memcpy(all.outcome.bytes, result, bytes); });
  } else if (assembly.alone()) {
    memcpy(all.outcome.bytes, combined, bytes);
  } else {
    const Vector vector(current_state(), reduction, count);  // a rank's messages must be in its own memory
    memcpy(vector.base(), combined, bytes);
    all.error = reduce_by_messages(assembly, comm, tag, reduction, vector.base(), count, root);
    memcpy(all.outcome.bytes, vector.base(), bytes);
  }
  dismiss(assembly);
}

int reduce_long_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const void* input,
                   void* result, std::int64_t count, int root) {
  const bool gets = root == kNoRoot || root == comm.rank;
  return reduce_parts(assembly, comm, tag, reduction, count, {input, result, 0, gets ? count : 0}, root,
                      in_local_reduction(root));
}

/// Gives each PE the whole result: the elements of its members mostly are not side by side, and most of the
/// work is to combine.
int reduce_scatter_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const void* input,
                      void* result, std::int64_t count, std::int64_t first, std::int64_t own) {
  return reduce_parts(assembly, comm, tag, reduction, count, {input, result, first, own}, kNoRoot,
                      kInLocalReduceScatter);
}

}  // namespace skein::vmpi
