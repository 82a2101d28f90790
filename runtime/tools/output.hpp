// SPDX-License-Identifier: Apache-2.0
// Output of tools: files, and numbers by printf().
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace skein::tools {

/// Converts a number for %llu.
inline unsigned long long wide(std::uint64_t n) { return n; }

/// Throws skein::Error if the output is one of the input files, by whatever name.
void check_not_read(const std::string& output, std::span<const std::string> read);

/// Writes the text and a line end. Throws skein::Error unless all of it is in the file.
void write_file(const std::string& path, std::string_view text);

}  // namespace skein::tools
