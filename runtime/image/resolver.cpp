// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/resolver.hpp"

#include <dlfcn.h>
#include <link.h>

#include "runtime/image/tls.hpp"

namespace skein::image {
namespace {

Resolution in_image(const Image& image, const Symbol& symbol) {
  if (symbol.absolute) return {Resolution::at_address, false, false, nullptr, symbol.value};
  return {Resolution::in_image, symbol.type == STT_TLS, symbol.type == STT_GNU_IFUNC, &image, symbol.value};
}

}  // namespace

Resolver::Resolver() {
  // l_addr of a shared library is the begin of its file, which dladdr() calls its base.
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* self) {
        static_cast<Resolver*>(self)->launcher_libraries_.insert(
            reinterpret_cast<const void*>(info->dlpi_addr));
        return 0;
      },
      this);
}

void Resolver::add_overrides(std::span<const libc::Override> overrides) {
  for (const libc::Override& o : overrides) overrides_.insert_or_assign(o.name, o.address);
}

Resolution Resolver::resolve(const Scope& scope, const Image& from, const Symbol& symbol) {
  const bool binds_here = symbol.binding == STB_LOCAL || symbol.visibility != STV_DEFAULT ||
                          (from.file.binds_to_itself && !from.file.is_executable);
  if (symbol.defined && binds_here) return in_image(from, symbol);
  for (const Image* image : scope)
    if (const Symbol* definition = image->file.find(symbol.name)) return in_image(*image, *definition);
  return resolve_beyond_images(symbol);
}

Resolution Resolver::resolve_copied(const Scope& scope, const Image& from, const Symbol& symbol) {
  for (const Image* image : scope)
    if (image != &from)
      if (const Symbol* definition = image->file.find(symbol.name)) return in_image(*image, *definition);
  return resolve_beyond_images(symbol);
}

Resolution Resolver::resolve_beyond_images(const Symbol& symbol) {
  const auto copy = copies_.find(symbol.name);
  if (copy != copies_.end()) return {Resolution::in_slot, false, false, nullptr, copy->second};
  std::string_view of_launcher = symbol.name;
  if (of_launcher.starts_with(kHerePrefix)) of_launcher.remove_prefix(kHerePrefix.size());
  if (const void* function = override_of(of_launcher))
    return {Resolution::at_address, false, false, nullptr, reinterpret_cast<std::uint64_t>(function)};
  const std::string name(symbol.name), version(symbol.version);
  // A missing symbol may come with a library that is loaded later.
  void*& address = found_[name + '@' + version];
  if (!address) {
    if (!version.empty()) address = dlvsym(RTLD_DEFAULT, name.c_str(), version.c_str());
    if (!address) address = dlsym(RTLD_DEFAULT, name.c_str());
    if (address && is_mpi_name(name) && is_launchers_own(address)) address = nullptr;
  }
  if (!address) return {};
  return {Resolution::at_address, symbol.type == STT_TLS, false, nullptr,
          reinterpret_cast<std::uint64_t>(address)};
}

const void* Resolver::override_of(std::string_view name) const {
  const auto found = overrides_.find(name);
  return found == overrides_.end() ? nullptr : found->second;
}

bool Resolver::is_launchers_own(const void* address) const {
  Dl_info info;
  if (!dladdr(address, &info)) return false;
  // The launcher itself starts at its first segment; the list has address 0 for it.
  Dl_info self;
  static const char here = 0;
  if (dladdr(&here, &self) && self.dli_fbase == info.dli_fbase) return true;
  return launcher_libraries_.contains(info.dli_fbase);
}

}  // namespace skein::image
