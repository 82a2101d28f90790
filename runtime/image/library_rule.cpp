// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/library_rule.hpp"

#include <dlfcn.h>

#include <algorithm>

#include "runtime/base/error.hpp"
#include "runtime/base/mpi_names.hpp"

namespace skein::image {
namespace {

// One process has one C library and one dynamic linker.
constexpr std::string_view of_process[] = {"libc.so.6",     "ld-linux-x86-64.so.2", "libpthread.so.0",
                                           "libdl.so.2",    "librt.so.1",           "libutil.so.1",
                                           "libresolv.so.2"};
constexpr std::string_view always_private[] = {"libgfortran", "libgomp"};
constexpr std::string_view own_mpi = "libmpi_abi.so";
constexpr std::string_view other_mpi[] = {
    "libmpi.so",    "libmpich",   "libmpi_mpifh",     "libmpi_usempi", "libmpi_cxx.so",
    "libmpicxx.so", "libmpifort", "libmpi_usempif08", "libmpigf.so",   "libmpi_intel.so"};

}  // namespace

bool is_called(std::string_view library, std::string_view given) {
  return library == given ||
         (library.starts_with(given) && (library.substr(given.size()).starts_with(".so") ||
                                         (given.ends_with(".so") && library[given.size()] == '.')));
}

bool is_loaded(const std::string& name) {
  void* handle = dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle) dlclose(handle);
  return handle != nullptr;
}

bool LibraryRule::is_listed(const std::string& name) const {
  const auto matches = [&](std::string_view given) { return is_called(name, given); };
  const bool listed =
      std::ranges::any_of(always_private, matches) || std::ranges::any_of(private_names_, matches);
  if (listed && is_of_process(name))
    throw Error("--private " + name + ": a process has one of it; leave it shared");
  return listed;
}

bool LibraryRule::is_of_process(std::string_view name) {
  return std::ranges::find(of_process, name) != std::end(of_process);
}

bool LibraryRule::is_own_mpi(std::string_view name) { return name.starts_with(own_mpi); }

void LibraryRule::refuse_other_mpi(const std::string& name, const std::string& user) {
  for (const std::string_view prefix : other_mpi)
    if (name.starts_with(prefix))
      throw Error(user + " is linked against " + name +
                  ", another MPI's library: compile and link it with skein cc, cxx or fc");
}

bool LibraryRule::calls_mpi(const ElfFile& file) {
  const auto is_mpi_call = [](const Symbol& s) { return !s.defined && is_mpi_name(s.name); };
  return std::ranges::any_of(file.needed, is_own_mpi) || std::ranges::any_of(file.symbols, is_mpi_call);
}

}  // namespace skein::image
