// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/topology.hpp"

#include <doctest/doctest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace skein::launch;

namespace {

int processors_of_this_process() {
  cpu_set_t set;
  CPU_ZERO(&set);
  REQUIRE(sched_getaffinity(0, sizeof set, &set) == 0);
  return CPU_COUNT(&set);
}

/// Runs `body` in a child, which may change its affinity, and returns its exit status (below 256).
template <class Body>
int in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("topology: cores are between one and the processors of the affinity mask") {
  CHECK(available_cores() >= 1);
  CHECK(available_cores() <= processors_of_this_process());
}

TEST_CASE("topology: a narrowed affinity counts, so that a launcher's binding is respected") {
  CHECK(in_child([] {
          cpu_set_t all, one;
          sched_getaffinity(0, sizeof all, &all);
          CPU_ZERO(&one);
          for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(cpu, &all)) {
              CPU_SET(cpu, &one);
              break;
            }
          sched_setaffinity(0, sizeof one, &one);
          return available_cores();
        }) == 1);
}

TEST_CASE("topology: the last of as many PEs as cores gets one core, and a second call changes nothing") {
  const int cores = available_cores();
  CHECK(in_child([cores] {
          if (bind_to_core(cores - 1, cores) != Bound::yes) return 100;
          const int first = sched_getcpu();
          const Bound again = bind_to_core(cores - 1, cores);
          if (cores > 1 && again != Bound::too_few_cores) return 101;
          return sched_getcpu() == first || available_cores() == 1 ? available_cores() : 102;
        }) == 1);
}

TEST_CASE("topology: with more PEs than cores nobody is bound") {
  const int before = processors_of_this_process();
  CHECK(bind_to_core(0, available_cores() + 1) == Bound::too_few_cores);
  CHECK(processors_of_this_process() == before);
}

TEST_CASE("topology: the description names the machine's parts") {
  const std::string text = describe_topology();
  for (const char* part : {"package", "NUMA node", "core", "hardware thread", "GiB of memory"})
    CHECK(text.find(part) != std::string::npos);
}
