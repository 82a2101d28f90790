// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/counted_pieces.hpp"

#include <algorithm>

#include "runtime/vmpi/coll/counted_mover.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* waiting_for_counted(Pieces what) {
  switch (what) {
    case Pieces::to_root:
      return "in MPI_Gatherv, for the other ranks of its communicator";
    case Pieces::from_root:
      return "in MPI_Scatterv, for the other ranks of its communicator";
    case Pieces::to_all:
      return "in MPI_Allgatherv, for the other ranks of its communicator";
    case Pieces::each_to_each:
      break;
  }
  return "in MPI_Alltoallv or MPI_Alltoallw, for the other ranks of its communicator";
}

/// About what the member has to do for all on its PE.
std::size_t bytes_of_work(const Assembly& assembly, const Comm& comm, const CountedMoved& mine) {
  const int ranks = comm.size();
  return assembly.members.size() * std::max(mine.outgoing.total(ranks), mine.incoming.total(ranks));
}

}  // namespace

CountedSide::CountedSide(const Blocks& pieces)
    : pieces_(pieces),
      counted_(true),
      away_(switched_out_place(fiber::thread_pointer()) - fiber::thread_pointer()) {}

void CountedSide::switch_out() {
  pieces_.counts.switch_out(away_);
  pieces_.displacements.switch_out(away_);
}

bool moves_at(Assembly& assembly, const Comm& comm, const CountedMoved& mine) {
  if (!assembly.meets && !few_may_move(mine.what)) return false;
  return assembly.alone() || places_of(assembly, comm).share_memory;
}

int move_at(Assembly& assembly, Comm& comm, int tag, const CountedMoved& mine) {
  const char* const reason = waiting_for_counted(mine.what);
  CountedPart part;
  part.moved = mine;
  const AmongPes way = assembly.alone() ? AmongPes::messages : AmongPes::exchange;
  agree_on_root(assembly, comm, mine.root);
  if (!assemble(assembly, comm, &part, reason, way)) return part.error;
  {
    const SharedWork shared(assembly, bytes_of_work(assembly, comm, mine));
    CountedMover(assembly, comm, tag, part.moved, exchange_of(assembly, comm, tag, way), reason).run();
  }
  dismiss(assembly);
  return part.error;
}

}  // namespace skein::vmpi
