// SPDX-License-Identifier: Apache-2.0
// Blocking collectives that combine on the PE first. The members on a PE assemble (assembly.hpp). The PEs
// exchange their data through memory (node_exchange.hpp), or by messages between their leaders, by the
// rank-to-rank algorithm. The member that completes the collective serves the others, so that a member
// switches once, however many there are.
//
// All functions are called by all members, on their main fibers, with checked arguments; may switch. They
// return an MPI error class, not raised. Preconditions: the assembly is the communicator's, and all members
// decide alike to assemble, from values that do not differ between them.
#pragma once

#include <cstring>

#include "runtime/vmpi/check/check.hpp"
#include "runtime/vmpi/coll/algorithms/movement.hpp"
#include "runtime/vmpi/coll/algorithms/reduction.hpp"
#include "runtime/vmpi/coll/meeting/assembly.hpp"

namespace skein::vmpi {

/// Returns the assembly for a blocking collective of `comm` with `bytes` bytes, or null if members do not
/// assemble. With --check they do not: the check of their calls has messages under the same tag.
inline Assembly* assembly_for(Comm& comm, std::size_t bytes) {
  return settings.checking ? nullptr : assembly_of(comm, bytes);
}

inline constexpr char kInBarrier[] = "in MPI_Barrier%b, for the other ranks of its communicator";
/// Completes a barrier between the PEs.
void complete_barrier(Assembly& assembly, const Comm& comm, int tag, const char* waiting);
/// Inline, because processors do not always predict a return after a switch: the fewer the better.
inline void barrier_at(Assembly& assembly, const Comm& comm, int tag, const char* purpose = kInBarrier,
                       const char* waiting = kWaitingInBarrier) {
  if (assemble(assembly, comm, nullptr, purpose, AmongPes::exchange))
    complete_barrier(assembly, comm, tag, waiting);
}
int bcast_at(Assembly& assembly, Comm& comm, int tag, const Data& data, int root);

/// Returns true if a reduction assembles. With --deterministic it does not, as the order of combination
/// follows from placement; nor do operations of the program, which need not commute: see folds().
inline bool reduction_assembles(const Reduction& reduction, std::int64_t count) {
  return !settings.deterministic && reduction.kernel && reduction.op->commutative() && count > 0;
}
inline constexpr int kNoRoot = -1;

/// Copies like memcpy(); mostly a word.
inline void copy_few(void* to, const void* from, std::size_t bytes) {
  if (bytes == sizeof(std::uint64_t))
    memcpy(to, from, sizeof(std::uint64_t));
  else
    memcpy(to, from, bytes);
}
/// Checks that all members bring operands of the same packed size and kernel. Called before assemble().
inline void agree_on_operand(Assembly& assembly, const Comm& comm, const Reduction& reduction,
                             std::size_t bytes) {
  if (assembly.arrived == 0) {
    assembly.operand_bytes = bytes;
    assembly.operand_kernel = reduction.kernel;
  } else if (assembly.operand_bytes != bytes || assembly.operand_kernel != reduction.kernel) {
    report_other(assembly, comm, assembly.purpose, assembly.root, bytes, reduction.kernel);
  }
}

/// Combines `number` vectors of `each` elements that lie side by side into the first, half of them by each
/// call.
void combine_side_by_side(const Reduction& reduction, std::byte* vectors, std::size_t number,
                          std::int64_t each);

extern const char in_local_reduce[], in_local_allreduce[];
inline const char* in_local_reduction(int root) {
  return root == kNoRoot ? in_local_allreduce : in_local_reduce;
}

/// Reduce, for reduce_at(). complete_short_reduction() is the part of a reduction of a few elements that one
/// member makes for all on the PE; reduce_long_at() is the whole reduction of many.
void complete_short_reduction(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction,
                              std::int64_t count, int root);
int reduce_long_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const void* input,
                   void* result, std::int64_t count, int root);

/// Reduces. `root` kNoRoot: all members get the result, bitwise the same on all. Precondition of this and of
/// all functions that follow: reduction_assembles(). Inline for the same reason as barrier_at().
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
/// Reduces `count` elements of input; this member gets `mine` elements of the result from element `first` on.
int reduce_scatter_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const void* input,
                      void* result, std::int64_t count, std::int64_t first, std::int64_t mine);

/// Returns true if a prefix reduction assembles. The same answer on all members.
bool scan_assembles(Assembly& assembly, const Comm& comm, const Reduction& reduction, std::int64_t count);

/// Returns true if a reduction by an operation of the program assembles.
bool folds(const Comm& comm, const Reduction& reduction, std::int64_t count);
/// Reduces by an operation of the program. `count`: elements that each member brings. The results of ranks 0,
/// 0 to 1, 0 to 2 and so on are numbered as one sequence of elements; a member gets `own.count` of them from
/// `own.first` on. `root`: the only member that gets any, or kNoRoot. Precondition: folds().
int fold_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const Operand& own,
            std::int64_t count, int root);

enum class Prefix : bool { inclusive, exclusive };
/// Reduces prefixes. Precondition: scan_assembles().
int scan_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const void* input,
            void* result, std::int64_t count, Prefix prefix);

}  // namespace skein::vmpi
