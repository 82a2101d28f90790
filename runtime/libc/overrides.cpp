// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/overrides.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

#include "runtime/libc/malloc.hpp"

namespace skein::libc {

namespace {

/// Returns all overrides; filled while static objects are made.
std::vector<Override>& all_overrides() {
  static std::vector<Override> all;
  return all;
}

/// Names with underscores that the C library has for overridden functions, too, and to which programs refer.
constexpr const char* kOtherNames[] = {
    "__close",
    "__dup2",
    "__endmntent",
    "__fcntl",
    "__getauxval",
    "__getpgid",
    "__mbrlen",
    "__mbrtowc",
    "__nanosleep",
    "__open",
    "__open64",
    "__pipe",
    "__poll",
    "__read",
    "__sbrk",
    "__sched_getparam",
    "__sched_getscheduler",
    "__sched_setscheduler",
    "__sched_yield",
    "__select",
    "__setmntent",
    "__vfork",
    "__vfscanf",
    "__wait",
    "__waitpid",
};

}  // namespace

Overrides::Overrides(std::initializer_list<Override> of_subject) {
  all_overrides().insert(all_overrides().end(), of_subject.begin(), of_subject.end());
}

std::vector<std::span<const Override>> override_tables() {
  /// Not in memory of the heap: a rank may be the first to call.
  static const std::array by_other_names = [] {
    std::array<Override, std::size(kOtherNames)> found = {};
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto is_meant = [&](const Override& each) {
        return strcmp(each.name, kOtherNames[i] + strlen("__")) == 0;
      };
      found[i] = {kOtherNames[i], std::ranges::find_if(all_overrides(), is_meant)->address};
    }
    return found;
  }();
  return {malloc_overrides(), all_overrides(), by_other_names};
}

}  // namespace skein::libc
