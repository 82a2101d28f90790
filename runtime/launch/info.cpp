// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/info.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

#include "runtime/base/error.hpp"
#include "runtime/launch/build_info.hpp"
#include "runtime/launch/launcher.hpp"
#include "runtime/launch/memory_info.hpp"
#include "runtime/launch/papi_info.hpp"
#include "runtime/launch/topology.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::launch {
namespace {

void line(const char* subject, const std::string& text) { printf("%-12s %s\n", subject, text.c_str()); }

std::string mpi_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string version(text, static_cast<std::size_t>(length));
  // MPICH's answer has a dozen lines of build flags; the first names it. Tabs separate its words.
  version.resize(std::min(version.find('\n'), version.size()));
  std::replace(version.begin(), version.end(), '\t', ' ');
  while (!version.empty() && version.back() == '\0') version.pop_back();
  return version;
}

/// Number of nodes, valid on rank 0 of the world. Collective.
int count_nodes() {
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int rank = 0, nodes = 0;
  MPI_Comm_rank(node, &rank);
  const int first_of_node = rank == 0;
  MPI_Reduce(&first_of_node, &nodes, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Comm_free(&node);
  return nodes;
}

std::string describe_pes(const std::optional<Launcher>& launcher, int nodes) {
  if (!launcher) return format("%d on this node by default (skein run -p)", available_cores());
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return format("%d on %d node%s, started by %s", size, nodes, nodes == 1 ? "" : "s",
                std::string(launcher->name).c_str());
}

std::string strategy_names() {
  std::string names;
  for (const lb::StrategyInfo& strategy : lb::strategies()) {
    names.append(names.empty() ? "" : ", ").append(strategy.name);
    if (!lb::why_unavailable(strategy).empty()) names.append(" (unavailable)");
  }
  return names + ", auto";
}

void print_info(const std::optional<Launcher>& launcher, int nodes) {
  line("skein",
       format("%s, %s build by %s", build_info::version, build_info::build_type, build_info::compiler));
  line("PEs", describe_pes(launcher, nodes));
  line("topology", describe_topology());
  line("MPI", mpi_library());
  line("mpiexec", build_info::mpiexec);
  line("strategies", strategy_names());
  for (const lb::StrategyInfo& strategy : lb::strategies()) {
    const std::string reason = lb::why_unavailable(strategy);
    if (!reason.empty()) line("", std::string(strategy.name) + " " + reason);
  }
  for (const Fact& fact : memory_facts()) line(fact.subject.c_str(), fact.text);
  for (const Fact& fact : papi_facts()) line(fact.subject.c_str(), fact.text);
}

}  // namespace

int info(std::span<const char* const> words) {
  if (!words.empty()) throw Error("skein info: takes no arguments, but got '" + std::string(words[0]) + "'");
  std::size_t count = 0;
  while (environ[count]) ++count;
  const std::optional<Launcher> launcher = find_launcher({environ, count});
  if (!launcher) {
    print_info(launcher, 1);
    return 0;
  }
  MPI_Init(nullptr, nullptr);
  const int nodes = count_nodes();
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) print_info(launcher, nodes);
  MPI_Finalize();
  return 0;
}

}  // namespace skein::launch
