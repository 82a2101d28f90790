// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/overrides.hpp"

#include <array>
#include <cstring>
#include <iterator>

#include "runtime/libc/malloc.hpp"

namespace skein::libc {

namespace {

std::vector<std::span<const Override>> tables_by_subject() {
  return {malloc_overrides(),       process_overrides(),
          environment_overrides(),  diagnostic_overrides(),
          random_overrides(),       static_buffer_overrides(),
          name_service_overrides(), multibyte_overrides(),
          thread_overrides(),       mutex_overrides(),
          locale_overrides(),       shared_state_overrides(),
          stream_overrides(),       descriptor_overrides(),
          file_lock_overrides(),    pinning_overrides(),
          mapping_overrides(),      kernel_object_overrides(),
          children_overrides(),     working_directory_overrides(),
          waiting_overrides(),      standard_input_overrides(),
          program_file_overrides(), walk_overrides(),
          system_call_overrides(),  name_list_overrides(),
          system_log_overrides(),   process_number_overrides(),
          semaphore_overrides(),    asynchronous_overrides(),
          openmp_overrides(),       process_setting_overrides(),
          cxx_setting_overrides(),  printf_overrides(),
          words_overrides(),        cxx_memory_overrides()};
}

/// Names with underscores that the C library has for functions of ours, too, and that programs refer to.
constexpr const char* other_names[] = {
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

/// Not in memory of the heap: a rank may be the first to ask.
using OtherNames = std::array<Override, std::size(other_names)>;

OtherNames find_other_names() {
  OtherNames found = {};
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const auto& table : tables_by_subject())
      for (const Override& each : table)
        if (strcmp(each.name, other_names[i] + strlen("__")) == 0) found[i] = {other_names[i], each.address};
  return found;
}

}  // namespace

std::vector<std::span<const Override>> override_tables() {
  static const OtherNames by_other_names = find_other_names();
  auto tables = tables_by_subject();
  tables.push_back(by_other_names);
  return tables;
}

}  // namespace skein::libc
