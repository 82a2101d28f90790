// SPDX-License-Identifier: Apache-2.0
// The arguments of collectives with one piece of data per rank, as the program passes them, and their checks.
#pragma once

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/coll/blocks/blocks.hpp"

namespace skein::vmpi {

struct BlockArguments {
  BlockArguments(const void* data, MPI_Count equal_count, MPI_Datatype type)
      : buffer(data), count(equal_count), datatype(type) {}
  BlockArguments(const void* data, Numbers by_rank, Numbers starts, MPI_Datatype type)
      : buffer(data), counts(by_rank), displacements(starts), counted(true), datatype(type) {}
  BlockArguments(const void* data, Numbers by_rank, Numbers starts, const MPI_Datatype* by_rank_types)
      : buffer(data),
        counts(by_rank),
        displacements(starts),
        counted(true),
        typed(true),
        datatypes(by_rank_types) {}

  const void* buffer;
  MPI_Count count = 0;
  Numbers counts;
  Numbers displacements;
  bool counted = false;  ///< the form with arrays of counts
  bool typed = false;    ///< the form with an array of types, too
  MPI_Datatype datatype = MPI_DATATYPE_NULL;
  const MPI_Datatype* datatypes = nullptr;
};

/// One piece as the program passes it: (buffer, count, datatype). The buffer may be MPI_IN_PLACE where the
/// standard allows it.
struct BlockArgument {
  const void* buffer;
  MPI_Count count;
  MPI_Datatype datatype;
};

/// Checks the arguments of `pieces` pieces, which are not MPI_IN_PLACE. If types come as an array, `blocks`
/// holds memory of the slot: free_types().
[[nodiscard]] int get_blocks(const ApiCall& call, Comm& comm, const BlockArguments& arguments, int pieces,
                             Blocks& blocks);
/// Checks the arguments of a piece for each rank that messages can go to.
[[nodiscard]] inline int get_blocks(const ApiCall& call, Comm& comm, const BlockArguments& arguments,
                                    Blocks& blocks) {
  return get_blocks(call, comm, arguments, comm.size(), blocks);
}
void free_types(RankState& state, const Blocks& blocks, int pieces);
/// Calls visit(Numbers&, length) for the arrays of `blocks`, for Operation::visit_numbers() (forms.hpp).
template <class Visit>
void visit_numbers(const Visit& visit, Blocks& blocks, int pieces) {
  visit(blocks.counts, pieces);
  visit(blocks.displacements, pieces);
}

/// Gets data for which MPI_IN_PLACE is an error, as another argument of the call stands for it.
[[nodiscard]] int get_part(const ApiCall& call, Comm& comm, const void* buffer, MPI_Count count,
                           MPI_Datatype datatype, Data& data);

}  // namespace skein::vmpi
