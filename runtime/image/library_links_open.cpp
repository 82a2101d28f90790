// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <algorithm>
#include <cstring>

#include "runtime/arena/arena.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/texts.hpp"
#include "runtime/fiber/thread_block.hpp"
#include "runtime/image/debugger.hpp"
#include "runtime/image/elf_file.hpp"
#include "runtime/image/library_files.hpp"
#include "runtime/image/library_links.hpp"
#include "runtime/image/library_path.hpp"
#include "runtime/image/linker.hpp"
#include "runtime/image/slot_image.hpp"
#include "runtime/image/tls.hpp"
#include "runtime/libc/file_table.hpp"

namespace skein::image {
namespace {

using Kind = LoadedLibrary::Kind;

/// One dlopen(): what it adds is removed again if it fails.
class Opening {
 public:
  explicit Opening(Rank& rank) : rank_(rank), libraries_(libraries_of(rank)) {}
  ~Opening() {
    if (!done_)
      for (auto library = added_.rbegin(); library != added_.rend(); ++library)
        drop_library(rank_, **library);
    join_maps(libraries_);
  }
  Opening(const Opening&) = delete;
  Opening& operator=(const Opening&) = delete;

  LoadedLibrary& open(const std::string& name, const void* caller) {
    std::vector<const ElfFile*> chain{&program_.images().front()->file};
    const LoadedLibrary* const user = library_at(rank_, caller);
    if (user && user->kind == Kind::own) chain.push_back(&file_of(*user));
    LoadedLibrary& root = *add(name, chain);
    link(root);
    done_ = true;
    return root;
  }

 private:
  /// Adds a library. Returns null for one that is being added: it needs itself, through others.
  LoadedLibrary* add(const std::string& name, const std::vector<const ElfFile*>& chain) {
    if (LoadedLibrary* known = find_by_name(libraries_, name)) return known;
    if (std::ranges::find(under_way_, name) != under_way_.end()) return nullptr;
    if (LibraryRule::is_own_mpi(name)) return &add_of_process(name, nullptr);
    const LibraryRule& rule = program_.rule();
    const StandIn* const stand_in = rule.stand_in_for(name, chain.back()->path);
    const bool shared = rule.is_shared_by_name(name), loaded = !stand_in && is_loaded(name);
    const std::string path = stand_in ? stand_in->path : search_path().find(name, chain);
    if (loaded && (shared || path.empty())) return &add_of_process(name, dlopen(name.c_str(), RTLD_LAZY));
    if (path.empty()) throw Error(name + ": cannot open shared object file: No such file or directory");
    const std::shared_ptr<ElfFile> file = read_library_file(path);
    refuse_sanitizers(*file);
    if (shared && LibraryRule::calls_mpi(*file))
      throw Error("--shared " + name + ": it calls MPI, so each rank needs its own");
    if (shared || (loaded && !rule.is_private_by_name(name) && !rule.is_private_by_content(*file))) {
      void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
      if (!handle) throw Error(dlerror());
      return &add_of_process(name, handle);
    }
    for (LoadedLibrary& library : libraries_.list)
      if (library.digest == file->digest() && std::string_view(library.path) == file->path) {
        library.names.emplace_back(name);
        return &library;
      }
    if (!stand_in) rule.refuse_unknown_mpi(*file, chain.back()->path);
    refuse_another_mpi(*file);
    under_way_.push_back(name);
    add_on_demand(*file);
    std::vector<const ElfFile*> longer = chain;
    longer.push_back(file.get());
    for (const std::string& needed : file->needed) add(needed, longer);
    LoadedLibrary& library = place(file);
    library.names.emplace_back(name);
    return &library;
  }

  void refuse_another_mpi(const ElfFile& file) const {
    const LibraryRule& rule = program_.rule();
    for (const StandIn* mpi : rule.mpis_of(file.needed))
      for (const LoadedLibrary& library : libraries_.list)
        for (const StandIn* other : rule.mpis_of(needed_by(library)))
          refuse_mixed(file.path, *mpi, std::string(library.path), *other);
  }

  /// Appends a library. Its names are listed first, so that those that need it find it.
  LoadedLibrary& append(const std::string& path) {
    LoadedLibrary& library = libraries_.list.emplace_back(&rank_.memory);
    added_.push_back(&library);
    library.path = path;
    return library;
  }

  LoadedLibrary& add_of_process(const std::string& name, void* handle) {
    LoadedLibrary& library = append(name);
    library.names.emplace_back(name);
    library.constructed = true;
    const link_map* const map = static_cast<const link_map*>(handle);
    if (!map) return library;
    library.map.l_addr = map->l_addr;
    library.map.l_ld = map->l_ld;
    library.path = map->l_name;
    if (program_.was_there_at_start(reinterpret_cast<const void*>(map->l_addr))) {
      dlclose(handle);
      return library;
    }
    library.process_handle = handle;
    libc::attach_handle(rank_, handle, "it has loaded a library of the process with dlopen()");
    return library;
  }

  /// Adds, for the first file that refers to them, the library with the rank's copies of the C library's
  /// variables, and libraries that precede others.
  void add_on_demand(const ElfFile& file) {
    for (const LibraryOnDemand& library : program_.on_demand())
      if (file.path != library.path && refers_to_any(file, library.symbols)) {
        const std::vector<const ElfFile*> chain{&program_.images().front()->file};
        LoadedLibrary* const added = add(library.path, chain);
        if (added && !added->global) {
          added->global = added->stays = true;
          added->in_front = library.in_front;
          if (library.in_front) move_to_front(*added);
        }
      }
  }

  /// Moves the library to the front, behind the program.
  void move_to_front(const LoadedLibrary& library) {
    auto& list = libraries_.list;
    list.splice(std::next(list.begin()), list,
                std::ranges::find_if(list, [&](const LoadedLibrary& each) { return &each == &library; }));
  }

  /// Returns true if a library in front of this one has found its functions for good.
  bool is_behind_front(const ElfFile& file) const {
    return std::ranges::any_of(program_.on_demand(), [&](const LibraryOnDemand& library) {
      return library.in_front && std::ranges::any_of(library.symbols, [&](std::string_view name) {
               return file.find(name) != nullptr;
             });
    });
  }

  LoadedLibrary& place(const std::shared_ptr<ElfFile>& file) {
    const TlsSegment& tls = file->tls;
    const std::uint64_t mask = file->alignment - 1;
    // Addresses are congruent to those in the file.
    const std::uint64_t before = file->lowest & mask;
    const std::uint64_t tls_at =
        file->span + ((tls.address - file->lowest - file->span) & (tls.alignment - 1));
    const std::uint64_t bytes = before + tls_at + tls.bytes;
    void* const block = rank_.heap.allocate_aligned(file->alignment, bytes);
    if (!block)
      throw Error(format("%s: its slot has no room for %s more: raise --slot-size", file->path.c_str(),
                         size_text(bytes).c_str()));
    LoadedLibrary& library = append(file->path);
    library.kind = Kind::own;
    library.block = static_cast<std::byte*>(block);
    library.begin = library.block + before;
    library.bytes = file->span;
    std::byte* const bias = library.begin - file->lowest;
    library.tls = tls.bytes ? library.begin + tls_at : nullptr;
    library.map.l_addr = reinterpret_cast<Elf64_Addr>(bias);
    library.map.l_ld = reinterpret_cast<Elf64_Dyn*>(bias + file->dynamic);
    library.names.emplace_back(file->soname);
    library.digest = file->digest();
    library.stays = is_behind_front(*file);
    library.eh_frame_header = file->eh_frame_header;
    library.functions = functions_of(*file, bias);
    use_library_file(file);
    for (const DataRun& run : file->data) memset(bias + run.address, 0, run.bytes);
    if (tls.bytes) memset(library.tls, 0, tls.bytes);
    check_unchanged(*file);
    map_text(*file, bias, "rank " + std::to_string(rank_.id));
    return library;
  }

  void link(LoadedLibrary& root) {
    place_static_tls();
    const LibraryImages images(rank_);
    std::vector<LoadedLibrary*> scope_of_all, made;
    for (LoadedLibrary& library : libraries_.list)
      if (library.global) scope_of_all.push_back(&library);
    for (LoadedLibrary* library : group_of(libraries_, root)) scope_of_all.push_back(library);
    std::ranges::copy_if(added_, std::back_inserter(made),
                         [](auto* each) { return each->kind == Kind::own; });
    const Resolver::Scope to_link = images.of(made), scope = images.of(scope_of_all);
    const SlotTemplate linked = link_images(to_link, scope, program_.resolver());
    std::byte* const base = image_base(rank_);
    fill(linked, base);
    for (const LoadedLibrary* library : made) {
      const TlsSegment& tls = file_of(*library).tls;
      if (library->tls_distance) memset(library->tls_place(), 0, tls.bytes);
      if (tls.file_bytes) memcpy(library->tls_place(), library->bias() + tls.address, tls.file_bytes);
    }
    resolve_ifuncs(linked, base);
    for (const LoadedLibrary* library : made) seal(file_of(*library), library->bias());
  }

  /// Places thread-local variables below the thread pointer. All ranks of the process have equal room there;
  /// in its spare part each rank has what it has loaded, and the running rank has it in force.
  void place_static_tls() {
    std::vector<LoadedLibrary*> made;
    std::ranges::copy_if(added_, std::back_inserter(made),
                         [](auto* each) { return each->kind == Kind::own; });
    const LibraryImages images(rank_);
    const std::vector<bool> is_static = find_static_tls(images.of(made), program_.resolver());
    std::uint64_t taken = program_.tls_begin_of_spare();
    for (const LoadedLibrary& library : libraries_.list) taken = std::max(taken, library.tls_distance);
    for (std::size_t i = 0; i < made.size(); ++i) {
      const TlsSegment& tls = file_of(*made[i]).tls;
      if (!is_static[i] || !tls.bytes) continue;
      taken = next_tls_distance(tls, taken);
      if (taken > program_.tls_bytes() || tls.alignment > fiber::kThreadPointerAlignment)
        throw Error(
            format("%s: its thread-local data is for libraries that are there at the start (initial-exec), "
                   "and %zu bytes for those that come later are too few: link it to the program, or build it "
                   "without -ftls-model",
                   file_of(*made[i]).path.c_str(), kSpareTlsBytes));
      made[i]->tls_distance = taken;
    }
  }

  static const LibraryPath& search_path() {
    static const LibraryPath path;
    return path;
  }

  Program& program_ = *current_program();
  Rank& rank_;
  LoadedLibraries& libraries_;
  std::vector<LoadedLibrary*> added_;
  std::vector<std::string> under_way_;
  bool done_ = false;
};

}  // namespace

std::vector<LoadedLibrary*> group_of(LoadedLibraries& libraries, LoadedLibrary& root) {
  std::vector<LoadedLibrary*> group{&root};
  for (std::size_t i = 0; i < group.size(); ++i)
    for (const std::string& name : needed_by(*group[i])) {
      LoadedLibrary* const needed = find_by_name(libraries, name);
      if (needed && std::ranges::find(group, needed) == group.end()) group.push_back(needed);
    }
  return group;
}

LibraryImages::LibraryImages(Rank& rank) {
  for (LoadedLibrary& library : libraries_of(rank).list) {
    if (library.kind == Kind::image)
      for (const auto& image : current_program()->images())
        if (&image->file == &file_of(library)) images_[&library] = image.get();
    if (library.kind != Kind::own) continue;
    std::byte* const base = image_base(rank);
    Image& image = own_.emplace_back(read_library_file(std::string(library.path)));
    image.offset = static_cast<std::uint64_t>(library.bias() - base);
    if (library.tls_distance)
      image.tls = {TlsPlace::below_thread_pointer, 0, library.tls_distance};
    else if (library.tls)
      image.tls = {TlsPlace::in_slot, static_cast<std::uint64_t>(library.tls - base), 0};
    images_[&library] = &image;
  }
}

const Image* LibraryImages::of(const LoadedLibrary& library) const {
  const auto found = images_.find(&library);
  return found == images_.end() ? nullptr : found->second;
}

Resolver::Scope LibraryImages::of(const std::vector<LoadedLibrary*>& libraries) const {
  Resolver::Scope scope;
  for (const LoadedLibrary* library : libraries)
    if (const Image* image = of(*library)) scope.push_back(image);
  return scope;
}

SlotTemplate link_again(Rank& rank) {
  const LibraryImages images(rank);
  std::vector<LoadedLibrary*> all, own;
  for (LoadedLibrary& library : libraries_of(rank).list) {
    all.push_back(&library);
    if (library.kind == Kind::own) own.push_back(&library);
  }
  return link_images(images.of(own), images.of(all), current_program()->resolver());
}

LoadedLibrary* open_library(Rank& rank, const std::string& name, int mode, const void* caller) {
  LoadedLibraries& libraries = libraries_of(rank);
  LoadedLibrary* library = find_by_name(libraries, name);
  if (!library && (mode & RTLD_NOLOAD) && !is_loaded(name)) return nullptr;
  if (!library) {
    library = &Opening(rank).open(name, caller);
    publish_to_debugger_again();
  }
  ++library->references;
  if (mode & RTLD_NODELETE) library->stays = true;
  if (mode & RTLD_GLOBAL)
    for (LoadedLibrary* each : group_of(libraries, *library)) each->global = true;
  return library;
}

}  // namespace skein::image
