// SPDX-License-Identifier: Apache-2.0
// Which algorithm plays which collective, and what of it happens on the PE first:
// runtime/vmpi/coll/local.cpp.
#include "lb/simulate/collective_call.hpp"

namespace skein::simulate {
namespace {

using trace::Collective;

Playing barrier_of(CollectiveCall& call) {
  if (!call.assembles(0)) {
    co_await barrier(call.ring());
    co_return;
  }
  const bool completes = co_await call.assemble();
  if (!completes) co_return;
  if (!call.own().alone()) co_await barrier(call.leaders());
  call.dismiss();
}

Playing bcast_of(CollectiveCall& call) {
  const int root = static_cast<int>(call.root());
  if (!call.assembles(call.bytes())) {
    co_await bcast(call.ring(), call.bytes(), root);
    co_return;
  }
  const bool completes = co_await call.assemble();
  if (!completes) co_return;
  if (!call.own().alone())
    co_await bcast(call.leaders(), call.bytes(), static_cast<int>(call.own().assembly_of(call.root())));
  call.dismiss();
}

// Operations of the program, which need not commute, are not known to a trace: all are taken to be MPI's own.
Playing reduction_of(CollectiveCall& call) {
  if (call.bytes() == 0) co_return;
  const bool to_all = call.kind() == Collective::allreduce;
  if (!call.assembles(call.bytes())) {
    if (to_all)
      co_await allreduce(call.ring(), call.bytes());
    else
      co_await reduce(call.ring(), call.bytes(), static_cast<int>(call.root()));
    co_return;
  }
  const bool completes = co_await call.assemble();
  if (!completes) co_return;
  if (!call.own().alone()) {
    if (to_all)
      co_await allreduce(call.leaders(), call.bytes());
    else
      co_await reduce(call.leaders(), call.bytes(), static_cast<int>(call.own().assembly_of(call.root())));
  }
  call.dismiss();
}

}  // namespace

Playing play(CollectiveCall& call) {
  const int root = call.root() == none ? 0 : static_cast<int>(call.root());
  const auto* const list = call.list().empty() ? nullptr : &call.list();
  std::uint64_t sum = 0;
  for (const std::uint64_t bytes : call.list()) sum += bytes;
  switch (call.kind()) {
    case Collective::barrier:
      return barrier_of(call);
    case Collective::bcast:
      return bcast_of(call);
    case Collective::reduce:
    case Collective::allreduce:
      return reduction_of(call);
    case Collective::gather:
      return gather(call.ring(), call.bytes(), root);
    case Collective::gatherv:
      return gather_directly(call.ring(), list ? sum : call.bytes(), root);
    case Collective::scatter:
      return scatter(call.ring(), call.bytes(), nullptr, root);
    case Collective::scatterv:
      return scatter_directly(call.ring(), call.bytes(), list, root);
    case Collective::allgather:
      return allgather(call.ring(), call.bytes(), nullptr);
    case Collective::allgatherv:
      return allgather(call.ring(), call.bytes(), list);
    case Collective::alltoall:
      return alltoall(call.ring(), call.bytes(), nullptr);
    case Collective::alltoallv:
    case Collective::alltoallw:
      return alltoall(call.ring(), call.bytes(), list);
    case Collective::reduce_scatter_block:
    case Collective::reduce_scatter:
      return reduce_scatter(call.ring(), list ? sum : call.bytes(), list);
    case Collective::scan:
      return scan(call.ring(), call.bytes(), false);
    case Collective::exscan:
      return scan(call.ring(), call.bytes(), true);
    case Collective::create_comm:
      return create_comm(call.ring());
  }
  throw trace::TraceError("a collective of unknown kind " + std::to_string(static_cast<int>(call.kind())));
}

}  // namespace skein::simulate
