// SPDX-License-Identifier: Apache-2.0
// The files of libraries that ranks of this PE have loaded by hand, each read once for all of them.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "runtime/image/elf_file.hpp"

namespace skein::image {

/// Returns the file behind a path, read if it is new or has changed. Throws skein::Error if it is no library
/// that can be loaded. Used with use_library_file().
std::shared_ptr<ElfFile> read_library_file(const std::string& path);
/// Returns the file in use with this path and digest, or null. Async-signal-safe.
ElfFile* find_library_file(std::string_view path, std::uint64_t digest);
/// Counts a use by a rank on this PE. Files that no rank uses are forgotten from time to time.
void use_library_file(const std::shared_ptr<ElfFile>& file);
void release_library_file(std::string_view path, std::uint64_t digest);

}  // namespace skein::image
