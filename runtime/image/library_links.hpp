// SPDX-License-Identifier: Apache-2.0
// Shared declarations of loading: for loaded_libraries*.cpp and library_links_open.cpp.
#pragma once

#include <deque>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/image/loaded_libraries.hpp"

namespace skein::image {

LoadedLibrary* find_by_name(LoadedLibraries& libraries, std::string_view name);
std::span<const std::string> needed_by(const LoadedLibrary& library);
/// Returns the library and what it needs, breadth first.
std::vector<LoadedLibrary*> group_of(LoadedLibraries& libraries, LoadedLibrary& root);
/// Makes the link maps of the list one chain, as the dynamic linker has it.
void join_maps(LoadedLibraries& libraries);
/// Removes the library from memory and from the list.
void drop_library(Rank& rank, LoadedLibrary& library);

/// The libraries of a rank as the linker takes them, during one look-up.
class LibraryImages {
 public:
  explicit LibraryImages(Rank& rank);
  /// Returns null for libraries of the process.
  const Image* of(const LoadedLibrary& library) const;
  Resolver::Scope of(const std::vector<LoadedLibrary*>& libraries) const;

 private:
  std::deque<Image> own_;
  std::unordered_map<const LoadedLibrary*, const Image*> images_;
};

/// Links again all that the rank has loaded itself, at its present addresses.
SlotTemplate link_again(Rank& rank);

}  // namespace skein::image
