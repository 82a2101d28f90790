// SPDX-License-Identifier: Apache-2.0
// Finds the definitions of symbols of private images. Searched in this order: the private images, breadth
// first from the program; copies of shared libraries' variables that each slot holds; the overrides
// (functions of the launcher); the process by name and version; the process by name.
//
// MPI names never reach the MPI library that Skein itself runs on: only images, overrides and libraries that
// were loaded for the program can define them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/image/image.hpp"
#include "runtime/libc/override.hpp"

namespace skein::image {

/// Returns true if a symbol belongs to MPI's C or Fortran interface (its profiling names included).
inline bool is_mpi_name(std::string_view name) {
  if (name.starts_with('P') || name.starts_with('p')) name.remove_prefix(1);
  return name.starts_with("MPI_") || name.starts_with("mpi_") || name.starts_with("MPIX_") ||
         name.starts_with("mpix_");
}

/// Prefix by which a stand-in for another MPI's library calls Skein's MPI_X, since it defines MPI_X itself.
inline constexpr std::string_view kHerePrefix = "skein_here_";

struct Resolution {
  enum Kind {
    undefined,
    in_image,   ///< `value` is an address of `image`'s file, or its offset in the TLS segment if `tls`
    in_slot,    ///< `value` is an offset from the image base: a rank's own copy of a library's variable
    at_address  ///< `value` is an address of this process, on all PEs the same
  };
  Kind kind = undefined;
  bool tls = false;
  bool ifunc = false;  ///< in_image: the address of a function that returns the address
  const Image* image = nullptr;
  std::uint64_t value = 0;
};

class Resolver {
 public:
  /// Images in the order of look-up.
  using Scope = std::vector<const Image*>;

  /// Notes which libraries the launcher itself consists of; so create it before libraries are loaded for the
  /// program.
  Resolver();

  void add_overrides(std::span<const libc::Override> overrides);
  /// Binds the variable of a shared library to a copy that every slot holds at `offset`.
  void add_copy(std::string_view name, std::uint64_t offset) { copies_.emplace(name, offset); }

  /// Finds the definition that `symbol` resolves to in `from`.
  Resolution resolve(const Scope& scope, const Image& from, const Symbol& symbol);
  /// Finds the definition behind a variable of which `from` holds a copy: skips `from` itself.
  Resolution resolve_copied(const Scope& scope, const Image& from, const Symbol& symbol);
  /// Finds a definition outside of the images.
  Resolution resolve_beyond_images(const Symbol& symbol);
  /// Returns the launcher's function of this name, or null.
  const void* override_of(std::string_view name) const;
  /// Forgets the look-ups, after a library has left the process.
  void forget_found() { found_.clear(); }

 private:
  bool is_launchers_own(const void* address) const;

  std::unordered_map<std::string_view, const void*> overrides_;
  std::unordered_map<std::string_view, std::uint64_t> copies_;
  std::unordered_map<std::string, void*> found_;        // by name@version
  std::unordered_set<const void*> launcher_libraries_;  // load addresses
};

}  // namespace skein::image
