// SPDX-License-Identifier: Apache-2.0
// MPI_Barrier, MPI_Bcast, MPI_Gather(v), MPI_Scatter(v), MPI_Allgather(v), MPI_Alltoall(v, w) in all forms.
#include "runtime/vmpi/coll/algorithms/between.hpp"
#include "runtime/vmpi/coll/algorithms/channel.hpp"
#include "runtime/vmpi/coll/algorithms/movement.hpp"
#include "runtime/vmpi/coll/api/block_arguments.hpp"
#include "runtime/vmpi/coll/api/forms.hpp"
#include "runtime/vmpi/coll/blocks/pieces.hpp"
#include "runtime/vmpi/coll/meeting/local.hpp"

namespace skein::vmpi {
namespace {

/// Returns true if all members know that there is nothing to move.
bool moves_nothing(const Moved<Side>& moved) { return piece_bytes(moved) == 0; }
bool moves_nothing(const Moved<CountedSide>&) { return false; }

/// Runs the blocking form: by members that assemble, if they do, or else by the operation of each. `part`
/// makes the pieces that a member brings.
template <class Operation, class Part>
int run_assembled(const Operation& operation, Comm& comm, int tag, const Part& part) {
  if (comm.remote) return operation.run(comm, tag);
  auto moved = part();
  if (moves_nothing(moved)) return MPI_SUCCESS;
  // moves_at() says which size is too large for few members.
  Assembly* const assembly = assembly_for(comm, 0);
  if (!assembly) return operation.run(comm, tag);
  if (!moves_at(*assembly, comm, moved)) return operation.run(comm, tag);
  if constexpr (requires { operation.bytes_to(0); })
    log_together(comm, current_state(), [&](int to) { return operation.bytes_to(to); });
  return move_at(*assembly, comm, tag, moved);
}

/// Visits the types of the own part and of the pieces of all; either may be missing.
template <class Visit>
void visit_types(const Visit& visit, const Data& mine, const Blocks& all) {
  if (mine.type) visit(mine.type);
  if (all.type) visit(all.type);
}

struct Barrier : Operation {
  int run(Comm& comm, int tag) const {
    return comm.remote ? barrier_between(comm, tag) : run_barrier(comm, tag);
  }
  int run_blocking(Comm& comm, int tag) const {
    Assembly* const assembly = assembly_for(comm, 0);
    if (!assembly) return run(comm, tag);
    barrier_at(*assembly, comm, tag);
    return MPI_SUCCESS;
  }
  JointWork joint(const Comm& comm) const { return joint_barrier(comm); }
  trace::Event event(Comm& comm) const { return collective_event(trace::Collective::barrier, comm, 0); }
};

/// Inlined into each form: shorter paths have fewer returns after the switch (see assemble()).
[[gnu::always_inline]] inline int barrier(Form form, MPI_Comm handle) {
  ApiCall call(form.function, Outside::shows_in_handle);
  Comm* comm = nullptr;
  SKEIN_TRY(begin(call, form, handle, comm));
  return perform(call, form, *comm, Barrier{}, sign_nothing);
}

struct Bcast : Operation {
  Data data;
  int root;
  int run(Comm& comm, int tag) const {
    return comm.remote ? bcast_between(comm, tag, data, root) : run_bcast(comm, tag, data, root);
  }
  int run_blocking(Comm& comm, int tag) const {
    if (data.bytes == 0 && !comm.remote) return MPI_SUCCESS;
    Assembly* const assembly = assembly_for(comm, data.bytes);
    return assembly ? bcast_at(*assembly, comm, tag, data, root) : run(comm, tag);
  }
  JointWork joint(const Comm& comm) const { return joint_bcast(comm, data, root); }
  std::size_t brings(const Comm&) const { return data.bytes; }
  trace::Event event(Comm& comm) const {
    return collective_event(trace::Collective::bcast, comm, data.bytes, root);
  }
  template <class Visit>
  void visit(const Visit& visit) const {
    if (data.type) visit(data.type);
  }
};

int bcast(Form form, void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm handle) {
  ApiCall call(form.function, Outside::shows_in_handle);
  Comm* comm = nullptr;
  Data data;
  SKEIN_TRY(begin(call, form, handle, comm));
  SKEIN_TRY(check_root(call, comm, root));
  if (root != MPI_PROC_NULL) SKEIN_TRY(get_data(call, comm, buffer, count, datatype, data));
  return perform(call, form, *comm, Bcast{{}, data, root},
                 [&] { return comm->remote ? Signed{} : sign(count, *data.type, root); });
}

/// Gather and scatter, whose arguments mirror each other.
using Rooted = int (*)(Comm&, int tag, const Data& mine, const Blocks& all, int root, bool in_place);

struct RootedOperation : Operation {
  Rooted algorithm, between;
  Data mine;
  Blocks all;
  int root;
  bool in_place;
  trace::Collective what;
  int run(Comm& comm, int tag) const {
    return (comm.remote ? between : algorithm)(comm, tag, mine, all, root, in_place);
  }
  int run_blocking(Comm& comm, int tag) const {
    if (what == trace::Collective::gather || what == trace::Collective::scatter)
      return run_assembled(*this, comm, tag, [&] { return part<Side>(comm); });
    return run_assembled(*this, comm, tag, [&] { return part<CountedSide>(comm); });
  }
  template <class OneSide>
  Moved<OneSide> part(const Comm& comm) const {
    const bool gathers = what == trace::Collective::gather || what == trace::Collective::gatherv;
    const OneSide own = in_place ? OneSide() : OneSide(mine),
                  of_all = comm.rank == root ? OneSide(all) : OneSide();
    return gathers ? Moved<OneSide>{Pieces::to_root, root, in_place, own, of_all}
                   : Moved<OneSide>{Pieces::from_root, root, in_place, of_all, own};
  }
  std::size_t brings(const Comm& comm) const {
    if (what != trace::Collective::gather && what != trace::Collective::scatter) return 0;
    return comm.rank == root && !comm.remote ? all.piece_bytes() : mine.bytes;
  }
  trace::Event event(Comm& comm) const {
    const bool at_root = root == (comm.remote ? static_cast<int>(MPI_ROOT) : comm.rank);
    if (at_root && what == trace::Collective::scatterv) return counted_event(what, comm, all, root);
    const bool equal_pieces = at_root && what == trace::Collective::scatter;
    return collective_event(what, comm,
                            in_place || equal_pieces ? all[comm.remote ? 0 : root].bytes : mine.bytes, root);
  }
  template <class Visit>
  void visit(const Visit& visit) const {
    visit_types(visit, mine, all);
  }
  template <class Visit>
  void visit_numbers(const Comm& comm, const Visit& visit) {
    vmpi::visit_numbers(visit, all, comm.size());
  }
};

int scatter_equal(Comm& comm, int tag, const Data& mine, const Blocks& all, int root, bool in_place) {
  return run_scatter(comm, tag, all, mine, root, in_place);
}
int scatter_counted(Comm& comm, int tag, const Data& mine, const Blocks& all, int root, bool in_place) {
  return run_scatterv(comm, tag, all, mine, root, in_place);
}
/// Gather and scatter of intercommunicators, with equal pieces or not.
int gathered_between(Comm& comm, int tag, const Data& mine, const Blocks& all, int root, bool) {
  return gather_between(comm, tag, mine, all, root);
}
int scattered_between(Comm& comm, int tag, const Data& mine, const Blocks& all, int root, bool) {
  return scatter_between(comm, tag, all, mine, root);
}

/// Performs a collective with a root: `algorithm` on intracommunicators, `between` on intercommunicators.
int rooted(Form form, trace::Collective what, Rooted algorithm, Rooted between, const BlockArgument& block,
           const BlockArguments& pieces, int root, MPI_Comm handle) {
  ApiCall call(form.function, Outside::shows_in_handle);
  Comm* comm = nullptr;
  SKEIN_TRY(begin(call, form, handle, comm));
  SKEIN_TRY(check_root(call, comm, root));
  RootedOperation operation{{}, algorithm, between, {}, {}, root, false, what};
  const bool at_root = root == (comm->remote ? static_cast<int>(MPI_ROOT) : comm->rank);
  if (at_root) SKEIN_TRY(get_blocks(call, *comm, pieces, operation.all));
  operation.in_place = at_root && !comm->remote && block.buffer == MPI_IN_PLACE;
  const bool has_part = comm->remote ? root >= 0 : !operation.in_place;
  if (has_part) SKEIN_TRY(get_part(call, *comm, block.buffer, block.count, block.datatype, operation.mine));
  const bool equal = !pieces.counted;
  const Blocks& all = operation.all;
  return perform(call, form, *comm, operation, [&] {
    return comm->remote ? Signed{}
           : !equal     ? Signed{root, -1, 0, {}}
           : at_root    ? sign(all.count, *all.type, root)
                        : sign(block.count, *operation.mine.type, root);
  });
}

struct Allgather : Operation {
  Data mine;
  Blocks all;
  bool in_place;
  int run(Comm& comm, int tag) const {
    // This sum takes time, so only where messages depend on it.
    if (!all.regular()) current_fiber()->brings.now = all.total(comm.size());
    return comm.remote ? allgather_between(comm, tag, mine, all, all.regular())
                       : run_allgather(comm, tag, mine, all, in_place);
  }
  int run_blocking(Comm& comm, int tag) const {
    if (all.regular()) return run_assembled(*this, comm, tag, [&] { return part<Side>(comm); });
    return run_assembled(*this, comm, tag, [&] { return part<CountedSide>(comm); });
  }
  template <class OneSide>
  Moved<OneSide> part(const Comm& comm) const {
    return {Pieces::to_all, 0, in_place, OneSide(in_place ? all[comm.rank] : mine), OneSide(all)};
  }
  std::size_t brings(const Comm&) const { return all.regular() ? all.piece_bytes() : 0; }
  trace::Event event(Comm& comm) const {
    const std::uint64_t bytes = in_place ? all[comm.rank].bytes : mine.bytes;
    if (all.regular()) return collective_event(trace::Collective::allgather, comm, bytes);
    trace::Event counted = counted_event(trace::Collective::allgatherv, comm, all);
    counted.bytes = bytes;
    return counted;
  }
  template <class Visit>
  void visit(const Visit& visit) const {
    visit_types(visit, mine, all);
  }
  template <class Visit>
  void visit_numbers(const Comm& comm, const Visit& visit) {
    vmpi::visit_numbers(visit, all, comm.size());
  }
};

int allgather(Form form, const BlockArgument& block, const BlockArguments& pieces, MPI_Comm handle) {
  ApiCall call(form.function, Outside::shows_in_handle);
  Comm* comm = nullptr;
  SKEIN_TRY(begin(call, form, handle, comm));
  Allgather operation{{}, {}, {}, block.buffer == MPI_IN_PLACE && !comm->remote};
  SKEIN_TRY(get_blocks(call, *comm, pieces, operation.all));
  if (!operation.in_place)
    SKEIN_TRY(get_part(call, *comm, block.buffer, block.count, block.datatype, operation.mine));
  return perform(call, form, *comm, operation, [&] {
    return pieces.counted || comm->remote ? Signed{} : sign(operation.all.count, *operation.all.type);
  });
}

struct Alltoall : Operation {
  Blocks outgoing, incoming;
  int ranks;
  bool in_place;
  int run(Comm& comm, int tag) const {
    return comm.remote ? alltoall_between(comm, tag, outgoing, incoming)
                       : run_alltoall(comm, tag, outgoing, incoming, in_place);
  }
  int run_blocking(Comm& comm, int tag) const {
    if (incoming.regular()) return run_assembled(*this, comm, tag, [&] { return part<Side>(); });
    return run_assembled(*this, comm, tag, [&] { return part<CountedSide>(); });
  }
  template <class OneSide>
  Moved<OneSide> part() const {
    return {Pieces::each_to_each, 0, in_place, in_place ? OneSide() : OneSide(outgoing), OneSide(incoming)};
  }
  std::size_t brings(const Comm&) const { return incoming.regular() ? incoming.piece_bytes() : 0; }
  /// Returns the size of the piece for `rank` (bytes).
  std::size_t bytes_to(int rank) const { return (in_place ? incoming : outgoing)[rank].bytes; }
  trace::Event event(Comm& comm) const {
    const Blocks& pieces = in_place ? incoming : outgoing;
    if (pieces.types) return counted_event(trace::Collective::alltoallw, comm, pieces);
    if (!pieces.regular()) return counted_event(trace::Collective::alltoallv, comm, pieces);
    return collective_event(trace::Collective::alltoall, comm, pieces[0].bytes);
  }
  template <class Visit>
  void visit(const Visit& visit) const {
    for (const Blocks* blocks : {&outgoing, &incoming}) {
      if (blocks->type) visit(blocks->type);
      for (int i = 0; blocks->types && i < ranks; ++i) visit(blocks->types[i]);
    }
  }
  template <class Visit>
  void visit_numbers(const Comm&, const Visit& visit) {
    vmpi::visit_numbers(visit, outgoing, ranks);
    vmpi::visit_numbers(visit, incoming, ranks);
  }
  void free_owned(RankState& state) const {
    free_types(state, outgoing, ranks);
    free_types(state, incoming, ranks);
  }
};

int alltoall(Form form, const BlockArguments& from, const BlockArguments& to, MPI_Comm handle) {
  ApiCall call(form.function, Outside::shows_in_handle);
  Comm* comm = nullptr;
  SKEIN_TRY(begin(call, form, handle, comm));
  Alltoall operation{{}, {}, {}, comm->size(), from.buffer == MPI_IN_PLACE && !comm->remote};
  SKEIN_TRY(get_blocks(call, *comm, to, operation.incoming));
  if (!operation.in_place) {
    if (const int error = get_blocks(call, *comm, from, operation.outgoing); error != MPI_SUCCESS) {
      operation.free_owned(call.state);
      return error;
    }
  }
  return perform(call, form, *comm, operation, [&] {
    if (comm->remote) return Signed{};
    Signed all = to.counted ? Signed{} : sign(operation.incoming.count, *operation.incoming.type);
    all.in_place = operation.in_place;
    return all;
  });
}

int gather(Form form, const BlockArgument& mine, const BlockArguments& all, int root, MPI_Comm comm) {
  return rooted(form, trace::Collective::gather, run_gather, gathered_between, mine, all, root, comm);
}
int gatherv(Form form, const BlockArgument& mine, const BlockArguments& all, int root, MPI_Comm comm) {
  return rooted(form, trace::Collective::gatherv, run_gatherv, gathered_between, mine, all, root, comm);
}
int scatter(Form form, const BlockArguments& all, const BlockArgument& mine, int root, MPI_Comm comm) {
  return rooted(form, trace::Collective::scatter, scatter_equal, scattered_between, mine, all, root, comm);
}
int scatterv(Form form, const BlockArguments& all, const BlockArgument& mine, int root, MPI_Comm comm) {
  return rooted(form, trace::Collective::scatterv, scatter_counted, scattered_between, mine, all, root, comm);
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

#include "mpi_movement.inc"
