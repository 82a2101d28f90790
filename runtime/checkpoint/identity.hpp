// SPDX-License-Identifier: Apache-2.0
// The properties that a process must share with the process that wrote an image, so that the image can
// continue there: ranks hold addresses of functions and variables of the launcher and of libraries, and of
// the thread's block.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace skein::checkpoint {

/// A file whose code or data is loaded; the first one is the launcher itself.
struct Library {
  std::string path;
  std::uint64_t address = 0;  ///< the base of its addresses
  std::string build;          ///< the build id, as hexadecimal digits; empty if it has none
  friend bool operator==(const Library&, const Library&) = default;
};

struct Identity {
  std::uint64_t program = 0;         ///< digest of the program and of its private libraries
  std::uint64_t addresses = 0;       ///< image::Program::library_addresses()
  std::uint64_t thread_pointer = 0;  ///< of the PE's thread
  std::vector<Library> libraries;
};

/// Returns the libraries of this process, in the order of loading, without the kernel's own (vdso).
std::vector<Library> libraries_here();

/// Returns the difference because of which an image of `saved` cannot continue in a process like `here`, with
/// the most likely reason; empty if it can.
std::string difference(const Identity& saved, const Identity& here);

}  // namespace skein::checkpoint
