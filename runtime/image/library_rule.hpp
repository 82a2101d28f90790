// SPDX-License-Identifier: Apache-2.0
// Which libraries each rank has its own copy of, and which are the process's, as far as a library by itself
// tells (those that need a private one are private, too: library_set.hpp, loaded_libraries.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/image/elf_file.hpp"

namespace skein::image {

class LibraryRule {
 public:
  /// Names as the user gives them: "libfoo.so.2", "libfoo.so" or "libfoo".
  explicit LibraryRule(std::vector<std::string> private_names) : private_names_(std::move(private_names)) {}

  const std::vector<std::string>& private_names() const { return private_names_; }

  /// Named by the user, or one of those that are private in any case. Throws skein::Error where a library is
  /// named that a process has one of.
  bool is_listed(const std::string& name) const;
  /// A process has one of it: the C library, the dynamic linker.
  static bool is_of_process(std::string_view name);
  /// Skein's own stub of the MPI library, which is not loaded.
  static bool is_own_mpi(std::string_view name);
  /// Throws skein::Error if `name`, which `user` needs, is another MPI's library.
  static void refuse_other_mpi(const std::string& name, const std::string& user);
  /// Whether it refers to functions of MPI, which only Skein's loader binds to Skein's.
  static bool calls_mpi(const ElfFile& file);

 private:
  std::vector<std::string> private_names_;
};

/// Whether `library` is what a user calls `given`.
bool is_called(std::string_view library, std::string_view given);
/// Whether the process has loaded it.
bool is_loaded(const std::string& name);

}  // namespace skein::image
