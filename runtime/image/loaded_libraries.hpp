// SPDX-License-Identifier: Apache-2.0
// Libraries that a rank loads by hand, with dlopen(). Each rank has its own copy, as of those that it began
// with, bound to the rank's own program: code mapped from the file, data, thread-local variables. Copies lie
// in blocks of the rank's heap and the list of them in the rank's slot, so that they move with it; code is
// mapped again wherever it arrives. Libraries of which a process has one, like the C library, are on the list
// by name only.
//
//   dlopen()   open_library(): find, read (library_files.hpp), place, link as the program was (linker.hpp)
//              construct_libraries(): constructors, on the rank's stack with the rank's heap, which may
//              switch
//   dlclose()  close_library(): those that nobody needs any more are due to leave
//              destroy_libraries(): destructors, which may switch, too; then unload_libraries()
#pragma once

#include <link.h>

#include <cstdint>
#include <list>
#include <memory_resource>
#include <string>
#include <vector>

#include "runtime/fiber/thread_block.hpp"
#include "runtime/image/program.hpp"
#include "runtime/image/start.hpp"
#include "runtime/rank/rank.hpp"

namespace skein::image {

/// An entry of the list, in the slot; of the process it holds only `process_handle`.
struct LoadedLibrary {
  enum class Kind : std::uint8_t {
    image,      ///< the rank began with it: the program, or a private library
    own,        ///< the rank's copy of a library that it loaded
    of_process  ///< one for all ranks of the process
  };

  explicit LoadedLibrary(std::pmr::memory_resource* memory) : path(memory), names(memory) {}

  link_map map = {};  ///< its address is the handle, which some programs take for a link_map*
  Kind kind = Kind::of_process;
  bool global = false;       ///< later libraries find its symbols
  bool in_front = false;     ///< searched before all others: their definitions are its RTLD_NEXT
  bool stays = false;        ///< is never unloaded
  bool constructed = false;  ///< its constructors have begun
  bool leaves = false;       ///< nobody needs it any more
  bool destroyed = false;    ///< its destructors have begun
  int references = 0;        ///< dlopen() without dlclose()
  std::pmr::string path;
  std::pmr::vector<std::pmr::string> names;  ///< by which other libraries need it
  void* process_handle = nullptr;            ///< of_process: opened for this rank, which it pins; or null

  /// For image and own:
  std::uint64_t digest = 0;
  std::byte* begin = nullptr;
  std::size_t bytes = 0;
  std::uint64_t eh_frame_header = 0;  ///< address in the file
  std::byte* block = nullptr;         ///< own: the heap's block
  std::byte* tls = nullptr;           ///< own: its thread-local variables
  std::uint64_t tls_distance = 0;     ///< own: or they are below the thread pointer, at this distance
  ImageFunctions functions;

  std::byte* tls_place() const { return tls_distance ? fiber::thread_pointer() - tls_distance : tls; }
  std::byte* bias() const { return reinterpret_cast<std::byte*>(map.l_addr); }
  bool holds(const void* address) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(address) - begin) < bytes;
  }
};

struct LoadedLibraries {
  explicit LoadedLibraries(std::pmr::memory_resource* memory) : list(memory), error(memory) {}
  std::pmr::list<LoadedLibrary> list;  ///< the images, then others, each after those that it needs
  std::pmr::string error;              ///< the text for dlerror()
  bool failed = false;                 ///< dlerror() has not reported the error yet
};

/// Returns the rank's list, made at the first call.
LoadedLibraries& libraries_of(Rank& rank);
/// Returns the library with this handle, or null.
LoadedLibrary* find_library(Rank& rank, const void* handle);
/// Returns the library whose memory holds the address, or null. Async-signal-safe if the rank has a list;
/// returns null without one.
LoadedLibrary* library_at(const Rank& rank, const void* address);

/// Does dlopen() without constructors, within a RuntimeScope; `name` is not empty, `caller` an address in the
/// caller. Returns null if RTLD_NOLOAD finds nothing. Throws skein::Error saying what is wrong.
LoadedLibrary* open_library(Rank& rank, const std::string& name, int mode, const void* caller);
/// Does dlclose() without destructors: marks libraries that are due to leave.
void close_library(Rank& rank, LoadedLibrary& library);
/// Removes the libraries that are due from memory.
void unload_libraries(Rank& rank);

/// Runs the constructors that are due, on the rank's stack with the rank's heap. May switch; the rank may
/// have moved when it returns.
void construct_libraries(Rank& rank);
/// Runs the destructors of libraries that are due to leave; `all`: of all that the rank has loaded, at its
/// end.
void destroy_libraries(Rank& rank, bool all);

/// Returns what dlsym() finds; null if nothing. Within a RuntimeScope. `handle` is RTLD_DEFAULT, RTLD_NEXT or
/// a library's; throws skein::Error if it is none.
void* find_symbol(Rank& rank, const void* handle, const std::string& name, const std::string& version,
                  const void* caller);
/// Returns the symbol of `library` (an image or the rank's own) whose definition holds `address`, or null.
const Symbol* symbol_at(const LoadedLibrary& library, const void* address);
/// Returns the file of a library that is an image or the rank's own.
const ElfFile& file_of(const LoadedLibrary& library);

/// Unmap and map the libraries' files when the rank moves; called by Program::on_departure() and
/// on_arrival().
void leave_libraries(Rank& rank);
void arrive_with_libraries(Rank& rank, bool other_processor);
/// Returns why the rank cannot go to another PE because of a library that it has loaded, or null.
const char* pinned_by_library(const Rank& rank);

/// Does Program::locate() for the libraries that ranks have loaded. Async-signal-safe.
bool locate_in_libraries(const void* address, CodePlace& place);
/// Returns true if any of these bytes of a slot belong to the file of a loaded library, which each PE maps
/// for itself.
bool in_mapped_library(const std::byte* begin, std::size_t bytes);

/// Returns the overrides of dlopen(), dlsym(), dladdr() and relatives (loaded_libraries_overrides.cpp).
std::span<const libc::Override> loading_overrides();

}  // namespace skein::image
