// SPDX-License-Identifier: Apache-2.0
// What a process must have in common with the one that wrote an image, for the image to go on there: ranks
// hold addresses of functions and variables of the launcher and of libraries, and of the thread's block.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace skein::checkpoint {

/// A file whose code or data the process has; the first is the launcher itself.
struct Library {
  std::string path;
  std::uint64_t address = 0;  ///< what its addresses count from
  std::string build;          ///< its build id, as hexadecimal digits; empty where it has none
  friend bool operator==(const Library&, const Library&) = default;
};

struct Identity {
  std::uint64_t program = 0;         ///< digest of the program and of its private libraries
  std::uint64_t addresses = 0;       ///< image::Program::library_addresses()
  std::uint64_t thread_pointer = 0;  ///< of the PE's thread
  std::vector<Library> libraries;
};

/// The libraries of this process, in the order in which they were loaded. The kernel's own (vdso) is left
/// out.
std::vector<Library> libraries_here();

/// What differs so that an image of `saved` cannot go on where it is as `here`, and why most likely; empty if
/// nothing does.
std::string difference(const Identity& saved, const Identity& here);

}  // namespace skein::checkpoint
