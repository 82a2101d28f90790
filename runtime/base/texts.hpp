// SPDX-License-Identifier: Apache-2.0
// Ranks, sizes and bytes as texts.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>

namespace skein {

/// Returns a text like "rank 3" or "ranks 0-3, 7 (5 in all)", in rising order.
std::string text_of_ranks(const std::set<int>& ranks);

/// Returns a text like "64K", "16M" or "3G": the shortest exact form, in powers of 1024.
std::string size_text(std::size_t bytes);

/// Returns two lower-case hexadecimal digits a byte.
std::string hex_text(std::span<const std::byte> bytes);

}  // namespace skein
