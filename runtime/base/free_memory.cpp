// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/free_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>

namespace skein {
namespace {

constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

/// The names of the files of a version of control groups.
struct Groups {
  std::string_view line;  // of /proc/self/cgroup: the text in front of the path
  std::string_view folder, limit, used, old_pages;
};
constexpr Groups kGroups[] = {{"0::", "/sys/fs/cgroup", "/memory.max", "/memory.current", "inactive_file"},
                              {":memory:", "/sys/fs/cgroup/memory", "/memory.limit_in_bytes",
                               "/memory.usage_in_bytes", "total_inactive_file"}};

/// Returns the number behind `word`, or the first one in the file.
std::optional<std::uint64_t> number_in(const std::string& file, std::string_view word = "") {
  std::ifstream in(file);
  std::string each;
  while (!word.empty() && each != word && in >> each) {
  }
  std::uint64_t number = 0;
  return in >> number ? std::optional(number) : std::nullopt;
}

std::uint64_t left_in(const std::string& folder, const Groups& groups) {
  const auto limit = number_in(folder + std::string(groups.limit)),
             used = number_in(folder + std::string(groups.used));
  if (!limit || !used) return kAll;
  const std::uint64_t old = number_in(folder + "/memory.stat", groups.old_pages).value_or(0),
                      kept = *used - std::min(*used, old);
  return *limit - std::min(*limit, kept);
}

/// Returns the memory left in the group of that path and in all groups that contain it.
std::uint64_t left_in_all(const std::string& root, std::string path, const Groups& groups) {
  std::uint64_t left = kAll;
  for (;;) {
    left = std::min(left, left_in(root + path, groups));
    if (path.empty()) return left;
    path.resize(path.rfind('/'));
  }
}

}  // namespace

std::uint64_t free_memory(const std::string& root) {
  constexpr std::uint64_t kKib = 1024;
  const auto available = number_in(root + "/proc/meminfo", "MemAvailable:");
  std::uint64_t left = available ? *available * kKib : kAll;
  std::ifstream lines(root + "/proc/self/cgroup");
  for (std::string line; std::getline(lines, line);)
    for (const Groups& groups : kGroups) {
      const std::size_t at = line.find(groups.line), path = at + groups.line.size();
      if (at == std::string::npos || path >= line.size() || line[path] != '/') continue;
      left = std::min(left, left_in_all(root + std::string(groups.folder),
                                        line.size() > path + 1 ? line.substr(path) : "", groups));
    }
  return left;
}

}  // namespace skein
