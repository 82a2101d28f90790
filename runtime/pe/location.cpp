// SPDX-License-Identifier: Apache-2.0
#include "runtime/pe/location.hpp"

namespace skein::pe {

std::vector<int> pe_of_rank;
std::uint64_t placement_generation = 1;

}  // namespace skein::pe
