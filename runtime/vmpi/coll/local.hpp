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

#include "runtime/vmpi/check/check.hpp"
#include "runtime/vmpi/coll/assembly.hpp"
#include "runtime/vmpi/coll/deterministic.hpp"
#include "runtime/vmpi/coll/movement.hpp"
#include "runtime/vmpi/coll/reduction.hpp"

namespace skein::vmpi {

/// The assembly of a blocking collective of `comm`; null when there is none. With --check members do not
/// assemble: the check of their calls has messages under the same tag.
inline Assembly* assembly_for(Comm& comm) { return checking ? nullptr : assembly_of(comm); }

inline constexpr char in_barrier[] = "in MPI_Barrier, for the other ranks of its communicator";
/// The part of a barrier beyond this PE.
void complete_barrier(Assembly& assembly, const Comm& comm, int tag, const char* waiting);
// Here, because processors do not always foresee a return after a switch: the fewer the better.
inline void barrier_at(Assembly& assembly, const Comm& comm, int tag, const char* purpose = in_barrier,
                       const char* waiting = waiting_in_barrier) {
  if (assemble(assembly, comm, nullptr, purpose, AmongPes::exchange))
    complete_barrier(assembly, comm, tag, waiting);
}
int bcast_at(Assembly& assembly, Comm& comm, int tag, const Data& data, int root);

/// Whether a reduction assembles. Not under --deterministic: the order of combination follows from placement.
/// Not for operations of the program, which need not commute: see folds().
inline bool reduction_assembles(const Reduction& reduction, std::int64_t count) {
  return !deterministic && reduction.kernel && reduction.op->commutative() && count > 0;
}
inline constexpr int no_root = -1;
/// Precondition, of all that follow: reduction_assembles(). `root` no_root: everybody gets the result, which
/// is bitwise the same on all.
int reduce_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const void* input,
              void* result, std::int64_t count, int root);
/// `count` elements of input; of the result this member gets `mine` from element `first` on.
int reduce_scatter_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const void* input,
                      void* result, std::int64_t count, std::int64_t first, std::int64_t mine);

/// Whether prefixes are reduced so, too. The same answer on all members.
bool scan_assembles(Assembly& assembly, const Comm& comm, const Reduction& reduction, std::int64_t count);

/// Whether a reduction by an operation of the program assembles.
bool folds(const Comm& comm, const Reduction& reduction, std::int64_t count);
/// Precondition: folds(). `count` elements of each; what a member gets, `own.first` and `own.count`, are
/// elements of what follows each other: the results of the ranks up to 0, up to 1, and so on. `root`: which
/// member alone gets any, or no_root.
int fold_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const Operand& own,
            std::int64_t count, int root);

enum class Prefix : bool { inclusive, exclusive };
/// Precondition: scan_assembles().
int scan_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const void* input,
            void* result, std::int64_t count, Prefix prefix);

}  // namespace skein::vmpi
