// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/overrides.hpp"

namespace skein::libc {

std::vector<Override> all_overrides() {
  std::vector<Override> all;
  for (const auto& table :
       {process_overrides(), environment_overrides(), diagnostic_overrides(), random_overrides(),
        static_buffer_overrides(), thread_overrides(), shared_state_overrides(), stream_overrides(),
        descriptor_overrides(), pinning_overrides(), process_wide_overrides()})
    all.insert(all.end(), table.begin(), table.end());
  return all;
}

}  // namespace skein::libc
