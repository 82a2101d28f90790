// SPDX-License-Identifier: Apache-2.0
// The program skein-tools (runtime/tools/main.cpp): commands that need no job.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace skein::launch {

/// Becomes `skein-tools TOOL WORDS...`. Throws skein::Error if it is not installed.
[[noreturn]] void become_tool(std::string_view tool, std::span<const char* const> words);

/// The tools' chapters of docs/cli.md, as that program prints them. Throws skein::Error.
std::string tools_markdown();

}  // namespace skein::launch
