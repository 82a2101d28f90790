// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/overrides.hpp"

#include "runtime/libc/malloc.hpp"

namespace skein::libc {

std::vector<std::span<const Override>> override_tables() {
  return {malloc_overrides(),         process_overrides(),
          environment_overrides(),    diagnostic_overrides(),
          random_overrides(),         static_buffer_overrides(),
          name_service_overrides(),   multibyte_overrides(),
          thread_overrides(),         mutex_overrides(),
          locale_overrides(),         shared_state_overrides(),
          stream_overrides(),         descriptor_overrides(),
          file_lock_overrides(),      pinning_overrides(),
          mapping_overrides(),        kernel_object_overrides(),
          children_overrides(),       working_directory_overrides(),
          waiting_overrides(),        standard_input_overrides(),
          program_file_overrides(),   walk_overrides(),
          name_list_overrides(),      system_log_overrides(),
          process_number_overrides(), semaphore_overrides(),
          asynchronous_overrides()};
}

}  // namespace skein::libc
