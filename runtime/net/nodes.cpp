// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/nodes.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "runtime/base/error.hpp"
#include "runtime/net/mpi_process.hpp"

namespace skein::net {

World world;

namespace {

/// Splits the PEs of a machine into several nodes, if the environment asks for it.
void split_as_asked(MPI_Comm& machine) {
  const int pes = asked_pes_per_node();
  if (pes == 0) return;
  MPI_Comm node;
  SKEIN_MPI_CALL(MPI_Comm_split(machine, world.machine_pe / pes, world.machine_pe, &node));
  SKEIN_MPI_CALL(MPI_Comm_free(&machine));
  machine = node;
}

}  // namespace

int asked_pes_per_node() {
  const char* const asked = getenv("SKEIN_PES_PER_NODE");
  if (!asked) return 0;
  int pes = 0;
  const char* const end = asked + strlen(asked);
  if (std::from_chars(asked, end, pes) != std::from_chars_result{end, std::errc()} || pes < 1)
    throw Error(format("SKEIN_PES_PER_NODE is '%s', not a number of PEs from 1 on", asked));
  return pes;
}

void learn_nodes() {
  MPI_Comm node_comm;
  SKEIN_MPI_CALL(MPI_Comm_split_type(mpi_process.pes, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node_comm));
  SKEIN_MPI_CALL(MPI_Comm_rank(node_comm, &world.machine_pe));
  SKEIN_MPI_CALL(MPI_Comm_size(node_comm, &world.machine_pes));
  split_as_asked(node_comm);
  int lowest_pe = world.pe;
  SKEIN_MPI_CALL(MPI_Bcast(&lowest_pe, 1, MPI_INT, 0, node_comm));
  SKEIN_MPI_CALL(MPI_Comm_rank(node_comm, &world.node_pe));
  SKEIN_MPI_CALL(MPI_Comm_free(&node_comm));
  std::vector<int> leader_of(static_cast<std::size_t>(world.pes));
  SKEIN_MPI_CALL(MPI_Allgather(&lowest_pe, 1, MPI_INT, leader_of.data(), 1, MPI_INT, mpi_process.pes));
  std::vector<int> leaders = leader_of;
  std::sort(leaders.begin(), leaders.end());
  leaders.erase(std::unique(leaders.begin(), leaders.end()), leaders.end());
  world.nodes = static_cast<int>(leaders.size());
  for (int pe = 0; pe < world.pes; ++pe) {
    const auto leader =
        std::lower_bound(leaders.begin(), leaders.end(), leader_of[static_cast<std::size_t>(pe)]);
    world.node_of.push_back(static_cast<int>(leader - leaders.begin()));
  }
  world.node = world.node_of[static_cast<std::size_t>(world.pe)];
  for (int pe = 0; pe < world.pes; ++pe) {
    if (world.node_of[static_cast<std::size_t>(pe)] == world.node) world.node_pes.push_back(pe);
  }
}

}  // namespace skein::net
