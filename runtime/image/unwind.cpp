// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/unwind.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdint>

#include "runtime/arena/arena.hpp"
#include "runtime/image/program.hpp"
#include "runtime/rank/rank.hpp"

namespace skein::image {
namespace {

using FindObject = int (*)(void*, dl_find_object*);
using ReportObject = int (*)(dl_phdr_info*, std::size_t, void*);

int find_in_slot(void* pc, dl_find_object* result) {
  const Program* program = current_program();
  if (!program) return -1;
  std::byte* const base = image_base(arena::slot_of(pc));
  const auto offset = static_cast<std::uint64_t>(static_cast<std::byte*>(pc) - base);
  for (const auto& image : program->images()) {
    const ElfFile& file = image->file;
    if (offset - image->offset - file.lowest >= file.span) continue;
    if (!file.eh_frame_header) return -1;
    std::byte* const begin = base + image->offset + file.lowest;
    *result = {};
    result->dlfo_map_start = begin;
    result->dlfo_map_end = begin + file.span;
    result->dlfo_eh_frame = base + image->offset + file.eh_frame_header;
    return 0;
  }
  return -1;
}

int iterate_objects(ReportObject report, void* data) {
  if (const int result = dl_iterate_phdr(report, data)) return result;
  const Rank* rank = current_rank();
  if (!rank) return 0;
  std::byte* const base = image_base(static_cast<std::size_t>(rank->id));
  for (const auto& image : current_program()->images()) {
    dl_phdr_info info = {};
    info.dlpi_addr = reinterpret_cast<Elf64_Addr>(base + image->offset);
    info.dlpi_name = image->file.path.c_str();
    info.dlpi_phdr = image->file.program_headers.data();
    info.dlpi_phnum = static_cast<Elf64_Half>(image->file.program_headers.size());
    if (const int result = report(&info, sizeof info, data)) return result;
  }
  return 0;
}

}  // namespace
}  // namespace skein::image

extern "C" __attribute__((visibility("default"))) int _dl_find_object(void* pc,
                                                                      dl_find_object* result) noexcept {
  using namespace skein;
  if (arena::in_arena(pc)) return image::find_in_slot(pc, result);
  static const auto next = reinterpret_cast<image::FindObject>(dlsym(RTLD_NEXT, "_dl_find_object"));
  return next(pc, result);
}

namespace skein::image {

std::span<const libc::Override> unwind_overrides() {
  static const libc::Override overrides[] = {{"_dl_find_object", libc::address_of(_dl_find_object)},
                                             {"dl_iterate_phdr", libc::address_of(iterate_objects)}};
  return overrides;
}

}  // namespace skein::image
