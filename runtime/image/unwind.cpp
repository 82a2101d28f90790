// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/unwind.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdint>

#include "runtime/arena/arena.hpp"
#include "runtime/fiber/thread_block.hpp"
#include "runtime/image/loaded_libraries.hpp"
#include "runtime/image/program.hpp"
#include "runtime/rank/rank.hpp"

namespace skein::image {
namespace {

using FindObject = int (*)(void*, dl_find_object*);
using ReportObject = int (*)(dl_phdr_info*, std::size_t, void*);

FindObject look_up_next() { return reinterpret_cast<FindObject>(dlsym(RTLD_NEXT, "_dl_find_object")); }
const FindObject next_find_object = look_up_next();

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
  const Rank& rank = rank_in_slot(static_cast<int>(arena::slot_of(pc)));
  const LoadedLibrary* const library = library_at(rank, pc);
  if (!library || !library->eh_frame_header) return -1;
  *result = {};
  result->dlfo_map_start = library->begin;
  result->dlfo_map_end = library->begin + library->bytes;
  result->dlfo_eh_frame = library->bias() + library->eh_frame_header;
  return 0;
}

int report_file(const ElfFile& file, std::byte* bias, const char* name, void* tls, ReportObject report,
                void* data) {
  dl_phdr_info info = {};
  info.dlpi_addr = reinterpret_cast<Elf64_Addr>(bias);
  info.dlpi_name = name;
  info.dlpi_phdr = file.program_headers.data();
  info.dlpi_phnum = static_cast<Elf64_Half>(file.program_headers.size());
  info.dlpi_tls_data = tls;
  return report(&info, sizeof info, data);
}

struct OfProcess {
  ReportObject report;
  void* data;
};

/// Reports an object of the process. The dynamic linker gives the launcher, its program, no name; to the rank
/// it is a library like others.
int report_of_process(dl_phdr_info* info, std::size_t bytes, void* argument) {
  const auto& caller = *static_cast<OfProcess*>(argument);
  dl_phdr_info named = *info;
  if (!named.dlpi_name || !*named.dlpi_name) named.dlpi_name = "skein";
  return caller.report(&named, bytes, caller.data);
}

/// Lists objects as the dynamic linker does: the program first, without a name, then its libraries.
int iterate_objects(ReportObject report, void* data) {
  Rank* const rank = current_rank();
  if (rank) {
    std::byte* const base = image_base(*rank);
    for (const auto& image : current_program()->images()) {
      const bool is_program = image == current_program()->images().front();
      std::byte* const tls = image->tls.kind == TlsPlace::in_slot ? base + image->tls.offset
                             : image->tls.kind == TlsPlace::below_thread_pointer
                                 ? fiber::thread_pointer() - image->tls.distance
                                 : nullptr;
      if (const int result = report_file(image->file, base + image->offset,
                                         is_program ? "" : image->file.path.c_str(), tls, report, data))
        return result;
    }
    if (rank->libraries)
      for (const LoadedLibrary& library : rank->libraries->list)
        if (library.kind == LoadedLibrary::Kind::own)
          if (const int result = report_file(file_of(library), library.bias(), library.path.c_str(),
                                             library.tls, report, data))
            return result;
  }
  OfProcess of_process{report, data};
  return dl_iterate_phdr(report_of_process, &of_process);
}

}  // namespace
}  // namespace skein::image

extern "C" __attribute__((visibility("default"))) int _dl_find_object(void* pc,
                                                                      dl_find_object* result) noexcept {
  using namespace skein;
  if (arena::in_arena(pc)) return image::find_in_slot(pc, result);
  // Handlers of faults call this, so it was looked up at start; but exceptions may come earlier.
  const auto next = image::next_find_object ? image::next_find_object : image::look_up_next();
  return next(pc, result);
}

namespace skein::image {

std::span<const libc::Override> unwind_overrides() {
  static const libc::Override overrides[] = {{"_dl_find_object", libc::address_of(_dl_find_object)},
                                             {"dl_iterate_phdr", libc::address_of(iterate_objects)}};
  return overrides;
}

}  // namespace skein::image
