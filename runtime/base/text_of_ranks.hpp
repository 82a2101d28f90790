// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

namespace skein {

/// "rank 3", "ranks 0-3, 7 (5 in all)": in rising order.
std::string text_of_ranks(const std::set<int>& ranks);

}  // namespace skein
