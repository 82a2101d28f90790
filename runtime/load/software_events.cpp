// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/software_events.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>

namespace skein::load {
namespace {

struct SoftwareEvent {
  std::string_view name;
  std::uint64_t config;
};

/// perf_event_open(2), PERF_TYPE_SOFTWARE; names as PAPI spells them.
constexpr SoftwareEvent kEvents[] = {
    {"perf::CPU-CLOCK", PERF_COUNT_SW_CPU_CLOCK},
    {"perf::TASK-CLOCK", PERF_COUNT_SW_TASK_CLOCK},
    {"perf::PAGE-FAULTS", PERF_COUNT_SW_PAGE_FAULTS},
    {"perf::CONTEXT-SWITCHES", PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"perf::CPU-MIGRATIONS", PERF_COUNT_SW_CPU_MIGRATIONS},
    {"perf::MINOR-FAULTS", PERF_COUNT_SW_PAGE_FAULTS_MIN},
    {"perf::MAJOR-FAULTS", PERF_COUNT_SW_PAGE_FAULTS_MAJ},
};

int open_event(std::uint64_t config, bool user_only) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = config;
  attributes.exclude_kernel = user_only;
  attributes.exclude_hv = user_only;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

std::vector<std::string> software_event_names() {
  std::vector<std::string> names;
  for (const SoftwareEvent& event : kEvents) names.emplace_back(event.name);
  return names;
}

int open_software_event(std::string_view name) {
  const auto same_letter = [](char a, char b) { return std::toupper(a) == std::toupper(b); };
  for (const SoftwareEvent& event : kEvents) {
    if (!std::ranges::equal(event.name, name, same_letter)) continue;
    const int descriptor = open_event(event.config, false);
    // perf_event_paranoid 2 allows a user's own code only.
    return descriptor >= 0 || errno != EACCES ? descriptor : open_event(event.config, true);
  }
  errno = ENOENT;
  return -1;
}

std::int64_t read_software_event(int descriptor) {
  std::int64_t value = 0;
  return read(descriptor, &value, sizeof value) == sizeof value ? value : 0;
}

}  // namespace skein::load
