// SPDX-License-Identifier: Apache-2.0
// MPI_Neighbor_allgather(v) and MPI_Neighbor_alltoall(v, w) in all forms, on all topologies.
#include "runtime/vmpi/coll/algorithms/neighbours.hpp"
#include "runtime/vmpi/coll/api/block_arguments.hpp"
#include "runtime/vmpi/coll/api/forms.hpp"
#include "runtime/vmpi/record/collectives.hpp"

namespace skein::vmpi {
namespace {

struct Exchange : Operation {
  ToNeighbours outgoing;
  Blocks incoming;
  int sources, destinations;
  int run(Comm& comm, int tag) const { return run_neighbours(comm, tag, outgoing, incoming); }
  int record_messages(Comm& comm, int tag) const { return record_neighbours(comm, tag, outgoing, incoming); }
  trace::Event event(Comm& comm) const { return wait_for_neighbours(messages_of(*comm.topology)); }
  template <class Visit>
  void visit(const Visit& visit) const {
    if (outgoing.same.type) visit(outgoing.same.type);
    visit_types(visit, outgoing.each, destinations);
    visit_types(visit, incoming, sources);
  }
  template <class Visit>
  void visit_numbers(const Comm&, const Visit& visit) {
    vmpi::visit_numbers(visit, outgoing.each, destinations);
    vmpi::visit_numbers(visit, incoming, sources);
  }
  void free_owned(RankState& state) const {
    free_types(state, outgoing.each, destinations);
    free_types(state, incoming, sources);
  }

 private:
  template <class Visit>
  static void visit_types(const Visit& visit, const Blocks& blocks, int pieces) {
    if (blocks.type) visit(blocks.type);
    for (int i = 0; blocks.types && i < pieces; ++i) visit(blocks.types[i]);
  }
};

int get_neighbourhood(const ApiCall& call, const Form& form, MPI_Comm handle, Comm*& comm,
                      Exchange& exchange) {
  SKEIN_TRY(begin(call, form, handle, comm));
  if (!comm->topology)
    return raise(call, comm, MPI_ERR_TOPOLOGY, "the communicator has no topology, so nobody has neighbours");
  exchange.sources = static_cast<int>(comm->topology->sources.size());
  exchange.destinations = static_cast<int>(comm->topology->destinations.size());
  return MPI_SUCCESS;
}

/// Gets pieces. A rank without neighbours in a direction may pass any buffer there.
int get_pieces(const ApiCall& call, Comm& comm, const BlockArguments& arguments, int pieces, Blocks& blocks) {
  return pieces > 0 ? get_blocks(call, comm, arguments, pieces, blocks) : MPI_SUCCESS;
}

int neighbor_allgather(Form form, const BlockArgument& block, const BlockArguments& pieces, MPI_Comm handle) {
  ApiCall call(form.function, Outside::shows_in_handle);
  Comm* comm = nullptr;
  Exchange exchange{};
  SKEIN_TRY(get_neighbourhood(call, form, handle, comm, exchange));
  SKEIN_TRY(get_pieces(call, *comm, pieces, exchange.sources, exchange.incoming));
  exchange.outgoing.alike = true;
  if (exchange.destinations > 0)
    SKEIN_TRY(get_part(call, *comm, block.buffer, block.count, block.datatype, exchange.outgoing.same));
  return perform(call, form, *comm, exchange, sign_nothing);
}

int neighbor_alltoall(Form form, const BlockArguments& from, const BlockArguments& to, MPI_Comm handle) {
  ApiCall call(form.function, Outside::shows_in_handle);
  Comm* comm = nullptr;
  Exchange exchange{};
  SKEIN_TRY(get_neighbourhood(call, form, handle, comm, exchange));
  SKEIN_TRY(get_pieces(call, *comm, to, exchange.sources, exchange.incoming));
  if (const int error = get_pieces(call, *comm, from, exchange.destinations, exchange.outgoing.each);
      error != MPI_SUCCESS) {
    exchange.free_owned(call.state);
    return error;
  }
  return perform(call, form, *comm, exchange, sign_nothing);
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

#include "mpi_neighbours.inc"
