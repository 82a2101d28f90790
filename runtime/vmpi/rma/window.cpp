// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/rma/window.hpp"

#include "runtime/base/clock.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/coll/algorithms/movement.hpp"
#include "runtime/vmpi/coll/api/collectives.hpp"
#include "runtime/vmpi/coll/api/consistency.hpp"
#include "runtime/vmpi/coll/meeting/local.hpp"

namespace skein::vmpi {
namespace {

constexpr char kWaitingAtWindow[] = "in a call on a window that all of its ranks make, for rank %d";
constexpr double kTurnNs = 2000;

}  // namespace

void window_barrier(Window& window, const char* purpose) {
  Comm& comm = *window.comm;
  check_collective_call(comm);
  const int tag = next_collective_tag(comm);
  if (Assembly* const assembly = assembly_for(comm, 0))
    barrier_at(*assembly, comm, tag, purpose, kWaitingAtWindow);
  else
    run_barrier(comm, tag, kWaitingAtWindow);
}

void give_others_a_turn() {
  static const auto turn = static_cast<std::uint64_t>(kTurnNs / ns_per_tick());
  if (ticks() - resumed_at() > turn) yield();
}

bool memory_is_shared() {
  return net::world.pes == 1 ||
         (net::world.nodes == 1 && arena::reserved.backing == arena::Backing::node_shared);
}

}  // namespace skein::vmpi
