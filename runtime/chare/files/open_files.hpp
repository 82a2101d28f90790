// SPDX-License-Identifier: Apache-2.0
// Files that elements of this PE write to, open until somebody says that they are complete. Errors are told
// as
// "'u.bin' cannot be opened: Permission denied (errno 13)"; an empty text is none.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace skein::chare {

/// Writes the bytes at the offset, opening or creating the file if need be. Blocks the PE.
std::string write_at(const std::string& path, std::int64_t offset, std::span<const std::byte> bytes);
/// If it is open. What the system could not write so far it may say now.
std::string close_file(const std::string& path);
/// Makes it exactly so long, where it is a file that has a length; creates it if need be.
std::string set_length(const std::string& path, std::int64_t bytes);

}  // namespace skein::chare
