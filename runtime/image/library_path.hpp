// SPDX-License-Identifier: Apache-2.0
// Finds a needed library by the dynamic linker's rules (ld.so(8)): DT_RPATH of the file and of those that
// needed it (unless the file has a DT_RUNPATH), LD_LIBRARY_PATH, DT_RUNPATH, the system's cache, the default
// directories. The loader searches itself because a private library must not be dlopened, and because dlopen
// would search by the launcher's DT_RUNPATH, not by the program's.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/image/elf_file.hpp"

namespace skein::image {

class LibraryPath {
 public:
  LibraryPath();

  /// Returns the path of the library `name` that `chain.back()` needs; `chain` begins with the program. Empty
  /// if it is nowhere. A name with a slash is a path already.
  std::string find(const std::string& name, std::span<const ElfFile* const> chain) const;

 private:
  std::vector<std::string> from_environment_;
  std::unordered_map<std::string, std::string> cache_;
};

/// Returns the libraries of /etc/ld.so.cache for x86-64, by name. `bytes` is the file; of a damaged or
/// unknown one, returns what can be read.
std::unordered_map<std::string, std::string> parse_library_cache(std::string_view bytes);

}  // namespace skein::image
