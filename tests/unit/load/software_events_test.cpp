// SPDX-License-Identifier: Apache-2.0
// The kernel's software events counted without PAPI.
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "runtime/load/software_events.hpp"

using namespace skein::load;

TEST_CASE("software events: touching fresh pages counts a fault for each") {
  const int descriptor = open_software_event("perf::PAGE-FAULTS");
  if (descriptor < 0) {
    MESSAGE("the system refuses: errno ", errno);
    CHECK((errno == EACCES || errno == EPERM || errno == ENOENT || errno == ENOSYS));
    return;
  }
  constexpr std::size_t pages = 300, page = 4096;
  void* const fresh = mmap(nullptr, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(fresh != MAP_FAILED);
  madvise(fresh, pages * page, MADV_NOHUGEPAGE);
  auto* const memory = static_cast<volatile char*>(fresh);
  const std::int64_t before = read_software_event(descriptor);
  for (std::size_t i = 0; i < pages; ++i) memory[i * page] = 1;
  const std::int64_t counted = read_software_event(descriptor) - before;
  CHECK(counted >= std::int64_t{pages});
  CHECK(counted < std::int64_t{pages} + 50);  // what the loop itself may touch
  munmap(fresh, pages * page);
  close(descriptor);
}

TEST_CASE("software events: only what is listed can be opened") {
  const auto names = software_event_names();
  CHECK(std::find(names.begin(), names.end(), "perf::PAGE-FAULTS") != names.end());
  CHECK(std::find(names.begin(), names.end(), "perf::TASK-CLOCK") != names.end());
  CHECK(open_software_event("perf::NO-SUCH-EVENT") == -1);
  CHECK(open_software_event("") == -1);
}
