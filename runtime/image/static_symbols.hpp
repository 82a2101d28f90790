// SPDX-License-Identifier: Apache-2.0
// Functions that an ELF file names but does not export: those of a program, main() among them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skein::image {

/// Writes the name of the function that holds `address` (as in the file) to `name`, zero-terminated and cut
/// to `bytes`. False if the file has no such function, was stripped, or is damaged. Reads the file anew at
/// each call, in small pieces: for messages about a rank that fails. Async-signal-safe.
bool find_static_function(int descriptor, std::uint64_t address, char* name, std::size_t bytes);

}  // namespace skein::image
