// SPDX-License-Identifier: Apache-2.0
// The libraries of a program, divided in two. Private ones are loaded once per rank, as the program is: those
// that keep state in variables (library_rule.hpp), those that call MPI, those whose variables the program has
// copies of, and those that need a private one. The others are shared by all ranks of the process, loaded by
// the dynamic linker.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/image/image.hpp"
#include "runtime/image/library_rule.hpp"

namespace skein::image {

struct LibrarySet {
  /// The program, then its private libraries, breadth first: the order of symbol lookup.
  std::vector<std::unique_ptr<Image>> images;
  /// Indices into images, each after those that it needs: the order of construction.
  std::vector<std::size_t> construction;
  /// Paths for dlopen, each after those that it needs; without those that the process has already.
  std::vector<std::string> shared;
  /// Names of libraries that are private because they keep state, or because the program has copies of their
  /// variables.
  std::vector<std::string> found_private;
};

/// Reads the program and finds its libraries, with `preloaded` as if the program needed them before all
/// others: they are private. Throws skein::Error when a library is missing, the program is linked against
/// another MPI, or a library must be private that cannot be.
LibrarySet find_libraries(const std::string& program, const LibraryRule& rule,
                          const std::vector<std::string>& preloaded);

}  // namespace skein::image
