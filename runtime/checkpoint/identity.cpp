// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/identity.hpp"

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "runtime/base/texts.hpp"

namespace skein::checkpoint {
namespace {

/// Returns the build id from the notes of a segment, which follow one another: a header, a name, a
/// description, each padded to 4 bytes.
std::string build_id_in(const std::byte* note, const std::byte* end) {
  const auto padded = [](std::size_t bytes) { return (bytes + 3) & ~std::size_t{3}; };
  while (note + sizeof(Elf64_Nhdr) <= end) {
    Elf64_Nhdr header;
    memcpy(&header, note, sizeof header);
    const std::byte* const name = note + sizeof header;
    const std::byte* const id = name + padded(header.n_namesz);
    if (id + header.n_descsz > end) break;
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 && memcmp(name, "GNU", 4) == 0)
      return hex_text({id, header.n_descsz});
    note = id + padded(header.n_descsz);
  }
  return "";
}

int note_library(dl_phdr_info* info, std::size_t, void* list) {
  if (strncmp(info->dlpi_name, "linux-vdso", 10) == 0) return 0;
  Library library{info->dlpi_name, info->dlpi_addr, ""};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const Elf64_Phdr& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE || !library.build.empty()) continue;
    const auto* const begin = reinterpret_cast<const std::byte*>(info->dlpi_addr + segment.p_vaddr);
    library.build = build_id_in(begin, begin + segment.p_memsz);
  }
  static_cast<std::vector<Library>*>(list)->push_back(std::move(library));
  return 0;
}

std::string name_of(const Library& library) { return library.path.empty() ? "Skein itself" : library.path; }

std::string named(std::string_view what, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text.append(text.empty() ? "" : ", ").append(name);
  return std::string(what) + text;
}

/// Returns a sentence about the libraries that are in one list only, or have another build or address; empty
/// if there are none.
std::string other_libraries(const std::vector<Library>& saved, const std::vector<Library>& here) {
  std::vector<std::string> other, moved, missing, added;
  for (const Library& was : saved) {
    const auto is = std::ranges::find(here, was.path, &Library::path);
    if (is == here.end())
      missing.push_back(name_of(was));
    else if (is->build != was.build)
      other.push_back(name_of(was));
    else if (is->address != was.address)
      moved.push_back(name_of(was));
  }
  for (const Library& is : here)
    if (std::ranges::find(saved, is.path, &Library::path) == saved.end()) added.push_back(name_of(is));
  if (!other.empty())
    return named("other builds than then of ", other) + "; use the installation that wrote the checkpoint";
  if (!missing.empty())
    return named("libraries are not loaded that were then: ", missing) +
           "; set LD_LIBRARY_PATH, LD_PRELOAD, --private and --shared as then";
  if (!added.empty())
    return named("libraries are loaded that were not then: ", added) +
           "; set LD_LIBRARY_PATH, LD_PRELOAD, --private and --shared as then";
  if (!moved.empty())
    return named("libraries are at other addresses than then: ", moved) +
           "; the limit of the stack (ulimit -s) and the kernel say where they are placed";
  return "";
}

}  // namespace

std::vector<Library> libraries_here() {
  std::vector<Library> list;
  dl_iterate_phdr(note_library, &list);
  return list;
}

std::string difference(const Identity& saved, const Identity& here) {
  if (std::string text = other_libraries(saved.libraries, here.libraries); !text.empty()) return text;
  if (saved.program != here.program)
    return "another program, or another build of it or of its private libraries, than the one that was saved";
  if (saved.thread_pointer != here.thread_pointer || saved.addresses != here.addresses)
    return "libraries are the same, but not all addresses: the kernel places this process otherwise than the "
           "one that was saved";
  return "";
}

}  // namespace skein::checkpoint
