// SPDX-License-Identifier: Apache-2.0
// Files that tools write.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace skein::tools {

/// The value of --output. Throws skein::Error if it is empty.
std::string output_name(std::string_view text);

/// Throws skein::Error if the output is one of the files that are read, by whatever name.
void check_not_read(const std::string& output, std::span<const std::string> read);

/// Writes the text and a line end. Throws skein::Error unless all of it is in the file.
void write_file(const std::string& path, std::string_view text);

}  // namespace skein::tools
