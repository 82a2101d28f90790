// SPDX-License-Identifier: Apache-2.0
// Files that tools write.
#pragma once

#include <string>
#include <string_view>

namespace skein::tools {

/// The value of --output. Throws skein::Error if it is empty.
std::string output_name(std::string_view text);

/// Writes the text and a line end. Throws skein::Error unless all of it is in the file.
void write_file(const std::string& path, std::string_view text);

}  // namespace skein::tools
