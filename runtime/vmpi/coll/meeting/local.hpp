// SPDX-License-Identifier: Apache-2.0
// Blocking collectives that combine on the PE first: the members on a PE assemble (assembly.hpp), the PEs
// give each other what they have, through memory (node_exchange.hpp) or by messages between their leaders, in
// the rank-to-rank algorithm, and whoever completes the collective serves the others, so that a member
// switches once, however many there are.
//
// All functions: from a member's main fiber, by all members, with checked arguments; may switch. Return an
// MPI error class, not raised. Preconditions: the assembly is the communicator's, and all members come to the
// same decision to assemble, so it may depend on nothing that differs between them.
#pragma once

#include <cstring>

#include "runtime/vmpi/check/check.hpp"
#include "runtime/vmpi/coll/algorithms/movement.hpp"
#include "runtime/vmpi/coll/algorithms/reduction.hpp"
#include "runtime/vmpi/coll/meeting/assembly.hpp"

namespace skein::vmpi {

/// The assembly of a blocking collective of `comm` with so many bytes; null when there is none. With --check
/// members do not assemble: the check of their calls has messages under the same tag.
inline Assembly* assembly_for(Comm& comm, std::size_t bytes) {
  return settings.checking ? nullptr : assembly_of(comm, bytes);
}

inline constexpr char kInBarrier[] = "in MPI_Barrier%b, for the other ranks of its communicator";
/// The part of a barrier beyond this PE.
void complete_barrier(Assembly& assembly, const Comm& comm, int tag, const char* waiting);
/// Here, because processors do not always foresee a return after a switch: the fewer the better.
inline void barrier_at(Assembly& assembly, const Comm& comm, int tag, const char* purpose = kInBarrier,
                       const char* waiting = kWaitingInBarrier) {
  if (assemble(assembly, comm, nullptr, purpose, AmongPes::exchange))
    complete_barrier(assembly, comm, tag, waiting);
}
int bcast_at(Assembly& assembly, Comm& comm, int tag, const Data& data, int root);

/// Whether a reduction assembles. Not under --deterministic: the order of combination follows from placement.
/// Not for operations of the program, which need not commute: see folds().
inline bool reduction_assembles(const Reduction& reduction, std::int64_t count) {
  return !settings.deterministic && reduction.kernel && reduction.op->commutative() && count > 0;
}
inline constexpr int kNoRoot = -1;

/// Mostly a word.
inline void copy_few(void* to, const void* from, std::size_t bytes) {
  if (bytes == sizeof(std::uint64_t))
    memcpy(to, from, sizeof(std::uint64_t));
  else
    memcpy(to, from, bytes);
}
/// All members bring so many bytes to a reduction, packed, of which the same is made: before assemble().
inline void agree_on_operand(Assembly& assembly, const Comm& comm, const Reduction& reduction,
                             std::size_t bytes) {
  if (assembly.arrived == 0) {
    assembly.operand_bytes = bytes;
    assembly.operand_kernel = reduction.kernel;
  } else if (assembly.operand_bytes != bytes || assembly.operand_kernel != reduction.kernel) {
    report_other(assembly, comm, assembly.purpose, assembly.root, bytes, reduction.kernel);
  }
}

/// Combines vectors of `each` elements that lie side by side into the first: halves of them by one call.
void combine_side_by_side(const Reduction& reduction, std::byte* vectors, std::size_t number,
                          std::int64_t each);

extern const char in_local_reduce[], in_local_allreduce[];
inline const char* in_local_reduction(int root) {
  return root == kNoRoot ? in_local_allreduce : in_local_reduce;
}

/// reduce_at() of a few elements, in its part that one member makes for all on the PE, and of many.
void complete_short_reduction(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction,
                              std::int64_t count, int root);
int reduce_long_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const void* input,
                   void* result, std::int64_t count, int root);

/// Precondition, of all that follow: reduction_assembles(). `root` kNoRoot: everybody gets the result, which
/// is bitwise the same on all.
/// Here, for the same reason as a barrier.
[[gnu::always_inline]] inline int reduce_short_at(Assembly& assembly, Comm& comm, int tag,
                                                  const Reduction& reduction, const void* input, void* result,
                                                  std::int64_t count, int root) {
  const std::size_t bytes = reduction.bytes(count);
  ShortReduction& all = assembly.short_reduction;
  agree_on_operand(assembly, comm, reduction, bytes);
  if (root != kNoRoot) agree_on_root(assembly, comm, root);
  copy_few(all.brought_by(comm.assembly.member, bytes), input, bytes);
  if (assemble(assembly, comm, nullptr, in_local_reduction(root), AmongPes::exchange, root))
    complete_short_reduction(assembly, comm, tag, reduction, count, root);
  if (root == kNoRoot || root == comm.rank) copy_few(result, all.outcome.bytes, bytes);
  return all.error;
}
inline int reduce_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const void* input,
                     void* result, std::int64_t count, int root) {
  const bool is_short = reduction.bytes(count) <= ShortReduction::longest && reduction.is_dense();
  if (!is_short) return reduce_long_at(assembly, comm, tag, reduction, input, result, count, root);
  return reduce_short_at(assembly, comm, tag, reduction, input, result, count, root);
}
/// `count` elements of input; of the result this member gets `mine` from element `first` on.
int reduce_scatter_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const void* input,
                      void* result, std::int64_t count, std::int64_t first, std::int64_t mine);

/// Whether prefixes are reduced so, too. The same answer on all members.
bool scan_assembles(Assembly& assembly, const Comm& comm, const Reduction& reduction, std::int64_t count);

/// Whether a reduction by an operation of the program assembles.
bool folds(const Comm& comm, const Reduction& reduction, std::int64_t count);
/// Precondition: folds(). `count` elements of each; what a member gets, `own.first` and `own.count`, are
/// elements of what follows each other: the results of the ranks up to 0, up to 1, and so on. `root`: which
/// member alone gets any, or kNoRoot.
int fold_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const Operand& own,
            std::int64_t count, int root);

enum class Prefix : bool { inclusive, exclusive };
/// Precondition: scan_assembles().
int scan_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const void* input,
            void* result, std::int64_t count, Prefix prefix);

}  // namespace skein::vmpi
