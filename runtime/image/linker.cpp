// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/linker.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "runtime/base/check.hpp"
#include "runtime/base/error.hpp"
#include "runtime/fiber/thread_block.hpp"
#include "runtime/image/tls.hpp"

namespace skein::image {
namespace {

constexpr std::size_t kNamesInError = 12;

std::uint64_t thread_pointer() { return reinterpret_cast<std::uint64_t>(fiber::thread_pointer()); }

class Linker {
 public:
  Linker(const Resolver::Scope& images, const Resolver::Scope& scope, Resolver& resolver)
      : images_(images), scope_(scope), resolver_(resolver) {}

  SlotTemplate link() {
    for (const Image* image : images_)
      for (const DataRun& run : image->file.data)
        out_.data.push_back({image->offset + run.address, run.contents});
    runs_from_files_ = out_.data.size();
    for (const Image* image : images_) {
      from_ = image;
      for (const std::uint64_t address : from_->file.relative) relocate_packed(address);
      for (const Relocation& r : from_->file.relocations) relocate(r);
    }
    if (!undefined_.empty()) report_undefined();
    for (const Copy& copy : copies_) copy_from_image(copy);
    std::stable_sort(out_.words.begin(), out_.words.end(),
                     [](const SlotWord& a, const SlotWord& b) { return a.offset < b.offset; });
    return std::move(out_);
  }

 private:
  struct Copy {
    std::uint64_t to, from, bytes;  // offsets
  };

  void relocate_packed(std::uint64_t address) {
    std::uint64_t addend = 0;
    memcpy(&addend, contents_at(from_->offset + address, sizeof addend), sizeof addend);
    slot_word(address, addend);
  }

  void relocate(const Relocation& r) {
    const Symbol& symbol = from_->file.symbols[r.symbol];
    const auto addend = static_cast<std::uint64_t>(r.addend);
    switch (r.type) {
      case R_X86_64_RELATIVE:
        slot_word(r.address, addend);
        break;
      case R_X86_64_IRELATIVE:
        ifunc_word(r.address, from_->offset + addend);
        break;
      case R_X86_64_64:
        pointer(r, symbol, addend);
        break;
      case R_X86_64_GLOB_DAT:
      case R_X86_64_JUMP_SLOT:
        pointer(r, symbol, 0);
        break;
      case R_X86_64_COPY:
        copy(r, symbol);
        break;
      case R_X86_64_DTPMOD64:
        tls_block(r.address, resolve_tls(r, symbol));
        break;
      case R_X86_64_DTPOFF64: {
        const Resolution target = resolve_tls(r, symbol);
        fixed_word(r.address, target.kind == Resolution::in_image ? target.value + addend : 0);
        break;
      }
      case R_X86_64_TPOFF64:
        thread_pointer_offset(r.address, resolve_tls(r, symbol), addend);
        break;
      case R_X86_64_TLSDESC:
        fixed_word(r.address, reinterpret_cast<std::uint64_t>(&skein_tls_descriptor));
        tls_variable(r.address + 8, resolve_tls(r, symbol), addend);
        break;
      case R_X86_64_NONE:
        break;
      default:
        SKEIN_CHECK(false, "relocation type %u passed the reader", r.type);
    }
  }

  Resolution resolve(const Symbol& symbol) {
    const Resolution target = resolver_.resolve(scope_, *from_, symbol);
    if (target.kind == Resolution::undefined && symbol.binding != STB_WEAK)
      undefined_.insert(describe(symbol));
    return target;
  }

  /// Resolves the symbol of a TLS relocation; without a symbol it is about the image's own segment.
  Resolution resolve_tls(const Relocation& r, const Symbol& symbol) {
    if (r.symbol == 0) return {Resolution::in_image, true, false, from_, 0};
    const Resolution target = resolve(symbol);
    if (target.kind == Resolution::in_image && (!target.tls || target.image->tls.kind == TlsPlace::none))
      throw Error(from_->file.path + ": " + std::string(symbol.name) +
                  " is thread-local here but not where it is defined");
    if (target.kind == Resolution::at_address && !is_static_tls(target.value))
      throw Error(
          from_->file.path + ": the thread-local variable " + std::string(symbol.name) +
          " belongs to a shared library that was not loaded at start: name that library with --private");
    return target;
  }

  /// Returns true if the variable is in the static TLS: a block that the dynamic linker allocated later has
  /// another address on every PE.
  static bool is_static_tls(std::uint64_t address) {
    constexpr std::uint64_t greatest_static_tls = std::uint64_t{1} << 20;
    return thread_pointer() - address < greatest_static_tls;
  }

  void pointer(const Relocation& r, const Symbol& symbol, std::uint64_t addend) {
    if (r.symbol == 0) return fixed_word(r.address, addend);
    const Resolution target = resolve(symbol);
    if (target.kind == Resolution::in_image) {
      const std::uint64_t value = target.image->offset + target.value;
      if (target.ifunc) return ifunc_word(r.address, value);
      return out_.words.push_back({from_->offset + r.address, value + addend});
    }
    if (target.kind == Resolution::in_slot)
      return out_.words.push_back({from_->offset + r.address, target.value + addend});
    fixed_word(r.address, target.value + addend);
    if (target.kind == Resolution::at_address && r.type != R_X86_64_64)
      out_.library_words.push_back({from_->offset + r.address, target.value});
  }

  void tls_block(std::uint64_t address, const Resolution& target) {
    tls_variable(address, without_value(target), 0);
  }

  static Resolution without_value(Resolution target) {
    if (target.kind == Resolution::in_image) target.value = 0;
    return target;
  }

  void tls_variable(std::uint64_t address, const Resolution& target, std::uint64_t addend) {
    if (target.kind != Resolution::in_image) return fixed_word(address, target.value + addend);
    const TlsPlace& place = target.image->tls;
    if (place.kind == TlsPlace::in_slot)
      out_.words.push_back({from_->offset + address, place.offset + target.value + addend});
    else
      fixed_word(address, thread_pointer() - place.distance + target.value + addend);
  }

  void thread_pointer_offset(std::uint64_t address, const Resolution& target, std::uint64_t addend) {
    if (target.kind == Resolution::in_image)
      fixed_word(address, target.value + addend - target.image->tls.distance);
    else
      fixed_word(address, target.value + addend - thread_pointer());
  }

  void copy(const Relocation& r, const Symbol& symbol) {
    const Resolution source = resolver_.resolve_copied(scope_, *from_, symbol);
    const std::uint64_t to = from_->offset + r.address;
    if (source.kind == Resolution::undefined) {
      if (symbol.binding != STB_WEAK) undefined_.insert(describe(symbol));
    } else if (source.kind == Resolution::in_image) {
      const Symbol& definition = *source.image->file.find(symbol.name);
      const std::uint64_t bytes = std::min(symbol.bytes, definition.bytes);
      const ElfFile& file = source.image->file;
      const std::byte* const constant = file.contents_at(source.value, bytes);
      if (!source.tls && file.data_at(source.value, bytes))
        copies_.push_back({to, source.image->offset + source.value, bytes});
      else if (!source.tls && constant)
        write(to, constant, bytes);
      else
        throw Error(file.path + ": " + std::string(symbol.name) + " is no variable to copy");
    } else {
      copy_from_library(to, symbol, reinterpret_cast<const std::byte*>(source.value));
    }
  }

  void copy_from_library(std::uint64_t to, const Symbol& symbol, const std::byte* source) {
    Dl_info info;
    void* entry = nullptr;
    if (!dladdr1(source, &info, &entry, RTLD_DL_SYMENT) || !entry)
      throw Error(from_->file.path + ": the size of the variable " + std::string(symbol.name) +
                  " is unknown");
    write(to, source, std::min<std::uint64_t>(symbol.bytes, static_cast<const Elf64_Sym*>(entry)->st_size));
  }

  /// Copies a variable of an image, whose relocations have all been applied.
  void copy_from_image(const Copy& copy) {
    for (std::size_t i = 0, count = out_.data.size(); i < count; ++i) {
      const Bytes run = out_.data[i];
      const std::uint64_t begin = std::max(copy.from, run.offset);
      const std::uint64_t end = std::min(copy.from + copy.bytes, run.offset + run.contents.size());
      if (begin < end)
        write(copy.to + (begin - copy.from), run.contents.data() + (begin - run.offset), end - begin);
    }
    for (std::size_t i = 0, count = out_.words.size(); i < count; ++i) {
      const SlotWord word = out_.words[i];
      if (word.offset - copy.from < copy.bytes)
        out_.words.push_back({copy.to + (word.offset - copy.from), word.value});
    }
  }

  void slot_word(std::uint64_t address, std::uint64_t value) {
    out_.words.push_back({from_->offset + address, from_->offset + value});
  }
  void ifunc_word(std::uint64_t address, std::uint64_t resolver) {
    out_.ifuncs.push_back({from_->offset + address, resolver});
  }
  void fixed_word(std::uint64_t address, std::uint64_t value) {
    write(from_->offset + address, reinterpret_cast<const std::byte*>(&value), sizeof value);
  }

  /// Returns null if the memory has no contents in the file (it is zero at first).
  std::byte* contents_at(std::uint64_t offset, std::uint64_t bytes) {
    for (std::size_t i = 0; i < runs_from_files_; ++i) {
      Bytes& run = out_.data[i];
      if (offset >= run.offset && offset - run.offset <= run.contents.size() &&
          bytes <= run.contents.size() - (offset - run.offset))
        return run.contents.data() + (offset - run.offset);
    }
    return nullptr;
  }

  void write(std::uint64_t offset, const std::byte* bytes, std::uint64_t count) {
    if (count == 0) return;
    if (std::byte* to = contents_at(offset, count))
      memcpy(to, bytes, count);
    else
      out_.data.push_back({offset, std::vector<std::byte>(bytes, bytes + count)});
  }

  std::string describe(const Symbol& symbol) const {
    std::string text(symbol.name);
    if (!symbol.version.empty()) text.append("@").append(symbol.version);
    return text + " (" + from_->file.path + ")";
  }

  [[noreturn]] void report_undefined() const {
    std::string message = "nothing defines ";
    std::size_t listed = 0;
    bool mpi = false;
    for (const std::string& name : undefined_) {
      mpi = mpi || is_mpi_name(name);
      if (listed < kNamesInError) message.append(listed ? ", " : "").append(name);
      ++listed;
    }
    if (listed > kNamesInError) message += format(" and %zu more", listed - kNamesInError);
    message += mpi ? ": Skein has no such MPI function; rebuild with skein cc, cxx or fc against its mpi.h"
                   : ": a library is missing at run time or older than the one linked against";
    throw Error(message);
  }

  const Resolver::Scope& images_;
  const Resolver::Scope& scope_;
  Resolver& resolver_;
  SlotTemplate out_;
  std::size_t runs_from_files_ = 0;
  const Image* from_ = nullptr;
  std::vector<Copy> copies_;
  std::set<std::string> undefined_;
};

}  // namespace

std::vector<bool> find_static_tls(const Resolver::Scope& images, Resolver& resolver) {
  std::vector<bool> is_static(images.size());
  for (std::size_t i = 0; i < images.size(); ++i)
    is_static[i] = images[i]->file.is_executable || images[i]->file.static_tls;
  for (const Image* image : images)
    for (const Relocation& r : image->file.relocations) {
      if (r.type != R_X86_64_TPOFF64) continue;
      const Image* owner = image;
      if (r.symbol != 0) owner = resolver.resolve(images, *image, image->file.symbols[r.symbol]).image;
      for (std::size_t i = 0; i < images.size(); ++i)
        if (images[i] == owner) is_static[i] = true;
    }
  return is_static;
}

SlotTemplate link_images(const Resolver::Scope& images, const Resolver::Scope& scope, Resolver& resolver) {
  return Linker(images, scope, resolver).link();
}

}  // namespace skein::image
