// SPDX-License-Identifier: Apache-2.0
// Files that elements of this PE write to, open until they are reported complete. Functions return errors as
// "'u.bin' cannot be opened: Permission denied (errno 13)"; an empty text means none.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace skein::chare {

/// Writes the bytes at the offset, opening or creating the file if need be. Blocks the PE.
std::string write_at(const std::string& path, std::int64_t offset, std::span<const std::byte> bytes);
/// Closes the file if it is open. The system may report failed writes only now.
std::string close_file(const std::string& path);
/// Makes the file exactly so long, if it is of a kind that has a length; creates it if need be.
std::string set_length(const std::string& path, std::int64_t bytes);

}  // namespace skein::chare
