// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/library_set.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/error.hpp"
#include "runtime/image/elf_file.hpp"
#include "runtime/image/library_path.hpp"
#include "skein/lb/nearest.hpp"

namespace skein::image {
namespace {

constexpr std::size_t kDeepestChain = 32;  // libraries may need each other in a circle

struct Library {
  std::string name;
  std::unique_ptr<Image> image;  ///< null if only the dynamic linker reads the file
  std::string path;              ///< empty: the process has it already
  bool is_listed = false;        ///< private by its name, or a stand-in
  bool is_private = false;
  bool is_copied_from = false;  ///< the program has copies of its variables
  std::vector<Library*> needed;
};

class Search {
 public:
  Search(const LibraryRule& rule, const std::vector<std::string>& preloaded)
      : rule_(rule), preloaded_(preloaded) {}

  LibrarySet run(const std::string& program_path) {
    Library& program = libraries_.emplace_back();
    program.image = std::make_unique<Image>(program_path, FileRole::program);
    refuse_sanitizers(program.image->file);
    program.is_private = true;
    std::vector<std::string>& needed = program.image->file.needed;
    needed.insert(needed.begin(), preloaded_.begin(), preloaded_.end());
    add_needed(program);
    refuse_unknown_names();
    refuse_static_mpi(program.image->file);
    find_copied_from(program.image->file);
    while (spread_privacy()) {
    }
    LibrarySet set;
    for (const Library& library : libraries_)
      if (is_news(library)) set.found_private.push_back(library.name);
    list_in_construction_order(program, set);
    // libraries_ was filled breadth first.
    std::vector<std::size_t> place(libraries_.size());
    for (std::size_t i = 0; i < libraries_.size(); ++i)
      if (libraries_[i].is_private) {
        place[i] = set.images.size();
        set.images.push_back(std::move(libraries_[i].image));
      }
    for (std::size_t& index : set.construction) index = place[index];
    return set;
  }

 private:
  void refuse_unknown_names() const {
    for (const std::string& given : rule_.private_names()) {
      std::vector<std::string_view> present;
      bool known = false;
      for (const Library& library : libraries_) {
        known = known || is_called(library.name, given);
        if (!library.name.empty()) present.push_back(library.name);
      }
      if (!known)
        throw Error("--private " + given + ": the program needs no such library" +
                    lb::valid_names(given, present));
    }
  }

  void add_needed(Library& root) {
    std::deque<std::pair<Library*, std::vector<const ElfFile*>>> queue{{&root, {&root.image->file}}};
    while (!queue.empty()) {
      auto [user, chain] = std::move(queue.front());
      queue.pop_front();
      refuse_another_mpi(user->image->file);
      for (const std::string& name : user->image->file.needed) {
        if (LibraryRule::is_own_mpi(name)) continue;
        const std::size_t known = libraries_.size();
        Library& library = find_or_add(name, chain);
        user->needed.push_back(&library);
        if (libraries_.size() == known || !library.image) continue;
        std::vector<const ElfFile*> longer = chain;
        longer.push_back(&library.image->file);
        queue.emplace_back(&library, std::move(longer));
      }
    }
  }

  Library& find_or_add(const std::string& name, const std::vector<const ElfFile*>& chain) {
    const auto same_name = [&](const Library& l) { return l.name == name; };
    const auto known = std::find_if(libraries_.begin(), libraries_.end(), same_name);
    if (known != libraries_.end()) return *known;
    if (const StandIn* stand_in = rule_.stand_in_for(name, chain.back()->path)) {
      for (Library& library : libraries_)
        if (library.image && library.image->file.path == stand_in->path) return library;
      Library& library = add(name, stand_in->path);
      library.image = std::make_unique<Image>(stand_in->path, FileRole::library);
      library.is_listed = library.is_private = true;
      return library;
    }
    const bool shared = rule_.is_shared_by_name(name), listed = rule_.is_private_by_name(name);
    const bool loaded = !listed && is_loaded(name);
    if (shared && loaded) return add(name, {});

    const std::string path = path_.find(name, chain);
    if (path.empty() && loaded) return add(name, {});
    if (path.empty() && std::ranges::find(preloaded_, name) != preloaded_.end())
      throw Error("--preload " + name +
                  ": not found; give its path, or add its directory to LD_LIBRARY_PATH");
    if (path.empty()) {
      const std::vector<const StandIn*> mpis = rule_.mpis_of({&name, 1});
      throw Error("the library " + name + ", which " + chain.back()->path +
                  " needs, is not found: " + (mpis.empty() ? "" : "install " + mpis.front()->mpi + ", or ") +
                  "add its directory to LD_LIBRARY_PATH");
    }
    std::unique_ptr<Image> image = read(path, listed);
    if (shared && image) refuse_mpi(name, image->file, chain);
    if (shared) return add(name, path);
    if (image)
      for (Library& library : libraries_)
        if (library.image && library.image->file.path == image->file.path) return library;
    if (image) refuse_sanitizers(image->file);
    if (image) rule_.refuse_unknown_mpi(image->file, chain.back()->path);
    Library& library = add(name, loaded ? std::string() : path);
    library.image = std::move(image);
    library.is_listed = listed || std::ranges::find(preloaded_, name) != preloaded_.end();
    library.is_private =
        library.is_listed || (library.image && rule_.is_private_by_content(library.image->file));
    return library;
  }

  void refuse_static_mpi(const ElfFile& program) const {
    const auto calls_mpi = [](const Library& l) { return l.image && LibraryRule::calls_mpi(l.image->file); };
    if (std::ranges::none_of(libraries_, calls_mpi) && has_static_symbol(program.descriptor(), "PMPI_Init"))
      throw Error(program.path +
                  " has its MPI inside, linked statically: Skein must bind its MPI calls; link it to the " +
                  "shared library of that MPI");
  }

  /// Refuses a file for another MPI than the first: a call means one of them only.
  void refuse_another_mpi(const ElfFile& file) {
    for (const StandIn* mpi : rule_.mpis_of(file.needed)) {
      if (!mpi_) mpi_ = {mpi, file.path};
      refuse_mixed(mpi_->second, *mpi_->first, file.path, *mpi);
    }
  }

  /// Refuses a shared library that calls MPI: the dynamic linker would bind its calls, and those of what it
  /// loads, to the MPI that Skein runs on.
  void refuse_mpi(const std::string& shared, const ElfFile& file, std::vector<const ElfFile*> chain) const {
    if (LibraryRule::calls_mpi(file))
      throw Error("--shared " + shared + ": " + file.path + " calls MPI, so each rank needs its own");
    chain.push_back(&file);
    for (const std::string& name : file.needed) {
      const std::string path = is_loaded(name) ? std::string() : path_.find(name, chain);
      if (path.empty() || chain.size() > kDeepestChain) continue;
      if (const std::unique_ptr<Image> needed = read(path, false)) refuse_mpi(shared, needed->file, chain);
    }
  }

  Library& add(const std::string& name, const std::string& path) {
    Library& library = libraries_.emplace_back();
    library.name = name;
    library.path = path;
    return library;
  }

  /// Reads a library. One that Skein's loader cannot load may be one for the dynamic linker, which then
  /// reports what is wrong with it, if anything.
  static std::unique_ptr<Image> read(const std::string& path, bool must_be_private) {
    try {
      return std::make_unique<Image>(path, FileRole::library);
    } catch (const Error&) {
      if (must_be_private) throw;
      return nullptr;
    }
  }

  /// Finds libraries whose variables the program has copied. An executable that is not compiled with -fPIC
  /// uses variables of libraries by copies of them, and the library must use the copy as well: only a library
  /// that is bound to this one program in the slot can.
  void find_copied_from(const ElfFile& program) {
    for (const Relocation& r : program.relocations) {
      if (r.type != R_X86_64_COPY) continue;
      const std::string_view name = program.symbols[r.symbol].name;
      const auto defines = [&](const Library& l) {
        return l.image && &l.image->file != &program && l.image->file.find(name);
      };
      const auto source = std::ranges::find_if(libraries_, defines);
      if (source != libraries_.end()) source->is_private = source->is_copied_from = true;
    }
  }

  /// Returns true if the user may not expect the library to be private: it is neither named nor part of the
  /// parallel program.
  static bool is_news(const Library& library) {
    return library.is_private && !library.name.empty() && !library.is_listed &&
           !LibraryRule::calls_mpi(library.image->file) &&
           (library.is_copied_from || library.image->file.keeps_state);
  }

  bool spread_privacy() {
    bool changed = false;
    for (Library& library : libraries_) {
      if (library.is_private || !library.image) continue;
      const auto is_private = [](const Library* l) { return l->is_private; };
      library.is_private = std::any_of(library.needed.begin(), library.needed.end(), is_private);
      changed = changed || library.is_private;
    }
    return changed;
  }

  void list_in_construction_order(Library& library, LibrarySet& set) {
    if (std::find(listed_.begin(), listed_.end(), &library) != listed_.end()) return;
    listed_.push_back(&library);
    for (Library* needed : library.needed) list_in_construction_order(*needed, set);
    if (library.is_private)
      set.construction.push_back(index_of(library));
    else if (!library.path.empty())
      set.shared.push_back(library.path);
  }

  std::size_t index_of(const Library& library) const {
    std::size_t i = 0;
    while (&libraries_[i] != &library) ++i;
    return i;
  }

  const LibraryRule& rule_;
  const std::vector<std::string>& preloaded_;
  LibraryPath path_;
  std::optional<std::pair<const StandIn*, std::string>> mpi_;  // the first, and the file that needs it
  std::deque<Library> libraries_;                              // a deque keeps addresses
  std::vector<const Library*> listed_;
};

}  // namespace

LibrarySet find_libraries(const std::string& program, const LibraryRule& rule,
                          const std::vector<std::string>& preloaded) {
  return Search(rule, preloaded).run(program);
}

}  // namespace skein::image
