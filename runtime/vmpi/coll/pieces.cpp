// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/pieces.hpp"

#include "lb/collectives/thresholds.hpp"
#include "runtime/vmpi/coll/piece_mover.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* waiting_for(Pieces what) {
  switch (what) {
    case Pieces::to_root:
      return "in MPI_Gather, for the other ranks of its communicator";
    case Pieces::from_root:
      return "in MPI_Scatter, for the other ranks of its communicator";
    case Pieces::to_all:
      return "in MPI_Allgather, for the other ranks of its communicator";
    case Pieces::each_to_each:
      break;
  }
  return "in MPI_Alltoall, for the other ranks of its communicator";
}

}  // namespace

bool moves_at(Assembly& assembly, const Comm& comm, const Moved& mine) {
  if (assembly.alone()) return true;
  const Places& places = places_of(assembly, comm);
  if (!assembly.meets)
    return few_may_move(mine.what) && way_of_pieces(assembly, comm, mine) != PieceWay::packed;
  return places.share_memory ||
         most_between_two(assembly, mine.what) * mine.piece_bytes() <= collectives::longest_packed;
}

int move_at(Assembly& assembly, Comm& comm, int tag, const Moved& mine) {
  const char* const reason = waiting_for(mine.what);
  PiecesPart part;
  part.moved = &mine;
  const bool exchanges = !assembly.alone() && way_of_pieces(assembly, comm, mine) != PieceWay::packed;
  const AmongPes way = exchanges ? AmongPes::exchange : AmongPes::messages;
  agree_on_root(assembly, comm, mine.root);
  if (!assemble(assembly, comm, &part, reason, way)) return part.error;
  {
    const SharedWork shared(assembly, mine.piece_bytes() * static_cast<std::size_t>(comm.size()) *
                                          (mine.what == Pieces::each_to_each ? assembly.members.size() : 1));
    PeExchange* const exchange = exchange_of(assembly, comm, tag, way);
    PieceMover(assembly, comm, tag, mine, exchange, reason).run();
  }
  dismiss(assembly);
  return part.error;
}

}  // namespace skein::vmpi
