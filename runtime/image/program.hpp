// SPDX-License-Identifier: Apache-2.0
// The program of the job as this PE holds it: read, bound and relocated once, then laid out in one slot after
// another.
//
//   arena::contents_address(slot) + arena::reserved.layout.image_offset:
//     program | private libraries | copied variables | TLS blocks | copy of the TLS below the thread pointer
//     | processor word
//
// A slot's image is one mapping of the file for an image's code and constants, and ordinary memory of the
// arena for the rest, so a rank costs few mappings (the system allows 65530 a process) and a copy of the
// writable data plus one addition for each address in it.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/arena/arena.hpp"
#include "runtime/image/image.hpp"
#include "runtime/image/library_rule.hpp"
#include "runtime/image/processor.hpp"
#include "runtime/image/resolver.hpp"
#include "runtime/libc/override.hpp"

namespace skein {
struct Rank;
}

namespace skein::image {

/// A library that is loaded privately only if a program or a private library refers to one of `symbols`.
struct LibraryOnDemand {
  std::string path;
  std::span<const std::string_view> symbols;
  bool in_front = false;  ///< before the other libraries: their functions are its RTLD_NEXT
};

struct ProgramOptions {
  std::string path;
  std::vector<std::string> private_libraries;    ///< beyond those that are private by rule (library_rule.hpp)
  std::vector<std::string> shared_libraries;     ///< that would be private by rule
  std::vector<std::string> preloaded_libraries;  ///< private, and before all others that the program needs
  std::vector<std::string> process_libraries;    ///< loaded into the process at the start, if they exist
  std::vector<LibraryOnDemand> on_demand;
  std::vector<StandIn> stand_ins;
  std::vector<std::span<const libc::Override>> overrides;  ///< the last of a name counts
};

/// A place in a private image, for messages.
struct CodePlace {
  const char* file = nullptr;
  std::uint64_t address = 0;  ///< as in the file: what addr2line takes
  char symbol[1024] = "";  ///< the function that holds it, as linkers know it; cut if longer, empty if none
};

class Program {
 public:
  /// Reads and binds the program, and loads its shared libraries into the process. Once per process, on the
  /// PE's own stack, before the arena is reserved (image_bytes() is needed for that) and before MPI_Init (so
  /// that libraries get the same addresses on all PEs). Throws skein::Error saying what about the program or
  /// its libraries is wrong.
  explicit Program(const ProgramOptions& options);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Returns the image's size, for make_layout().
  std::size_t image_bytes() const { return image_bytes_; }
  std::size_t image_alignment() const { return image_alignment_; }
  /// Returns true if the program or one of its private libraries requests executable stacks.
  bool wants_executable_stacks() const;
  /// Returns true if ranks build code at run time: functions that C can call, as Python's ctypes do, by
  /// libffi.
  bool builds_code() const;
  /// Returns the bytes below the thread pointer that every switch exchanges, for set_program_tls_bytes().
  std::size_t tls_bytes() const { return tls_bytes_; }
  /// Returns the spare bytes at the beginning; the rest is for libraries that ranks load, if they can load
  /// any.
  std::size_t tls_begin_of_spare() const { return tls_begin_of_spare_; }
  /// Returns a digest, equal on PEs that hold the same program and private libraries.
  std::uint64_t digest() const;
  /// Returns the address_fingerprint() from when all of the program's libraries were loaded. (MPI_Init loads
  /// components of its own, by what it finds on each host; ranks hold no addresses in these, so they need not
  /// agree.)
  std::uint64_t library_addresses() const { return library_addresses_; }

  /// Returns true if the code of so many ranks of a process can be mapped from its files, each in its slot:
  /// each piece of code splits the arena's mapping, and the system limits mappings (vm.max_map_count).
  bool can_map_code(std::size_t ranks) const;
  /// Makes instantiate() write the code as well, which costs each rank memory, but no mapping. Called before
  /// the arena is reserved, as executable memory, and on all PEs alike. Throws skein::Error when a file
  /// cannot be read.
  void keep_code_in_slots();
  bool has_code_in_slots() const { return code_in_slots_; }

  /// Makes the slot's image. Precondition: the slot's memory reads as zeroes. Callable from the PE's own
  /// stack. Throws skein::Error at the system's limit of mappings.
  void instantiate(std::size_t slot);
  /// Maps the code into the slots, once; it stays when a rank leaves, so that its return costs nothing.
  /// Before many ranks are made, call this for all of them: each mapping splits the arena's, and the system's
  /// records of touched memory are copied at each split. Throws skein::Error at the system's limit of
  /// mappings, and when the file was overwritten since the start.
  void map_text(std::span<const std::size_t> slots);
  /// Prepares for a rank that arrives on this PE, before it runs: maps the code, and if the last PE had
  /// another processor, binds again what libraries choose by processor. `processor` is this PE's. Does so for
  /// the libraries that the rank has loaded itself, too. Throws skein::Error if one of their files is not
  /// here.
  void on_arrival(std::size_t slot, std::uint64_t processor = processor_signature());
  /// Prepares for the departure of a rank, before its pages are looked at: unmaps the files of libraries that
  /// it has loaded, since their places are memory of its heap.
  void on_departure(std::size_t slot);
  /// Makes memory that is read-only once it is linked writable: before a copy of the slot's pages comes here,
  /// and before they are discarded. A slot that is handed over stays sealed, so that its return costs
  /// nothing.
  void unseal_images(std::size_t slot);
  /// Gives back, when ranks and their memory have left, the mappings of code and guards that were kept for
  /// their return, except for the 256 slots left last.
  void release_departed();
  /// Returns the address for Rank::tls_copy.
  std::byte* tls_copy(std::size_t slot) const;

  /// A part of the image area, by its offset from the slot's image base. writable_extents() are, ascending,
  /// those that are memory of the arena, not mapped files: a copying move sends them. Each begins at a page;
  /// all but the last, behind which the heap follows in the same page, end at one.
  struct Extent {
    std::size_t offset;
    std::size_t bytes;
  };
  std::span<const Extent> writable_extents() const { return writable_extents_; }
  /// Returns the extents that instantiate() writes, ascending; all end at a page's end.
  std::span<const Extent> initial_pages() const { return initial_pages_; }

  const std::vector<std::unique_ptr<Image>>& images() const { return images_; }
  /// Returns the indices of images in the order of construction: each after those that it needs.
  std::span<const std::size_t> construction_order() const { return construction_; }
  const SlotTemplate& slot_template() const { return template_; }

  /// For loading at run time:
  const Resolver::Scope& scope() const { return scope_; }
  Resolver& resolver() { return resolver_; }
  const LibraryRule& rule() const { return rule_; }
  /// Returns LibrarySet::found_private.
  const std::vector<std::string>& found_private() const { return found_private_; }
  std::span<const LibraryOnDemand> on_demand() const { return on_demand_; }
  /// Returns true if a library of the process, given by the base of its addresses (l_addr), was there when
  /// the program was bound: so it is on all PEs, at equal addresses.
  bool was_there_at_start(const void* place) const;

  /// Returns the offset from the image base of a function or variable that an image exports.
  std::optional<std::uint64_t> offset_of(std::string_view symbol) const;

  /// Returns true if `address` is in the image of a slot; `place` tells where. Async-signal-safe.
  bool locate(const void* address, CodePlace& place) const;

 private:
  void load_shared(const std::vector<std::string>& paths);
  void add_on_demand();
  std::uint64_t place_images();
  std::uint64_t place_copies(std::uint64_t end, std::vector<Bytes>& copies);
  void place_rest(std::uint64_t end);
  void find_writable_parts();
  void find_initial_pages();
  void map_text_once(std::size_t slot);
  void unmap_text(std::size_t slot);
  bool seals() const;
  void seal_images(std::size_t slot);
  std::uint64_t& processor_word(std::byte* base) const;

  LibraryRule rule_;
  std::vector<LibraryOnDemand> on_demand_;
  Resolver resolver_;
  std::vector<std::string> found_private_;
  std::vector<std::unique_ptr<Image>> images_;
  Resolver::Scope scope_;                     // images_, in the form that the linker takes
  std::vector<const void*> places_at_start_;  // bases of the addresses of the process's libraries
  std::vector<std::size_t> construction_;
  SlotTemplate template_;
  std::size_t most_mappings_ = 0;
  bool code_in_slots_ = false;
  std::size_t image_bytes_ = 0;
  std::size_t image_alignment_ = arena::kPageBytes;
  std::size_t tls_begin_of_spare_ = 0, tls_bytes_ = 0;
  std::uint64_t library_addresses_ = 0;
  std::uint64_t tls_copy_offset_ = 0;
  std::uint64_t processor_word_offset_ = 0;
  std::vector<Extent> writable_extents_;
  std::vector<Extent> initial_pages_;
  std::vector<bool> text_mapped_;     // by slot, on this PE
  std::vector<bool> sealed_;          // by slot, on this PE
  std::deque<std::size_t> departed_;  // slots, with code, of ranks that left, the last one last
};

/// Returns true if the file refers to or defines one of these symbols.
bool refers_to_any(const ElfFile& file, std::span<const std::string_view> names);
/// Describes an address of a file for messages. Async-signal-safe.
void describe(const ElfFile& file, std::uint64_t address, CodePlace& place);

/// Return the address of the image area of a slot, and of a rank's.
std::byte* image_base(std::size_t slot);
std::byte* image_base(const Rank& rank);

/// Returns the program that unwinder, debugger and ranks of this process use: the last one made.
Program* current_program();

}  // namespace skein::image
