// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/debugger.hpp"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "runtime/base/clock.hpp"
#include "runtime/image/loaded_libraries.hpp"
#include "runtime/image/program.hpp"

namespace skein::image {
namespace {

/// A debugger that attaches stops the process and reads its symbols and the list, which takes longer than
/// this.
constexpr double kBetweenLooksS = 0.01;

struct ListedImages {
  r_debug_extended as_namespace;
  std::vector<link_map> link_maps;
  std::vector<std::size_t> slots;
  bool traced = false;  // at the last look
  double looked_at = -kBetweenLooksS;
};
ListedImages listed;

/// Finds the linker's list. &_r_debug does not serve: in an executable at a fixed address it is a copy that
/// the dynamic linker does not use.
r_debug_extended* find_linkers_list() {
  int major = 0, minor = 0;
  if (sscanf(gnu_get_libc_version(), "%d.%d", &major, &minor) != 2 || major * 1000 + minor < 2035)
    return nullptr;
  for (const Elf64_Dyn* d = _DYNAMIC; d->d_tag != DT_NULL; ++d)
    if (d->d_tag == DT_DEBUG) return reinterpret_cast<r_debug_extended*>(d->d_un.d_ptr);
  return nullptr;
}

r_debug_extended* linkers_list() {
  static r_debug_extended* const list = find_linkers_list();
  return list;
}

void join(r_debug_extended& first) {
  r_debug_extended* last = &first;
  for (; last->r_next; last = last->r_next)
    if (last->r_next == &listed.as_namespace) return;
  listed.as_namespace.base.r_version = 2;
  listed.as_namespace.base.r_brk = first.base.r_brk;
  listed.as_namespace.base.r_state = r_debug::RT_CONSISTENT;
  first.base.r_version = 2;
  last->r_next = &listed.as_namespace;
}

void add_entry(const ElfFile& file, std::byte* bias) {
  link_map& entry = listed.link_maps.emplace_back();
  entry.l_addr = reinterpret_cast<Elf64_Addr>(bias);
  entry.l_name = const_cast<char*>(file.path.c_str());  // link.h has no const
  entry.l_ld = reinterpret_cast<Elf64_Dyn*>(bias + file.dynamic);
}

void fill_entries(const Program& program) {
  listed.as_namespace.base.r_map = nullptr;
  listed.link_maps.clear();
  for (const std::size_t slot : listed.slots) {
    for (const auto& image : program.images()) add_entry(image->file, image_base(slot) + image->offset);
    const Rank& rank = rank_in_slot(static_cast<int>(slot));
    if (!rank.libraries) continue;
    for (const LoadedLibrary& library : rank.libraries->list)
      if (library.kind == LoadedLibrary::Kind::own) add_entry(file_of(library), library.bias());
  }
  for (std::size_t i = 1; i < listed.link_maps.size(); ++i) {
    listed.link_maps[i - 1].l_next = &listed.link_maps[i];
    listed.link_maps[i].l_prev = &listed.link_maps[i - 1];
  }
  listed.as_namespace.base.r_map = listed.link_maps.empty() ? nullptr : listed.link_maps.data();
}

bool look_for_tracer() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("TracerPid:")) return atoi(line.c_str() + sizeof "TracerPid:") != 0;
  return false;
}

/// Returns true if a debugger knows the list from before.
bool is_traced() {
  const double now = seconds();
  if (now - listed.looked_at < kBetweenLooksS) return listed.traced;
  listed.looked_at = now;
  return listed.traced = look_for_tracer();
}

/// Tells GDB of a change. GDB stops at probes inside the dynamic linker, which only the loading of a library
/// passes; libanl is part of every C library, empty, and used by nobody. Without probes GDB stops at the
/// function r_brk.
void tell(const r_debug_extended& first) {
  reinterpret_cast<void (*)()>(first.base.r_brk)();
  if (void* handle = dlopen("libanl.so.1", RTLD_NOW | RTLD_LOCAL)) dlclose(handle);
}

}  // namespace

void publish_to_debugger(std::span<const std::size_t> slots) {
  listed.slots.assign(slots.begin(), slots.end());
  publish_to_debugger_again();
}

void publish_to_debugger_again() {
  r_debug_extended* const first = linkers_list();
  const Program* const program = current_program();
  if (!first || !program) return;
  fill_entries(*program);
  join(*first);
  if (is_traced()) tell(*first);
}

}  // namespace skein::image
