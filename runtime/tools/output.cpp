// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "runtime/base/error.hpp"

namespace skein::tools {

void check_not_read(const std::string& output, std::span<const std::string> read) {
  for (const std::string& file : read) {
    std::error_code unknown;  // if one file does not exist they differ
    if (std::filesystem::equivalent(output, file, unknown))
      throw Error(output + ": is an input, and would be overwritten: name another output file (-o)");
  }
}

void write_file(const std::string& path, std::string_view text) {
  FILE* const file = fopen(path.c_str(), "w");
  if (!file)
    throw Error(path + ": cannot be written: " + strerror(errno) +
                "; name a file in a folder that exists and can be written");
  const bool written = fwrite(text.data(), 1, text.size(), file) == text.size() && fputc('\n', file) != EOF;
  const int error = errno;
  if (const bool closed = fclose(file) == 0; !written || !closed)
    throw Error(path + ": cannot be written whole: " + strerror(written ? errno : error));
}

}  // namespace skein::tools
