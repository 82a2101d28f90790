// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/info.hpp"

#include <mpi.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

#include "runtime/arena/arena.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/texts.hpp"
#include "runtime/launch/build_info.hpp"
#include "runtime/launch/launcher.hpp"
#include "runtime/launch/program_files.hpp"
#include "runtime/launch/topology.hpp"
#include "runtime/options/values.hpp"
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

/// Returns the number of nodes, valid on rank 0 of the world. Collective.
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
       format("%s, %s build by %s", build_info::kVersion, build_info::kBuildType, build_info::kCompiler));
  line("PEs", describe_pes(launcher, nodes));
  line("topology", describe_topology());
  line("MPI", mpi_library());
  line("mpiexec", build_info::kMpiexec);
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
  if (words.size() > 1)
    throw Error("skein info: takes one program, but got '" + std::string(words[1]) + "' too");
  if (words.size() == 1) {
    describe_program(words[0]);
    return 0;
  }
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

namespace {

/// Returns the first line of a file of the kernel; "unknown" if it cannot be read.
std::string first_line(const char* path) {
  char text[256];
  FILE* file = fopen(path, "r");
  if (!file) return "unknown";
  const bool read = fgets(text, sizeof text, file) != nullptr;
  fclose(file);
  if (!read) return "unknown";
  text[strcspn(text, "\n")] = '\0';
  return text;
}

/// Returns the word in brackets: "madvise" for "always [madvise] never".
std::string chosen_word(const std::string& line) {
  const std::size_t open = line.find('['), close = line.find(']');
  return open < close && close != std::string::npos ? line.substr(open + 1, close - open - 1) : line;
}

std::string aslr_state() {
  const std::string setting = first_line("/proc/sys/kernel/randomize_va_space");
  const int now = personality(0xffffffff);
  const bool off_already = setting == "0" || (now >= 0 && (now & ADDR_NO_RANDOMIZE));
  if (off_already) return "off";
  // Nothing runs afterwards, so setting the flag for the test and clearing it changes nothing else.
  const bool can = now >= 0 && personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) >= 0;
  if (can) personality(static_cast<unsigned long>(now));
  return "on (randomize_va_space " + setting + "); " +
         (can ? "a run switches it off for itself"
              : format("personality() is refused here: %s", strerror(errno)));
}

std::string arena_state() {
  const auto base = reinterpret_cast<void*>(arena::kArenaBase);
  void* region = mmap(base, arena::kArenaLimitBytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  const int error = errno;
  if (region != MAP_FAILED) munmap(region, arena::kArenaLimitBytes);
  const std::string where = size_text(arena::kArenaLimitBytes) + format(" at %p", base);
  return region == base ? where + " can be reserved"
                        : where + format(" cannot be reserved: %s", strerror(error));
}

std::string shared_memory_state() {
  const int memfd = memfd_create("skein-info", MFD_CLOEXEC);
  const bool works = memfd >= 0;
  if (works) close(memfd);
  return std::string(works ? "memfd works: messages inside a node go through memory, and what native "
                             "programs share is there once"
                           : "memfd_create() is refused: messages inside a node go through the MPI "
                             "underneath, and what native programs share is there once per PE") +
         ", huge pages of shared memory: " +
         chosen_word(first_line("/sys/kernel/mm/transparent_hugepage/shmem_enabled")) +
         ", of private memory: " + chosen_word(first_line("/sys/kernel/mm/transparent_hugepage/enabled"));
}

std::string limits() {
  rlimit stack{};
  getrlimit(RLIMIT_STACK, &stack);
  return "overcommit_memory " + first_line("/proc/sys/vm/overcommit_memory") + ", max_map_count " +
         first_line("/proc/sys/vm/max_map_count") + ", ulimit -s " +
         (stack.rlim_cur == RLIM_INFINITY ? std::string("unlimited") : size_text(stack.rlim_cur));
}

}  // namespace

std::vector<Fact> memory_facts() {
  return {{"arena", arena_state()},
          {"ASLR", aslr_state()},
          {"backing", shared_memory_state()},
          {"limits", limits()}};
}

}  // namespace skein::launch
