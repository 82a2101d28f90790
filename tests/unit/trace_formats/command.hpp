// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdio>
#include <string>

namespace skein::trace::test {

// Returns what the command prints on both outputs.
inline std::string output_of(const std::string& command, int* status = nullptr) {
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe) return "cannot start " + command;
  std::string output;
  std::array<char, 4096> buffer;
  while (const std::size_t bytes = fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), bytes);
  const int ended = pclose(pipe);
  if (status) *status = ended;
  return output;
}

}  // namespace skein::trace::test
