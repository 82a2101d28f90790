// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/program.hpp"

#include <dlfcn.h>
#include <link.h>
#include <malloc.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "runtime/arena/arena.hpp"
#include "runtime/base/error.hpp"
#include "runtime/image/address_space.hpp"
#include "runtime/image/cxx_library.hpp"
#include "runtime/image/elf_file.hpp"
#include "runtime/image/fault_reports.hpp"
#include "runtime/image/library_set.hpp"
#include "runtime/image/linker.hpp"
#include "runtime/image/loaded_libraries.hpp"
#include "runtime/image/resolver.hpp"
#include "runtime/image/slot_image.hpp"
#include "runtime/image/start.hpp"
#include "runtime/image/tls.hpp"
#include "runtime/image/unwind.hpp"
#include "runtime/rank/rank.hpp"

namespace skein::image {
namespace {

Program* the_program = nullptr;

constexpr std::uint64_t line_up(std::uint64_t x) { return (x + 63) & ~std::uint64_t{63}; }

/// Returns a variable of a shared library, with the size that the library gives it; empty if there is none.
std::span<const std::byte> library_variable(const char* name) {
  const void* const address = dlsym(RTLD_DEFAULT, name);
  Dl_info info;
  void* entry = nullptr;
  if (!address || !dladdr1(address, &info, &entry, RTLD_DL_SYMENT) || !entry) return {};
  return {static_cast<const std::byte*>(address), static_cast<const Elf64_Sym*>(entry)->st_size};
}

std::vector<const void*> library_places() {
  std::vector<const void*> places;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        static_cast<std::vector<const void*>*>(out)->push_back(
            reinterpret_cast<const void*>(info->dlpi_addr));
        return 0;
      },
      &places);
  return places;
}

/// Keeps malloc from making mappings while shared libraries find their addresses: what the loader allocates
/// depends on the machine (the size of its library cache), and a mapping more or less moves every library
/// that is loaded later.
///
/// Setting one of these limits ends glibc's dynamic adjustment of them (mallopt(3)), without which every
/// packed message of 128 KiB would be a mapping of its own, faulted in page by page. So afterwards the limits
/// are set to what the adjustment reaches with large blocks.
class NoMappedBlocks {
 public:
  NoMappedBlocks() { mallopt(M_MMAP_MAX, 0); }
  ~NoMappedBlocks() {
    mallopt(M_MMAP_MAX, usual_limit);
    mallopt(M_MMAP_THRESHOLD, most_fitted_threshold);
    mallopt(M_TRIM_THRESHOLD, 2 * most_fitted_threshold);
  }
  NoMappedBlocks(const NoMappedBlocks&) = delete;
  NoMappedBlocks& operator=(const NoMappedBlocks&) = delete;

 private:
  /// From glibc's malloc.c: DEFAULT_MMAP_MAX, DEFAULT_MMAP_THRESHOLD_MAX.
  static constexpr int usual_limit = 65536;
  static constexpr int most_fitted_threshold = 4 * 1024 * 1024 * sizeof(long);
};

std::size_t most_mappings() {
  constexpr std::size_t usual = 65530;  // where the system does not tell
  std::size_t most = usual;
  std::ifstream("/proc/sys/vm/max_map_count") >> most;
  return most;
}

}  // namespace

Program* current_program() { return the_program; }

bool refers_to_any(const ElfFile& file, std::span<const std::string_view> names) {
  for (std::size_t i = 1; i < file.symbols.size(); ++i)
    if (std::find(names.begin(), names.end(), file.symbols[i].name) != names.end()) return true;
  return false;
}

void describe(const ElfFile& file, std::uint64_t address, CodePlace& place) {
  place.file = file.path.c_str();
  place.address = address;
  if (find_static_function(file.descriptor(), address, place.symbol, sizeof place.symbol)) return;
  for (const Symbol& s : file.symbols)
    if (s.defined && s.type == STT_FUNC && address - s.value < s.bytes) {
      place.symbol[s.name.copy(place.symbol, sizeof place.symbol - 1)] = '\0';
      return;
    }
}

std::byte* image_base(std::size_t slot) {
  return arena::contents_address(slot) + arena::reserved.layout.image_offset;
}
std::byte* image_base(const Rank& rank) { return image_base(static_cast<std::size_t>(rank.id)); }

Program::Program(const ProgramOptions& options)
    : rule_(options.private_libraries, options.shared_libraries, options.stand_ins),
      on_demand_(options.on_demand) {
  const NoMappedBlocks equal_addresses;
  most_mappings_ = most_mappings();
  prepare_cxx_library();
  LibrarySet set = find_libraries(options.path, rule_, options.preloaded_libraries);
  images_ = std::move(set.images);
  construction_ = std::move(set.construction);
  found_private_ = std::move(set.found_private);
  add_on_demand();
  for (const auto& image : images_) scope_.push_back(image.get());
  load_shared(set.shared);
  for (const std::string& name : options.process_libraries)
    (void)dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL);
  for (const auto& overrides : options.overrides) resolver_.add_overrides(overrides);
  resolver_.add_overrides(tls_overrides());
  resolver_.add_overrides(start_overrides());
  resolver_.add_overrides(unwind_overrides());
  resolver_.add_overrides(fault_report_overrides());
  resolver_.add_overrides(loading_overrides());
  std::vector<Bytes> copies;
  place_rest(place_copies(place_images(), copies));
  template_ = link_images(scope_, scope_, resolver_);
  std::move(copies.begin(), copies.end(), std::back_inserter(template_.data));
  find_writable_parts();
  find_initial_pages();
  check_startable(*this);
  library_addresses_ = address_fingerprint();
  places_at_start_ = library_places();
  the_program = this;
}

Program::~Program() {
  if (the_program == this) the_program = nullptr;
}

void Program::add_on_demand() {
  for (const LibraryOnDemand& library : on_demand_) {
    const auto wants = [&](const auto& image) { return refers_to_any(image->file, library.symbols); };
    if (!std::any_of(images_.begin(), images_.end(), wants)) continue;
    const std::size_t place = library.in_front ? 1 : images_.size();  // the program is the first
    for (std::size_t& index : construction_) index += index >= place;
    construction_.insert(construction_.begin(), place);
    images_.insert(images_.begin() + static_cast<std::ptrdiff_t>(place),
                   std::make_unique<Image>(library.path, FileRole::library));
  }
}

/// Loads shared libraries with RTLD_NOW: a function that a rank binds later would be bound on one PE only,
/// while the rank ran there.
void Program::load_shared(const std::vector<std::string>& paths) {
  for (const std::string& path : paths)
    if (!dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL))
      throw Error(format("cannot load a library of %s: %s", images_[0]->file.path.c_str(), dlerror()));
}

/// Places the images. Returns the end of what is placed, like the functions below. What the loader adds
/// begins in the last page of the last image, which holds a small program's variables anyhow: an idle rank
/// costs a page less.
std::uint64_t Program::place_images() {
  constexpr std::uint64_t greatest_bytes = std::uint64_t{64} << 30;
  std::uint64_t end = 0;
  for (const auto& image : images_) {
    // Addresses of the file and in the slot are congruent, so that its data is aligned as its linker meant.
    const std::uint64_t mask = image->file.alignment - 1;
    image->offset = (end - image->file.lowest + mask) & ~mask;
    image_alignment_ = std::max(image_alignment_, static_cast<std::size_t>(image->file.alignment));
    end = image->offset + image->file.lowest + image->file.span;
    if (end > greatest_bytes)
      throw Error(images_[0]->file.path + ": the program and its private libraries are larger than 64 GiB");
  }
  return end - images_.back()->file.span + images_.back()->file.used;
}

std::uint64_t Program::place_copies(std::uint64_t end, std::vector<Bytes>& copies) {
  for (const std::string_view& name : standard_streams()) {
    const auto refers = [&](const auto& image) { return refers_to_any(image->file, {&name, 1}); };
    const auto defines = [&](const auto& image) { return image->file.find(name) != nullptr; };
    if (!std::any_of(images_.begin(), images_.end(), refers) ||
        std::any_of(images_.begin(), images_.end(), defines))
      continue;
    const std::span<const std::byte> variable = library_variable(std::string(name).c_str());
    if (variable.empty()) continue;
    end = line_up(end);
    copies.push_back({end, {variable.begin(), variable.end()}});
    resolver_.add_copy(name, end);
    end += variable.size();
  }
  return end;
}

void Program::place_rest(std::uint64_t end) {
  const TlsAreas areas = place_tls(images_, find_static_tls(scope_, resolver_), line_up(end));
  static constexpr std::string_view loads_later[] = {"dlopen", "dlmopen"};
  const bool spares =
      std::ranges::any_of(images_, [](const auto& image) { return refers_to_any(image->file, loads_later); });
  tls_begin_of_spare_ = areas.swapped_bytes;
  tls_bytes_ = std::min(areas.swapped_bytes + (spares ? kSpareTlsBytes : 0), fiber::kProgramTlsRoom);
  tls_copy_offset_ = line_up(areas.slot_end);
  processor_word_offset_ = tls_copy_offset_ + line_up(tls_bytes_);
  image_bytes_ = processor_word_offset_ + sizeof(std::uint64_t);
}

void Program::find_writable_parts() {
  std::size_t begin = 0;
  for (const auto& image : images_)
    for (const TextRun& run : image->file.text) {
      const std::size_t text = image->offset + run.address;
      if (text > begin) writable_extents_.push_back({begin, text - begin});
      begin = text + run.bytes;
    }
  writable_extents_.push_back({begin, image_bytes_ - begin});
}

bool Program::can_map_code(std::size_t ranks) const {
  std::size_t mappings = 0;
  for (const auto& image : images_) mappings += 2 * image->file.text.size();
  return ranks * mappings < most_mappings_ / 2;
}

void Program::keep_code_in_slots() {
  code_in_slots_ = true;
  std::vector<Bytes> code;
  for (const auto& image : images_) {
    check_unchanged(image->file);
    for (const TextRun& run : image->file.text)
      code.push_back({image->offset + run.address, read_text(image->file, run)});
  }
  template_.data.insert(template_.data.begin(), code.begin(), code.end());
  writable_extents_.assign(1, {0, image_bytes_});
  initial_pages_.clear();
  find_initial_pages();
}

void Program::find_initial_pages() {
  constexpr std::size_t within = arena::kPageBytes - 1;
  std::vector<Extent> written{{tls_copy_offset_, image_bytes_ - tls_copy_offset_}};
  for (const Bytes& run : template_.data)
    if (!run.contents.empty()) written.push_back({run.offset, run.contents.size()});
  for (const auto& image : images_)
    if (image->tls.kind == TlsPlace::in_slot && image->file.tls.file_bytes != 0)
      written.push_back({image->tls.offset, image->file.tls.file_bytes});
  std::ranges::sort(written, {}, &Extent::offset);
  for (const Extent& extent : written) {
    const std::size_t begin = extent.offset & ~within,
                      end = (extent.offset + extent.bytes + within) & ~within;
    const bool adjacent =
        !initial_pages_.empty() && begin <= initial_pages_.back().offset + initial_pages_.back().bytes;
    if (!adjacent) initial_pages_.push_back({begin, 0});
    Extent& last = initial_pages_.back();
    last.bytes = std::max(last.bytes, end - last.offset);
  }
}

bool Program::was_there_at_start(const void* place) const {
  return std::ranges::find(places_at_start_, place) != places_at_start_.end();
}

bool Program::wants_executable_stacks() const {
  return std::ranges::any_of(images_, [](const auto& image) { return image->file.executable_stack; });
}

bool Program::builds_code() const {
  return std::ranges::any_of(images_, [](const auto& image) {
    return image->file.find("Py_BytesMain") || image->file.find("ffi_closure_alloc");
  });
}

std::uint64_t Program::digest() const {
  std::uint64_t digest = 0;
  for (const auto& image : images_) digest = digest * 0x9e3779b97f4a7c15u + image->file.digest();
  return digest;
}

void Program::map_text(std::span<const std::size_t> slots) {
  if (code_in_slots_) return;
  text_mapped_.resize(arena::reserved.slot_count);
  if (std::ranges::all_of(slots, [&](std::size_t slot) { return text_mapped_[slot]; })) return;
  for (const auto& image : images_) check_unchanged(image->file);
  for (const std::size_t slot : slots)
    if (!text_mapped_[slot]) map_text_once(slot);
}

void Program::map_text_once(std::size_t slot) {
  for (const auto& image : images_)
    image::map_text(image->file, image_base(slot) + image->offset, "slot " + std::to_string(slot));
  text_mapped_[slot] = true;
}

void Program::instantiate(std::size_t slot) {
  map_text({&slot, 1});
  std::byte* const base = image_base(slot);
  fill(template_, base);
  // Initial values of thread-local variables may be addresses, so they are taken relocated.
  for (const auto& image : images_) {
    const TlsSegment& tls = image->file.tls;
    if (tls.file_bytes == 0) continue;
    std::byte* const block = image->tls.kind == TlsPlace::in_slot
                                 ? base + image->tls.offset
                                 : base + tls_copy_offset_ + tls_bytes_ - image->tls.distance;
    memcpy(block, base + image->offset + tls.address, tls.file_bytes);
  }
  resolve_ifuncs(template_, base);
  processor_word(base) = processor_signature();
  seal_images(slot);
}

/// Returns true if images are sealed. Each seal is one more mapping, so there are none if so many ranks share
/// a process that mappings would run out.
bool Program::seals() const {
  std::size_t of_slot = 1;
  for (const auto& image : images_) of_slot += image->file.text.size() * 2 + (image->file.sealed_bytes != 0);
  return !code_in_slots_ && arena::reserved.slot_count * of_slot < most_mappings_ / 2;
}

void Program::seal_images(std::size_t slot) {
  sealed_.resize(arena::reserved.slot_count);
  if (sealed_[slot] || !seals()) return;
  for (const auto& image : images_) seal(image->file, image_base(slot) + image->offset);
  sealed_[slot] = true;
}

void Program::unseal_images(std::size_t slot) {
  if (slot >= sealed_.size() || !sealed_[slot]) return;
  for (const auto& image : images_) unseal(image->file, image_base(slot) + image->offset);
  sealed_[slot] = false;
}

void Program::on_departure(std::size_t slot) {
  leave_libraries(rank_in_slot(static_cast<int>(slot)));
  departed_.push_back(slot);
}

void Program::unmap_text(std::size_t slot) {
  if (code_in_slots_) return;
  for (const auto& image : images_)
    for (const TextRun& run : image->file.text)
      arena::map_again({image_base(slot) + image->offset + run.address, run.bytes});
  text_mapped_[slot] = false;
}

void Program::release_departed() {
  constexpr std::size_t most_kept = 256;
  for (; departed_.size() > most_kept; departed_.pop_front()) {
    const std::size_t slot = departed_.front();
    unseal_images(slot);
    unmap_text(slot);
    arena::remove_guard(slot);
  }
}

void Program::on_arrival(std::size_t slot, std::uint64_t processor) {
  std::erase(departed_, slot);
  map_text({&slot, 1});
  Rank& rank = rank_in_slot(static_cast<int>(slot));
  std::byte* const base = image_base(slot);
  const bool other_processor = processor_word(base) != processor;
  if (other_processor) {
    unseal_images(slot);
    bind_by_processor(template_, base);
  }
  processor_word(base) = processor;
  seal_images(slot);
  arrive_with_libraries(rank, other_processor);
}

std::uint64_t& Program::processor_word(std::byte* base) const {
  return *reinterpret_cast<std::uint64_t*>(base + processor_word_offset_);
}

std::byte* Program::tls_copy(std::size_t slot) const { return image_base(slot) + tls_copy_offset_; }

std::optional<std::uint64_t> Program::offset_of(std::string_view symbol) const {
  for (const auto& image : images_)
    if (const Symbol* s = image->file.find(symbol); s && s->type != STT_TLS && !s->absolute)
      return image->offset + s->value;
  return std::nullopt;
}

bool Program::locate(const void* address, CodePlace& place) const {
  if (!arena::in_arena(address)) return false;
  const std::byte* const base = image_base(arena::slot_of(address));
  const auto offset = static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - base);
  for (const auto& image : images_) {
    const std::uint64_t in_file = offset - image->offset;
    if (in_file - image->file.lowest >= image->file.span) continue;
    describe(image->file, in_file, place);
    return true;
  }
  return locate_in_libraries(address, place);
}

}  // namespace skein::image
