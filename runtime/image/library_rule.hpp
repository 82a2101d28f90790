// SPDX-License-Identifier: Apache-2.0
// Which libraries each rank has its own copy of, and which are the process's, as far as a library by itself
// tells (those that need a private one are private, too: library_set.hpp, library_links_open.cpp).
//
// A library that all ranks of a process share must not keep anything for its caller in variables of its own:
// ranks would read each other's, and what it allocated for one rank lies in that rank's slot. Whether it does
// is found out from its file: has it variables that can be written? So it is private unless its file has
// none, it is known to belong to the process, or the user says otherwise.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/image/elf_file.hpp"

namespace skein::image {

/// What a rank has instead of a library that programs need: another MPI's, whose calls it makes Skein's
/// (runtime/foreign/).
struct StandIn {
  std::string mpi;   ///< whose library it is
  std::string name;  ///< of the library, as in DT_NEEDED
  std::string path;  ///< of what is loaded, privately; empty: the library itself, on top of another stand-in
  bool is_built = true;
};

class LibraryRule {
 public:
  /// Names as the user gives them: "libfoo.so.2", "libfoo.so" or "libfoo". Throws skein::Error if one is
  /// both, or if the process has one of it and it should be private.
  LibraryRule(std::vector<std::string> private_names, std::vector<std::string> shared_names,
              std::vector<StandIn> stand_ins = {});

  const std::vector<std::string>& private_names() const { return private_names_; }

  /// Private because the user says so, or because it is in any case.
  bool is_private_by_name(std::string_view name) const;
  /// Shared by the process: the C library, what else a process has one of, and what the user names.
  bool is_shared_by_name(std::string_view name) const;
  /// Private for what is in the file, one that no name decides.
  bool is_private_by_content(const ElfFile& file) const;

  /// Null: what is loaded for a library of this name is the library. Throws skein::Error saying what to do if
  /// it is another MPI's, which `user` needs, and nothing stands in for that.
  const StandIn* stand_in_for(std::string_view name, const std::string& user) const;
  /// Throws the same of a library that is an MPI by what it defines, whatever its name.
  void refuse_unknown_mpi(const ElfFile& library, const std::string& user) const;
  /// Skein's own stub of the MPI library, or another's of its ABI, which is not loaded.
  static bool is_own_mpi(std::string_view name);
  /// What stands in for MPIs that a file was built for, by the libraries that it needs. Skein's own is not
  /// among them where there is another: a program of that calls what Skein alone has.
  std::vector<const StandIn*> mpis_of(std::span<const std::string> needed) const;
  /// Whether it refers to functions of MPI, which only Skein's loader binds to Skein's.
  static bool calls_mpi(const ElfFile& file);

 private:
  [[noreturn]] void refuse(const std::string& mpi, const std::string& user) const;

  std::vector<std::string> private_names_, shared_names_;
  std::vector<StandIn> stand_ins_;
};

/// Two files of a process that were built for MPIs of which both define the same functions: throws
/// skein::Error if these differ.
void refuse_mixed(const std::string& user, const StandIn& mpi, const std::string& other_user,
                  const StandIn& other_mpi);
/// Whether `library` is what a user calls `given`.
bool is_called(std::string_view library, std::string_view given);
/// Whether the process has loaded it.
bool is_loaded(const std::string& name);

}  // namespace skein::image
