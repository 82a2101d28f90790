// SPDX-License-Identifier: Apache-2.0
#include "runtime/move/debugged_ranks.hpp"

#include <vector>

#include "runtime/image/debugger.hpp"
#include "runtime/pe/location.hpp"

namespace skein::move {
namespace {

/// GDB reads the symbols of every image of every rank that is listed, and takes too long with thousands.
constexpr std::size_t most_ranks_listed = 256;

}  // namespace

void list_ranks_for_debugger() {
  std::vector<std::size_t> slots;
  for (std::size_t id = 0; id < pe::location->pe_of_rank.size() && slots.size() < most_ranks_listed; ++id)
    if (pe::is_here(static_cast<int>(id))) slots.push_back(id);
  image::publish_to_debugger(slots);
}

}  // namespace skein::move
