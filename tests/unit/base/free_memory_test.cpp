// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/free_memory.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "tests/unit/lb/scratch_folder.hpp"

using skein::free_memory;
using skein::lb::test::ScratchFolder;

namespace {

void put(const ScratchFolder& root, const std::string& name, const std::string& text) {
  const std::filesystem::path path = root / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

constexpr const char* kMachine =
    "MemTotal:       1000 kB\nMemFree:  10 kB\nMemAvailable:    400 kB\nBuffers: 7 kB\n";

}  // namespace

TEST_CASE("free memory: what the machine says, and no bound where nothing does") {
  const ScratchFolder root;
  CHECK(free_memory(root / "none") == std::numeric_limits<std::uint64_t>::max());
  put(root, "proc/meminfo", kMachine);
  CHECK(free_memory(root / "") == 400 * 1024);
  CHECK(free_memory() > 0);
}

TEST_CASE("free memory: the least that a control group of version 2, or one that it is in, has left") {
  const ScratchFolder root;
  put(root, "proc/meminfo", kMachine);
  put(root, "proc/self/cgroup", "0::/batch/job/task\n");
  put(root, "sys/fs/cgroup/batch/job/task/memory.max", "max\n");
  put(root, "sys/fs/cgroup/batch/job/task/memory.current", "90000\n");
  CHECK(free_memory(root / "") == 400 * 1024);
  put(root, "sys/fs/cgroup/batch/job/memory.max", "200000\n");
  put(root, "sys/fs/cgroup/batch/job/memory.current", "150000\n");
  CHECK(free_memory(root / "") == 50'000);
  // Memory that caches files counts as free, as the system can read the files again.
  put(root, "sys/fs/cgroup/batch/job/memory.stat",
      "anon 100000\nactive_file 20000\ninactive_file 30000\nslab 7\n");
  CHECK(free_memory(root / "") == 80'000);
  put(root, "sys/fs/cgroup/batch/memory.max", "300000\n");
  put(root, "sys/fs/cgroup/batch/memory.current", "310000\n");
  CHECK(free_memory(root / "") == 0);
}

TEST_CASE("free memory: of version 1, whose own group may lie at the root of what a container sees") {
  const ScratchFolder root;
  put(root, "proc/meminfo", kMachine);
  put(root, "proc/self/cgroup", "9:cpuset:/\n4:memory:/docker/7f\n1:cpu:/\n0::/\n");
  put(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", "300000\n");
  put(root, "sys/fs/cgroup/memory/memory.usage_in_bytes", "200000\n");
  put(root, "sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 5000\n");
  CHECK(free_memory(root / "") == 105'000);
  put(root, "sys/fs/cgroup/memory/docker/7f/memory.limit_in_bytes", "9223372036854771712\n");
  put(root, "sys/fs/cgroup/memory/docker/7f/memory.usage_in_bytes", "200000\n");
  CHECK(free_memory(root / "") == 105'000);
}
