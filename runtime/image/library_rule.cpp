// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/library_rule.hpp"

#include <dlfcn.h>

#include <algorithm>

#include "runtime/base/error.hpp"
#include "runtime/image/resolver.hpp"

namespace skein::image {
namespace {

/// One process has one C library and one dynamic linker.
constexpr std::string_view kCLibrary[] = {"libc.so.6",      "ld-linux-x86-64.so.2", "libpthread.so.0",
                                          "libdl.so.2",     "librt.so.1",           "libutil.so.1",
                                          "libresolv.so.2", "libanl.so.1"};
/// Libraries whose state is about the process, or a cache without data of their callers: the rest of the C
/// and C++ runtimes, of whose important variables ranks have copies (cxx_library.hpp); drivers of devices;
/// and libraries for networks, with all that they need, which ranks' libraries load by the dozen and seldom
/// use.
constexpr std::string_view kOfProcess[] = {
    "libm.so.6",      "libmvec.so.1", "libgcc_s",    "libstdc++",      "libc++",           "libc++abi",
    "libunwind",      "libatomic",    "libquadmath", "libcuda",        "libcudart",        "libnvrtc",
    "libnvidia-ml",   "libamdhip64",  "libOpenCL",   "libze_loader",   "libhsa-runtime64", "libcurl",
    "libcurl-gnutls", "libssl",       "libcrypto",   "libgnutls",      "libnettle",        "libhogweed",
    "libp11-kit",     "libtasn1",     "libidn2",     "libunistring",   "libpsl",           "librtmp",
    "libssh2",        "libssh",       "libnghttp2",  "libgssapi_krb5", "libkrb5",          "libk5crypto",
    "libkrb5support", "libcom_err",   "libkeyutils", "libldap-2.5",    "liblber-2.5",      "libldap",
    "liblber",        "libsasl2"};
constexpr std::string_view kAlwaysPrivate[] = {"libgfortran", "libgomp"};
constexpr std::string_view kOwnMpi = "libmpi_abi.so";
const StandIn own_mpi{"the standard ABI", "libmpi_abi.so.0", {}};
constexpr std::string_view kOtherMpi[] = {
    "libmpi.so",    "libmpich",   "libmpi_mpifh",     "libmpi_usempi", "libmpi_cxx.so",
    "libmpicxx.so", "libmpifort", "libmpi_usempif08", "libmpigf.so",   "libmpi_intel.so"};

bool is_any(std::string_view library, const auto& given) {
  return std::ranges::any_of(given, [&](std::string_view name) { return is_called(library, name); });
}

}  // namespace

bool is_called(std::string_view library, std::string_view given) {
  library.remove_prefix(library.rfind('/') + 1);  // a library without DT_SONAME is needed by its path
  return library == given ||
         (library.starts_with(given) && (library.substr(given.size()).starts_with(".so") ||
                                         (given.ends_with(".so") && library[given.size()] == '.')));
}

void refuse_mixed(const std::string& user, const StandIn& mpi, const std::string& other_user,
                  const StandIn& other_mpi) {
  if (mpi.mpi == other_mpi.mpi) return;
  throw Error(user + " was built for " + mpi.mpi + " (" + mpi.name + ") and " + other_user + " for " +
              other_mpi.mpi + " (" + other_mpi.name +
              "): a program has one MPI; build or install both for the same");
}

bool is_loaded(const std::string& name) {
  void* handle = dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle) dlclose(handle);
  return handle != nullptr;
}

LibraryRule::LibraryRule(std::vector<std::string> private_names, std::vector<std::string> shared_names,
                         std::vector<StandIn> stand_ins)
    : private_names_(std::move(private_names)),
      shared_names_(std::move(shared_names)),
      stand_ins_(std::move(stand_ins)) {
  for (const std::string& name : private_names_) {
    if (std::ranges::any_of(kCLibrary, [&](std::string_view one) { return is_called(one, name); }))
      throw Error("--private " + name + ": a process has one of it; leave it shared");
    if (std::ranges::find(shared_names_, name) != shared_names_.end())
      throw Error("--private " + name + " and --shared " + name + ": a library is one or the other");
  }
}

bool LibraryRule::is_private_by_name(std::string_view name) const {
  if (is_any(name, private_names_)) return true;
  return is_any(name, kAlwaysPrivate) && !is_any(name, shared_names_);
}

bool LibraryRule::is_shared_by_name(std::string_view name) const {
  if (std::ranges::find(kCLibrary, name) != std::end(kCLibrary) || is_any(name, shared_names_)) return true;
  return is_any(name, kOfProcess) && !is_any(name, private_names_);
}

bool LibraryRule::is_private_by_content(const ElfFile& file) const {
  return file.keeps_state || calls_mpi(file);
}

const StandIn* LibraryRule::stand_in_for(std::string_view name, const std::string& user) const {
  name.remove_prefix(name.rfind('/') + 1);
  const auto found = std::ranges::find(stand_ins_, name, &StandIn::name);
  const bool known = found != stand_ins_.end();
  if (known && found->is_built) return found->path.empty() ? nullptr : &*found;
  if (!known && std::ranges::none_of(kOtherMpi, [&](auto prefix) { return name.starts_with(prefix); }))
    return nullptr;
  if (!known) refuse(std::string(name), user);
  throw Error(user + " is linked against " + std::string(name) + ", another MPI's library (" + found->mpi +
              "'s), whose mpi.h was not there when Skein was built: install that and build Skein again, or " +
              "compile and link it with skein cc, cxx or fc");
}

void LibraryRule::refuse_unknown_mpi(const ElfFile& library, const std::string& user) const {
  if (library.find("PMPI_Init")) refuse(library.path, user);  // tools define MPI_Init() alone
}

void LibraryRule::refuse(const std::string& mpi, const std::string& user) const {
  std::string names;
  for (const StandIn& stand_in : stand_ins_)
    if (stand_in.is_built) names += (names.empty() ? " (it has for " : ", ") + stand_in.name;
  throw Error(user + " is linked against " + mpi +
              ", another MPI's library, which Skein has no stand-in for" + names +
              (names.empty() ? "" : ")") + ": compile and link it with skein cc, cxx or fc");
}

bool LibraryRule::is_own_mpi(std::string_view name) { return name.starts_with(kOwnMpi); }

std::vector<const StandIn*> LibraryRule::mpis_of(std::span<const std::string> needed) const {
  std::vector<const StandIn*> found;
  for (const StandIn& stand_in : stand_ins_)
    if (std::ranges::find(needed, stand_in.name) != needed.end()) found.push_back(&stand_in);
  if (found.empty() && std::ranges::any_of(needed, is_own_mpi)) found.push_back(&own_mpi);
  return found;
}

bool LibraryRule::calls_mpi(const ElfFile& file) {
  const auto is_mpi_call = [](const Symbol& s) { return !s.defined && is_mpi_name(s.name); };
  return std::ranges::any_of(file.needed, is_own_mpi) || std::ranges::any_of(file.symbols, is_mpi_call);
}

}  // namespace skein::image
