// SPDX-License-Identifier: Apache-2.0
// The list of a rank's libraries: its entries, how they leave memory, how they move.
#include "runtime/image/loaded_libraries.hpp"

#include <dlfcn.h>
#include <sys/stat.h>

#include <algorithm>
#include <ranges>

#include "runtime/arena/arena.hpp"
#include "runtime/base/check.hpp"
#include "runtime/base/error.hpp"
#include "runtime/image/debugger.hpp"
#include "runtime/image/library_files.hpp"
#include "runtime/image/library_links.hpp"
#include "runtime/image/slot_image.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/process.hpp"

namespace skein::image {
namespace {

using Kind = LoadedLibrary::Kind;

void add_image(Rank& rank, LoadedLibraries& libraries, const Image& image) {
  const ElfFile& file = image.file;
  std::byte* const bias = image_base(rank) + image.offset;
  LoadedLibrary& library = libraries.list.emplace_back(&rank.memory);
  library.kind = Kind::image;
  library.global = library.stays = library.constructed = true;
  library.path = file.path;
  library.names.emplace_back(file.soname);
  library.names.emplace_back(file.path.substr(file.path.rfind('/') + 1));
  library.digest = file.digest();
  library.begin = bias + file.lowest;
  library.bytes = file.span;
  library.map.l_addr = reinterpret_cast<Elf64_Addr>(bias);
  library.map.l_ld = reinterpret_cast<Elf64_Dyn*>(bias + file.dynamic);
}

/// Returns true if a destructor of a thread-local variable is still to come.
bool is_waited_for(const Rank& rank, const LoadedLibrary& library) {
  return rank.process &&
         std::ranges::any_of(rank.process->thread_exit_handlers, [&](const libc::ExitHandler& handler) {
           return library.holds(handler.function);
         });
}

void mark_needed(LoadedLibraries& libraries, LoadedLibrary& library) {
  if (!library.leaves) return;
  library.leaves = false;
  for (const std::string& name : needed_by(library))
    if (LoadedLibrary* needed = find_by_name(libraries, name)) mark_needed(libraries, *needed);
}

void map_anew(LoadedLibrary& library, const Rank& rank) {
  const std::shared_ptr<ElfFile> file = read_library_file(std::string(library.path));
  if (file->digest() != library.digest)
    throw Error(
        format("rank %d has loaded %s, which is another file here: use one file system, or load it "
               "where ranks do not move any more",
               rank.id, library.path.c_str()));
  check_unchanged(*file);
  map_text(*file, library.bias(), "rank " + std::to_string(rank.id));
  use_library_file(file);
}

void unmap(const LoadedLibrary& library) {
  const ElfFile& file = file_of(library);
  unseal(file, library.bias());
  for (const TextRun& run : file.text) arena::unmap_file({library.bias() + run.address, run.bytes});
  release_library_file(library.path, library.digest);
}

}  // namespace

LoadedLibraries& libraries_of(Rank& rank) {
  if (!rank.libraries) {
    rank.libraries =
        std::pmr::polymorphic_allocator<>(&rank.memory).new_object<LoadedLibraries>(&rank.memory);
    for (const auto& image : current_program()->images()) add_image(rank, *rank.libraries, *image);
    join_maps(*rank.libraries);
  }
  return *rank.libraries;
}

LoadedLibrary* find_library(Rank& rank, const void* handle) {
  for (LoadedLibrary& library : libraries_of(rank).list)
    if (&library.map == handle) return &library;
  return nullptr;
}

LoadedLibrary* library_at(const Rank& rank, const void* address) {
  if (rank.magic != Rank::expected_magic || !rank.libraries) return nullptr;
  for (LoadedLibrary& library : rank.libraries->list)
    if (library.kind != Kind::of_process && library.holds(address)) return &library;
  return nullptr;
}

const ElfFile& file_of(const LoadedLibrary& library) {
  if (library.kind == Kind::image) {
    for (const auto& image : current_program()->images())
      if (std::string_view(image->file.path) == library.path) return image->file;
  } else if (const ElfFile* file = find_library_file(library.path, library.digest)) {
    return *file;
  }
  SKEIN_CHECK(false, "this PE has no file of %s", library.path.c_str());
  __builtin_unreachable();
}

LoadedLibrary* find_by_name(LoadedLibraries& libraries, std::string_view name) {
  const auto is_named = [&](const LoadedLibrary& library) {
    return std::ranges::any_of(library.names, [&](const auto& known) { return known == name; });
  };
  const auto found = std::ranges::find_if(libraries.list, is_named);
  return found == libraries.list.end() ? nullptr : &*found;
}

std::span<const std::string> needed_by(const LoadedLibrary& library) {
  if (library.kind == Kind::of_process) return {};
  return file_of(library).needed;
}

void join_maps(LoadedLibraries& libraries) {
  link_map* previous = nullptr;
  for (LoadedLibrary& library : libraries.list) {
    library.map.l_name = library.path.data();
    library.map.l_prev = previous;
    library.map.l_next = nullptr;
    if (previous) previous->l_next = &library.map;
    previous = &library.map;
  }
}

void drop_library(Rank& rank, LoadedLibrary& library) {
  if (library.process_handle) {
    libc::detach_handle(rank, library.process_handle);
    dlclose(library.process_handle);
    current_program()->resolver().forget_found();
  }
  if (library.block) {
    unmap(library);
    rank.heap.release(library.block);
  }
  rank.libraries->list.remove_if([&](const LoadedLibrary& each) { return &each == &library; });
}

void close_library(Rank& rank, LoadedLibrary& library) {
  LoadedLibraries& libraries = libraries_of(rank);
  if (library.references > 0) --library.references;
  for (LoadedLibrary& each : libraries.list) each.leaves = !each.destroyed;
  for (LoadedLibrary& each : libraries.list)
    if (each.stays || each.references > 0 || !each.constructed || is_waited_for(rank, each))
      mark_needed(libraries, each);
}

void unload_libraries(Rank& rank) {
  LoadedLibraries& libraries = libraries_of(rank);
  for (bool again = true; again;) {
    const auto due = std::ranges::find_if(libraries.list, [](const LoadedLibrary& each) {
      return each.leaves && (each.destroyed || each.kind == Kind::of_process);
    });
    again = due != libraries.list.end();
    if (again) drop_library(rank, *due);
  }
  join_maps(libraries);
  publish_to_debugger_again();
}

void construct_libraries(Rank& rank) {
  // Searches again after each: the list lies in the slot, but a constructor may load more.
  for (;;) {
    auto& list = libraries_of(rank).list;
    const auto due = std::ranges::find_if(list, [](const LoadedLibrary& each) { return !each.constructed; });
    if (due == list.end()) return;
    due->constructed = true;
    construct(rank, due->functions);
  }
}

void destroy_libraries(Rank& rank, bool all) {
  if (!rank.libraries) return;
  for (;;) {
    auto& list = rank.libraries->list;
    const auto is_due = [&](const LoadedLibrary& each) {
      return each.kind == Kind::own && each.constructed && !each.destroyed && (each.leaves || all);
    };
    const auto last = std::ranges::find_if(list | std::views::reverse, is_due);
    if (last == list.rend()) return;
    last->destroyed = true;
    destroy(last->functions);
  }
}

void leave_libraries(Rank& rank) {
  if (!rank.libraries) return;
  for (const LoadedLibrary& library : rank.libraries->list)
    if (library.kind == Kind::own) unmap(library);
}

void arrive_with_libraries(Rank& rank, bool other_processor) {
  if (!rank.libraries) return;
  for (LoadedLibrary& library : rank.libraries->list)
    if (library.kind == Kind::own) map_anew(library, rank);
  if (other_processor) bind_by_processor(link_again(rank), image_base(rank));
  for (const LoadedLibrary& library : rank.libraries->list)
    if (library.kind == Kind::own) seal(file_of(library), library.bias());
}

const char* pinned_by_library(const Rank& rank) {
  if (!rank.libraries) return nullptr;
  for (const LoadedLibrary& library : rank.libraries->list) {
    struct stat now;
    if (library.kind == Kind::own && (fstat(file_of(library).descriptor(), &now) != 0 || now.st_nlink == 0))
      return "it has loaded a library whose file was removed or replaced since";
  }
  return nullptr;
}

bool locate_in_libraries(const void* address, CodePlace& place) {
  if (!arena::in_arena(address)) return false;
  const LoadedLibrary* const library =
      library_at(rank_in_slot(static_cast<int>(arena::slot_of(address))), address);
  if (!library || library->kind != Kind::own) return false;
  describe(file_of(*library),
           static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - library->bias()), place);
  return true;
}

bool in_mapped_library(const std::byte* begin, std::size_t bytes) {
  const Rank& rank = rank_in_slot(static_cast<int>(arena::slot_of(begin)));
  if (rank.magic != Rank::expected_magic || !rank.libraries) return false;
  for (const LoadedLibrary& library : rank.libraries->list)
    if (library.kind == Kind::own)
      for (const TextRun& run : file_of(library).text) {
        const std::byte* const text = library.bias() + run.address;
        if (begin < text + run.bytes && text < begin + bytes) return true;
      }
  return false;
}

}  // namespace skein::image
