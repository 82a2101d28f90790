// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/elf_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "runtime/arena/arena.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/fnv.hpp"
#include "runtime/image/elf_reader.hpp"

namespace skein::image {
namespace {

using arena::kPageBytes;

constexpr std::uint64_t page_down(std::uint64_t x) { return x & ~std::uint64_t{kPageBytes - 1}; }
constexpr std::uint64_t page_up(std::uint64_t x) { return page_down(x + kPageBytes - 1); }

/// Larger than any slot; bounds what a damaged size can make the loader allocate.
constexpr std::uint64_t kGreatestAddress = std::uint64_t{64} << 30;
constexpr std::uint64_t kGreatestAlignment = kGreatestAddress;

const char* machine_name(unsigned machine) {
  switch (machine) {
    case EM_386:
      return "32-bit x86";
    case EM_AARCH64:
      return "AArch64";
    case EM_ARM:
      return "ARM";
    case EM_PPC64:
      return "POWER";
    case EM_RISCV:
      return "RISC-V";
    case EM_S390:
      return "IBM Z";
    default:
      return "another machine";
  }
}

std::string absolute_path(const std::string& path) {
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) ? resolved : path;
}

Elf64_Ehdr checked_header(const std::string& path, const std::byte* bytes, std::size_t size) {
  if (size >= 2 && memcmp(bytes, "#!", 2) == 0)
    throw Error(path + " is a script, not a compiled program: name the program that it starts");
  if (size < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0)
    throw Error(path + " is not an ELF file, so no compiled program or library");
  if (size < sizeof(Elf64_Ehdr)) throw Error(path + ": damaged ELF file: it ends inside its header");
  Elf64_Ehdr header;
  memcpy(&header, bytes, sizeof header);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_machine != EM_X86_64)
    throw Error(
        path + " is built for " +
        (header.e_machine == EM_X86_64 ? "x32 or a big-endian x86-64" : machine_name(header.e_machine)) +
        "; Skein runs 64-bit x86-64 programs");
  if (header.e_type == ET_REL) throw Error(path + " is an object file: link it to a program first");
  if (header.e_type == ET_CORE) throw Error(path + " is a core dump, not a program");
  return header;
}

void check_linkage(const std::string& path, const Elf64_Ehdr& header, const ElfReader& reader) {
  if (header.e_type == ET_DYN && reader.segment(PT_DYNAMIC)) return;
  if (header.e_type == ET_DYN || !reader.segment(PT_INTERP))
    throw Error(path + " is linked statically: Skein must bind its MPI calls; link it without -static");
  throw Error(path +
              " is not position-independent, so it can exist once in a process only: compile with -fPIE and "
              "link with -pie (skein cc, cxx and fc do)");
}

}  // namespace

ElfFile::ElfFile(const std::string& given_path, FileRole role) : path(absolute_path(given_path)) {
  const char* const kind = role == FileRole::program ? "program" : "library";
  descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw Error(format("cannot open the %s %s: %s", kind, path.c_str(), strerror(errno)));
  try {
    if (fstat(descriptor_, &status_) != 0)
      throw Error(format("cannot examine %s: %s", path.c_str(), strerror(errno)));
    if (S_ISDIR(status_.st_mode)) throw Error(format("%s is a directory, not a %s", path.c_str(), kind));
    if (!S_ISREG(status_.st_mode)) throw Error(format("%s is no ordinary file", path.c_str()));
    size_ = static_cast<std::size_t>(status_.st_size);
    if (size_ == 0) throw Error(path + " is empty");
    void* mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor_, 0);
    if (mapped == MAP_FAILED)
      throw Error(format("cannot read %s (%zu bytes): %s", path.c_str(), size_, strerror(errno)));
    bytes_ = static_cast<const std::byte*>(mapped);
    read(role);
  } catch (...) {
    release();
    throw;
  }
}

ElfFile::~ElfFile() { release(); }

void ElfFile::release() {
  if (bytes_) munmap(const_cast<std::byte*>(bytes_), size_);
  if (descriptor_ >= 0) close(descriptor_);
  bytes_ = nullptr;
  descriptor_ = -1;
}

void ElfFile::read(FileRole role) {
  const Elf64_Ehdr header = checked_header(path, bytes_, size_);
  ElfReader reader(path, bytes_, size_);
  reader.read_segments(header);
  check_linkage(path, header, reader);
  read_segments(reader);
  read_alignment(header, reader);
  find_state(header, reader);
  program_headers = reader.segments();
  entry = header.e_entry;
  is_executable = reader.segment(PT_INTERP) != nullptr;
  const Elf64_Phdr* const stack = reader.segment(PT_GNU_STACK);
  executable_stack = stack ? (stack->p_flags & PF_X) != 0 : role == FileRole::library;
  read_dynamic_section(reader, *this);
  if (soname.empty()) soname = path.substr(path.rfind('/') + 1);
  if (role == FileRole::program && is_executable && !in_code(entry))
    reader.fail("its entry point 0x%llx is not in code", static_cast<unsigned long long>(entry));
  for (std::uint32_t i = 1; i < symbols.size(); ++i)
    if (symbols[i].defined && !symbols[i].hidden && symbols[i].binding != STB_LOCAL)
      definitions_.emplace(symbols[i].name, i);
  compute_digest(header, reader);
}

void ElfFile::read_segments(const ElfReader& reader) {
  std::uint64_t end = 0;
  bool first = true, text_before = false;
  for (const Elf64_Phdr& s : reader.segments()) {
    if (s.p_type == PT_GNU_EH_FRAME && s.p_filesz >= 4) {
      reader.at_address(s.p_vaddr, s.p_filesz, "exception table");
      eh_frame_header = s.p_vaddr;
    }
    if (s.p_type == PT_TLS) {
      tls = {s.p_vaddr, s.p_filesz, s.p_memsz, s.p_align ? s.p_align : 1};
      if (tls.file_bytes > tls.bytes || tls.bytes > kGreatestAddress)
        reader.fail("its thread-local segment has more contents than memory");
      if (!std::has_single_bit(tls.alignment) || tls.alignment > kGreatestAlignment)
        reader.fail("its thread-local segment is aligned to %llu bytes",
                    static_cast<unsigned long long>(tls.alignment));
      if (tls.file_bytes) reader.at_address(tls.address, tls.file_bytes, "thread-local segment");
    }
    if (s.p_type == PT_GNU_RELRO) {
      // The linker lets it end at a page's end. The part of the first page before its begin is its own, or
      // text.
      sealed = page_down(s.p_vaddr);
      if (s.p_vaddr > kGreatestAddress || s.p_memsz > kGreatestAddress)
        reader.fail("its read-only data has no end");
      sealed_bytes = page_down(s.p_vaddr + s.p_memsz) - sealed;
    }
    if (s.p_type != PT_LOAD || s.p_memsz == 0) continue;

    const bool writable = s.p_flags & PF_W;
    if (s.p_vaddr + s.p_memsz > kGreatestAddress) reader.fail("it asks for more memory than a slot can have");
    if (first) lowest = page_down(s.p_vaddr);
    if (!first && s.p_vaddr < end) reader.fail("its segments overlap or are out of order");
    // Writable segments are copied, so two of them may share a page; text is mapped, so it may not.
    if (!first && (!writable || text_before) && page_down(s.p_vaddr) < page_up(end))
      reader.fail("two of its segments share a page");
    if (writable && (s.p_flags & PF_X))
      throw Error(path +
                  " has memory that is both writable and executable (linked with -N or -z execstack text?): "
                  "link it without that option");
    if (writable) {
      DataRun run{s.p_vaddr, s.p_memsz, std::vector<std::byte>(s.p_filesz)};
      if (s.p_filesz) memcpy(run.contents.data(), bytes_ + s.p_offset, s.p_filesz);
      data.push_back(std::move(run));
    } else {
      if (s.p_memsz != s.p_filesz) reader.fail("a read-only segment is larger than its contents");
      if ((s.p_vaddr - s.p_offset) % kPageBytes) reader.fail("a segment cannot be mapped: wrong alignment");
      add_text(s.p_vaddr, s.p_filesz, s.p_offset);
      if (s.p_flags & PF_X) code_.push_back({s.p_vaddr, s.p_filesz, s.p_offset});
    }
    end = s.p_vaddr + s.p_memsz;
    text_before = !writable;
    first = false;
  }
  if (first) reader.fail("it has nothing to load");
  const auto in_text = [&](const TextRun& run) {
    return sealed < run.address + run.bytes && run.address < sealed + sealed_bytes;
  };
  if (sealed_bytes &&
      (sealed < lowest || sealed + sealed_bytes > page_up(end) || std::ranges::any_of(text, in_text)))
    reader.fail("its read-only data lies outside its data");
  span = page_up(end) - lowest;
  used = text_before ? span : end - lowest;  // what follows text in its last page is the file's
}

/// Reads the alignment. A segment's alignment is the larger of its sections' and of the largest page that the
/// linker assumed (ld before 2.31: 2 MiB for every file). No data needs the latter, and it would be costly
/// (see arena::page_shift()); so section headers decide, if the file has them.
void ElfFile::read_alignment(const Elf64_Ehdr& header, const ElfReader& reader) {
  std::uint64_t of_segments = kPageBytes;
  for (const Elf64_Phdr& s : reader.segments()) {
    if (s.p_type != PT_LOAD || s.p_align <= kPageBytes) continue;
    if (!std::has_single_bit(s.p_align) || s.p_align > kGreatestAlignment)
      reader.fail("a segment is aligned to %llu bytes", static_cast<unsigned long long>(s.p_align));
    of_segments = std::max<std::uint64_t>(of_segments, s.p_align);
  }
  const std::vector<Elf64_Shdr> sections = reader.sections(header);
  std::uint64_t of_sections = sections.empty() ? of_segments : kPageBytes;
  for (const Elf64_Shdr& section : sections)
    if ((section.sh_flags & SHF_ALLOC) && std::has_single_bit(section.sh_addralign))
      of_sections = std::max<std::uint64_t>(of_sections, section.sh_addralign);
  alignment = std::max(std::min(of_segments, of_sections), tls.alignment);
}

/// Finds out whether the file keeps state. Start-up code and linkers give every library some writable memory:
/// tables of addresses, which are read-only after the start or which only linkers write; a word in .data
/// (__dso_handle); a flag, filled up to a word, in .bss. Whatever is beyond that is the library's own. (A
/// flag of one byte beside that one goes unnoticed.)
void ElfFile::find_state(const Elf64_Ehdr& header, const ElfReader& reader) {
  constexpr std::string_view tables[] = {".got",   ".got.plt",        ".dynamic",  ".init_array",
                                         ".ctors", ".fini_array",     ".dtors",    ".data.rel.ro",
                                         ".jcr",   ".tm_clone_table", ".eh_frame", ".preinit_array"};
  constexpr std::uint64_t word = 8;
  keeps_state = tls.bytes > 0;
  const Elf64_Phdr* const relro = reader.segment(PT_GNU_RELRO);
  const std::vector<Elf64_Shdr> sections = reader.sections(header);
  if (sections.empty()) keeps_state = !data.empty();  // without sections any data may be state
  for (const Elf64_Shdr& section : sections) {
    const bool is_written = (section.sh_flags & SHF_ALLOC) && (section.sh_flags & SHF_WRITE) &&
                            !(section.sh_flags & SHF_TLS) && section.sh_size > 0;
    if (!is_written || (relro && section.sh_addr - relro->p_vaddr < relro->p_memsz)) continue;
    const std::string_view name = reader.section_name(header, section);
    if (std::ranges::find(tables, name) != std::end(tables)) continue;
    const bool is_usual =
        section.sh_size <= word && (name == ".data" || (name == ".bss" && section.sh_addralign == 1));
    if (!is_usual) keeps_state = true;
  }
}

/// Appends text. Neighbours whose bytes lie in the file as they lie in memory become one mapping (GNU ld's
/// headers, code and constants; the loader then maps all of it executable), because the system limits the
/// number of mappings.
void ElfFile::add_text(std::uint64_t address, std::uint64_t bytes, std::uint64_t offset) {
  const std::uint64_t begin = page_down(address), end = page_up(address + bytes);
  if (!text.empty()) {
    TextRun& last = text.back();
    const bool nothing_between = data.empty() || data.back().address < last.address;
    if (nothing_between && begin - last.address == page_down(offset) - last.file_offset) {
      last.bytes = end - last.address;
      return;
    }
  }
  text.push_back({begin, end - begin, page_down(offset)});
}

void ElfFile::compute_digest(const Elf64_Ehdr& header, const ElfReader& reader) {
  Fnv1a digest;
  digest.add(&header, sizeof header);
  digest.add(reader.segments().data(), reader.segments().size() * sizeof(Elf64_Phdr));
  bool has_notes = false;  // mostly the build id, which stands for all of the file
  for (const Elf64_Phdr& s : reader.segments())
    if (s.p_type == PT_NOTE && s.p_filesz > 0) {
      digest.add(reader.at_offset(s.p_offset, s.p_filesz, "note"), s.p_filesz);
      has_notes = true;
    }
  if (!has_notes)
    for (const TextRun& run : code_) digest.add(bytes_ + run.file_offset, run.bytes);
  for (const DataRun& run : data) digest.add(run.contents.data(), run.contents.size());
  digest_ = digest.value();
}

const Symbol* ElfFile::find(std::string_view name) const {
  const auto found = definitions_.find(name);
  return found == definitions_.end() ? nullptr : &symbols[found->second];
}

const DataRun* ElfFile::data_at(std::uint64_t address, std::uint64_t bytes) const {
  for (const DataRun& run : data)
    if (address >= run.address && address - run.address <= run.bytes &&
        bytes <= run.bytes - (address - run.address))
      return &run;
  return nullptr;
}

bool ElfFile::in_code(std::uint64_t address) const {
  for (const TextRun& run : code_)
    if (address >= run.address && address - run.address < run.bytes) return true;
  return false;
}

const std::byte* ElfFile::contents_at(std::uint64_t address, std::uint64_t bytes) const {
  for (const Elf64_Phdr& s : program_headers)
    if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr <= s.p_filesz &&
        bytes <= s.p_filesz - (address - s.p_vaddr))
      return bytes_ + s.p_offset + (address - s.p_vaddr);
  return nullptr;
}

std::uint64_t ElfFile::address_of(const void* read) const {
  const auto offset = static_cast<std::uint64_t>(static_cast<const std::byte*>(read) - bytes_);
  for (const Elf64_Phdr& s : program_headers)
    if (s.p_type == PT_LOAD && offset - s.p_offset < s.p_filesz) return s.p_vaddr + (offset - s.p_offset);
  return 0;
}

bool ElfFile::unchanged() {
  struct stat now;
  if (fstat(descriptor_, &now) != 0 || now.st_size != status_.st_size) return false;
  if (now.st_mtim.tv_sec == status_.st_mtim.tv_sec && now.st_mtim.tv_nsec == status_.st_mtim.tv_nsec)
    return true;
  try {
    if (ElfFile("/proc/self/fd/" + std::to_string(descriptor_), FileRole::library).digest() != digest_)
      return false;
  } catch (const Error&) {
    return false;
  }
  status_ = now;  // only touched, or rewritten with the same contents
  return true;
}

}  // namespace skein::image
