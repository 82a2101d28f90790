// SPDX-License-Identifier: Apache-2.0
// Files for the tests of the loader: those of the build, and those that a test invents.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace skein::test {

/// Returns the path of a file that CMakeLists.txt declares.
inline std::string built_file(const std::string& name) { return std::string(SKEIN_IMAGE_FILES) + "/" + name; }

/// Returns one file of each kind that the loader takes.
inline std::vector<std::string> built_files() {
  std::vector<std::string> paths;
  std::string list = SKEIN_IMAGE_FILE_NAMES;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    paths.push_back(built_file(list.substr(at, end - at)));
    at = end + 1;
  }
  return paths;
}

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// A file in memory with the given contents.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& bytes) : descriptor_(memfd_create("test", MFD_CLOEXEC)) {
    std::ofstream(path(), std::ios::binary) << bytes;
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace skein::test
