// SPDX-License-Identifier: Apache-2.0
// Native programs: recognises them, and gives them the options of `skein run`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/launch/options.hpp"

namespace skein::launch {

/// Returns true if the file is an ELF program with the note that Skein's library leaves in what links it;
/// false if it cannot be read.
bool is_native_program(const std::string& path);

/// Throws skein::Error if virtual ranks were asked for, which a native program does not have.
void refuse_ranks(const RunOptions& run);

/// Returns the words that start the program with the options that the command line of `skein run` gave. The
/// options are in the program's own argv, so that they reach PEs on other nodes, and behind its own words, so
/// that a main() which reads these before it calls skein::run() finds them in their places.
std::vector<std::string> native_command(const RunOptions& run);

/// Extracts from the program's argv the words of `skein run`: --skein.lb=refine becomes --lb=refine; other
/// words are the program's.
std::vector<std::string> native_option_words(std::span<char* const> argv);

}  // namespace skein::launch
