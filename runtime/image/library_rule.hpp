// SPDX-License-Identifier: Apache-2.0
// Which libraries each rank has a copy of, and which are the process's, as far as a library by itself tells
// (those that need a private one are private, too: library_set.hpp, library_links_open.cpp).
//
// A library that all ranks of a process share must not keep anything for its caller in variables of its own:
// ranks would read each other's, and what it allocated for one rank lies in that rank's slot. Its file tells:
// has it writable variables? So a library is private unless its file has none, it is known to belong to the
// process, or the user says otherwise.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/image/elf_file.hpp"

namespace skein::image {

/// The library that a rank has in place of one that programs need: another MPI's, whose calls it turns into
/// Skein's (runtime/foreign/).
struct StandIn {
  std::string mpi;   ///< the MPI to which the replaced library belongs
  std::string name;  ///< of the replaced library, as in DT_NEEDED
  std::string path;  ///< of what is loaded, privately; empty: the library itself, on another stand-in
  bool is_built = true;
};

class LibraryRule {
 public:
  /// Names as the user gives them: "libfoo.so.2", "libfoo.so" or "libfoo". Throws skein::Error if one is both
  /// private and shared, or if it should be private and a process can have only one.
  LibraryRule(std::vector<std::string> private_names, std::vector<std::string> shared_names,
              std::vector<StandIn> stand_ins = {});

  const std::vector<std::string>& private_names() const { return private_names_; }

  /// Returns true if the library is private because the user says so, or in any case.
  bool is_private_by_name(std::string_view name) const;
  /// Returns true if the process shares the library: the C library, others of which a process has one, and
  /// those that the user names.
  bool is_shared_by_name(std::string_view name) const;
  /// Returns true if a library for which no name decides is private by the contents of its file.
  bool is_private_by_content(const ElfFile& file) const;

  /// Returns the stand-in for a library of this name; null: the library itself is loaded. Throws skein::Error
  /// saying what to do if it is another MPI's, which `user` needs, and has no stand-in.
  const StandIn* stand_in_for(std::string_view name, const std::string& user) const;
  /// Throws the error of stand_in_for() if the library is an MPI by what it defines, whatever its name.
  void refuse_unknown_mpi(const ElfFile& library, const std::string& user) const;
  /// Returns true for Skein's own stub of the MPI library, or another's of its ABI, which is not loaded.
  static bool is_own_mpi(std::string_view name);
  /// Returns the stand-ins for the MPIs that a file was built for, by the libraries that it needs. Omits
  /// Skein's own if there is another: a program of that MPI calls what Skein alone has.
  std::vector<const StandIn*> mpis_of(std::span<const std::string> needed) const;
  /// Returns true if the file refers to functions of MPI, which only Skein's loader binds to Skein's.
  static bool calls_mpi(const ElfFile& file);

 private:
  [[noreturn]] void refuse(const std::string& mpi, const std::string& user) const;

  std::vector<std::string> private_names_, shared_names_;
  std::vector<StandIn> stand_ins_;
};

/// Throws skein::Error if two files of a process were built for different MPIs that define the same
/// functions.
void refuse_mixed(const std::string& user, const StandIn& mpi, const std::string& other_user,
                  const StandIn& other_mpi);
/// Returns true if `library` is what a user calls `given`.
bool is_called(std::string_view library, std::string_view given);
/// Returns true if the process has loaded the library.
bool is_loaded(const std::string& name);

}  // namespace skein::image
