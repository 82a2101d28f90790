// SPDX-License-Identifier: Apache-2.0
#include "runtime/move/location.hpp"

namespace skein::move {

std::vector<int> pe_of_rank;
std::uint64_t placement_generation = 1;
int here = 0;

}  // namespace skein::move
