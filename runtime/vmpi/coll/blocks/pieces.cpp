// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/blocks/pieces.hpp"

#include <algorithm>

#include "lb/collectives/thresholds.hpp"
#include "runtime/vmpi/coll/blocks/counted_mover.hpp"
#include "runtime/vmpi/coll/blocks/piece_mover.hpp"
#include "runtime/vmpi/p2p/visibility.hpp"

namespace skein::vmpi {

Side::Side(const Data& piece)
    : first_(reinterpret_cast<std::intptr_t>(piece.buffer)),
      away_(reinterpret_cast<std::intptr_t>(piece.switched_out)),
      count_(piece.count),
      type_(piece.type),
      bytes_(piece.bytes) {
  const std::byte* const contiguous = contiguous_data(piece.buffer, piece.count, *piece.type);
  flat_ = contiguous != nullptr;
  if (flat_) flat_at_ = reinterpret_cast<std::intptr_t>(contiguous) - first_;
}

Side::Side(const Blocks& pieces) : Side(pieces[0]) {
  stride_ = pieces.count * type_->extent();
  flat_ = flat_ && type_->dense();
}

Side::Side(std::byte* packed, std::size_t bytes)
    : first_(reinterpret_cast<std::intptr_t>(packed)),
      stride_(static_cast<std::int64_t>(bytes)),
      count_(stride_),
      bytes_(bytes),
      flat_(true) {}

Data Side::operator[](int rank) const {
  return {reinterpret_cast<void*>(first_ + rank * stride_), count_, type_, bytes_};
}

bool Side::seen_by_node(int ranks) const {
  if (away_) return false;
  const Data all{reinterpret_cast<void*>(first_), stride_ ? count_ * ranks : count_, type_,
                 stride_ ? bytes_ * static_cast<std::size_t>(ranks) : bytes_};
  return vmpi::seen_by_node(all);
}

CountedSide::CountedSide(const Blocks& pieces)
    : pieces_(pieces),
      counted_(true),
      away_(switched_out_place(fiber::thread_pointer()) - fiber::thread_pointer()) {}

void CountedSide::switch_out() {
  pieces_.counts.switch_out(away_);
  pieces_.displacements.switch_out(away_);
}

bool moves_at(Assembly& assembly, const Comm& comm, const Moved<Side>& mine) {
  if (assembly.alone()) return true;
  const MemberPlaces& places = places_of(assembly, comm);
  if (!assembly.meets)
    return few_may_move(mine.what) && way_of_pieces(assembly, comm, mine) != PieceWay::packed;
  return places.share_memory ||
         most_between_two(assembly, mine.what) * piece_bytes(mine) <= collectives::kLongestPacked;
}

bool moves_at(Assembly& assembly, const Comm& comm, const Moved<CountedSide>& mine) {
  if (!assembly.meets && !few_may_move(mine.what)) return false;
  return assembly.alone() || places_of(assembly, comm).share_memory;
}

namespace {

constexpr const char* waiting_for(const Moved<Side>& mine) {
  switch (mine.what) {
    case Pieces::to_root:
      return "in MPI_Gather to root %d%b, for the other ranks of its communicator";
    case Pieces::from_root:
      return "in MPI_Scatter from root %d%b, for the other ranks of its communicator";
    case Pieces::to_all:
      return "in MPI_Allgather%b, for the other ranks of its communicator";
    case Pieces::each_to_each:
      break;
  }
  return "in MPI_Alltoall%b, for the other ranks of its communicator";
}

constexpr const char* waiting_for(const Moved<CountedSide>& mine) {
  switch (mine.what) {
    case Pieces::to_root:
      return "in MPI_Gatherv to root %d, for the other ranks of its communicator";
    case Pieces::from_root:
      return "in MPI_Scatterv from root %d, for the other ranks of its communicator";
    case Pieces::to_all:
      return "in MPI_Allgatherv, for the other ranks of its communicator";
    case Pieces::each_to_each:
      break;
  }
  return "in MPI_Alltoallv or MPI_Alltoallw, for the other ranks of its communicator";
}

bool exchanges(const Assembly& assembly, const Comm& comm, const Moved<Side>& mine) {
  return !assembly.alone() && way_of_pieces(assembly, comm, mine) != PieceWay::packed;
}
bool exchanges(const Assembly& assembly, const Comm&, const Moved<CountedSide>&) { return !assembly.alone(); }

/// Returns the claim of a member. With counted pieces, members on several PEs compare MPI_IN_PLACE and
/// lengths when they exchange them.
Claim claim_of(const Moved<Side>& mine) {
  return {mine.root, piece_bytes(mine), 0, mine.what == Pieces::each_to_each && mine.in_place};
}
Claim claim_of(const Moved<CountedSide>& mine) { return {mine.root}; }

/// Returns about how many bytes the member moves for all on its PE.
std::size_t bytes_of_work(const Assembly& assembly, const Comm& comm, const Moved<Side>& mine) {
  return piece_bytes(mine) * static_cast<std::size_t>(comm.size()) *
         (mine.what == Pieces::each_to_each ? assembly.members.size() : 1);
}
std::size_t bytes_of_work(const Assembly& assembly, const Comm& comm, const Moved<CountedSide>& mine) {
  const int ranks = comm.size();
  return assembly.members.size() * std::max(mine.outgoing.total(ranks), mine.incoming.total(ranks));
}

template <class OneSide>
struct MoverOf {
  using Type = PieceMover;
};
template <>
struct MoverOf<CountedSide> {
  using Type = CountedMover;
};

}  // namespace

template <class OneSide>
int move_at(Assembly& assembly, Comm& comm, int tag, Moved<OneSide>& mine) {
  const WaitReason reason{waiting_for(mine), {mine.root, 0}};
  PiecesPart<OneSide> part;
  part.moved = &mine;
  const AmongPes way = exchanges(assembly, comm, mine) ? AmongPes::exchange : AmongPes::messages;
  agree_on_root(assembly, comm, mine.root);
  if (!assemble(assembly, comm, &part, reason.format, way, mine.root)) return part.error;
  {
    const SharedWork shared(assembly, bytes_of_work(assembly, comm, mine));
    using Mover = typename MoverOf<OneSide>::Type;
    PeExchange* const exchange = exchange_of(assembly, comm, tag, claim_of(mine), way);
    Mover(assembly, comm, tag, mine, exchange, reason).run();
  }
  dismiss(assembly);
  return part.error;
}
template int move_at(Assembly&, Comm&, int, Moved<Side>&);
template int move_at(Assembly&, Comm&, int, Moved<CountedSide>&);

}  // namespace skein::vmpi
