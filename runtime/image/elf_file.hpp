// SPDX-License-Identifier: Apache-2.0
// One ELF64 x86-64 file, read and validated: the values that the loader needs of it.
//
// Everything a file says about itself is checked here against the file's size and against its own segments,
// so that the rest of the loader may trust an ElfFile: every relocation lies in writable memory and names an
// existing symbol, every table lies in its segment, every entry point in executable code. A damaged file
// makes an Error, never a crash.
//
// Text is mapped from the file itself, not from a copy in memory: all ranks of all PEs of a node then share
// it in the page cache, and perf and debuggers see it under the file's name. The job keeps the file open, so
// it does not notice when the file is replaced (as linkers, install and make do it: unlink, then create). A
// file that is overwritten in place cannot be protected (the kernel refuses that only for files that were
// started by execve); unchanged() tells, and the loader refuses to map more of it.
//
// Sources: System V ABI, ELF chapters; its AMD64 supplement; the GNU and LLVM linkers for RELR and GNU_HASH.
#pragma once

#include <elf.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace skein::image {

class ElfReader;

/// Read-only pages, mapped from the file. Page multiples.
struct TextRun {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t file_offset = 0;
};

/// Writable memory: `contents`, then zeroes up to `bytes`.
struct DataRun {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::vector<std::byte> contents;
};

struct Table {
  std::uint64_t address = 0;
  std::uint64_t entries = 0;
};

struct Symbol {
  std::string_view name;
  std::string_view version;  ///< that the reference requests; empty if none
  std::uint64_t value = 0;
  std::uint64_t bytes = 0;
  std::uint8_t type = STT_NOTYPE;
  std::uint8_t binding = STB_LOCAL;
  std::uint8_t visibility = STV_DEFAULT;
  bool defined = false;
  bool hidden = false;    ///< a definition of an old version: the name alone does not find it
  bool absolute = false;  ///< `value` is no address of the file (SHN_ABS)
};

struct Relocation {
  std::uint64_t address = 0;
  std::int64_t addend = 0;
  std::uint32_t type = R_X86_64_NONE;
  std::uint32_t symbol = 0;  ///< index into symbols; 0 means none
};

struct TlsSegment {
  std::uint64_t address = 0;     ///< of the initial values, in the file's writable or read-only memory
  std::uint64_t file_bytes = 0;  ///< of initial values; zeroes follow
  std::uint64_t bytes = 0;       ///< 0: the file has no TLS
  std::uint64_t alignment = 1;
};

enum class FileRole { program, library };

class ElfFile {
 public:
  /// Throws skein::Error naming the file, what is wrong with it and, for a program that was built in a way
  /// that cannot work (not ELF, other machine, ET_EXEC, static, text relocations), how to build it.
  ElfFile(const std::string& path, FileRole role);
  ~ElfFile();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  std::string path;    ///< absolute, without symbolic links
  std::string soname;  ///< DT_SONAME, or the last part of the path
  std::vector<std::string> needed;
  std::string rpath, runpath;

  std::uint64_t lowest = 0;     ///< page of the lowest address
  std::uint64_t span = 0;       ///< bytes from there to the end, page multiple
  std::uint64_t alignment = 0;  ///< of all definitions, thread-local data too; at least a page
  std::uint64_t used = 0;       ///< bytes of `span` up to the file's last; memory beyond is free
  std::vector<Elf64_Phdr> program_headers;
  std::vector<TextRun> text;
  std::vector<DataRun> data;
  TlsSegment tls;
  /// Writable memory that is constant after relocation (PT_GNU_RELRO): whole pages, 0 bytes if there is none.
  std::uint64_t sealed = 0, sealed_bytes = 0;

  bool is_executable = false;  ///< a position-independent executable; else a shared object
  /// The file requests executable stacks (PT_GNU_STACK). A library without that header requests them,
  /// according to ld.so; a program without it does not, according to the kernel.
  bool executable_stack = false;
  bool static_tls = false;       ///< DF_STATIC_TLS: uses the initial-exec model
  bool binds_to_itself = false;  ///< DF_SYMBOLIC
  /// The file has variables that programs write, or thread-local ones, beyond what linkers put into every
  /// file.
  bool keeps_state = false;
  std::uint64_t entry = 0;
  std::uint64_t dynamic = 0;
  std::uint64_t symbol_table = 0;
  std::uint64_t eh_frame_header = 0;  ///< 0: none
  std::uint64_t init = 0, fini = 0;   ///< 0: none
  Table preinit_array, init_array, fini_array;

  std::vector<Symbol> symbols;          ///< symbols[0] is the empty one
  std::vector<Relocation> relocations;  ///< in the order of application
  std::vector<std::uint64_t> relative;  ///< from DT_RELR: *(address) += base

  /// Returns the file's own definition of a dynamic symbol, or null.
  const Symbol* find(std::string_view name) const;
  /// Returns the run of writable memory that holds [address, address + bytes), or null.
  const DataRun* data_at(std::uint64_t address, std::uint64_t bytes) const;
  bool in_code(std::uint64_t address) const;
  /// Returns the file's contents of [address, address + bytes), or null where it has none.
  const std::byte* contents_at(std::uint64_t address, std::uint64_t bytes) const;

  /// Returns the address of a part of the file that was read, like a name of its string table; 0 if no
  /// segment has it.
  std::uint64_t address_of(const void* read) const;
  /// Returns the status when the file was read.
  const struct stat& status() const { return status_; }
  /// Returns the descriptor to map `text` from.
  int descriptor() const { return descriptor_; }
  /// Returns true if the file is still the one that was read: by size and time, and if the time differs, by
  /// digest(). Costs one system call.
  bool unchanged();
  /// Returns a digest, equal for equal files: over headers, notes (the build id) and writable data.
  std::uint64_t digest() const { return digest_; }

 private:
  void read(FileRole role);
  void read_segments(const ElfReader& reader);
  void read_alignment(const Elf64_Ehdr& header, const ElfReader& reader);
  void find_state(const Elf64_Ehdr& header, const ElfReader& reader);
  void add_text(std::uint64_t address, std::uint64_t bytes, std::uint64_t offset);
  void compute_digest(const Elf64_Ehdr& header, const ElfReader& reader);
  void release();

  int descriptor_ = -1;
  const std::byte* bytes_ = nullptr;
  std::size_t size_ = 0;
  struct stat status_ = {};
  std::uint64_t digest_ = 0;
  std::vector<TextRun> code_;  // executable segments, exact bytes
  std::unordered_map<std::string_view, std::uint32_t> definitions_;
};

/// Throws skein::Error, naming the sanitizer and what to do, if the file is built with one that cannot work
/// in ranks, because its runtime library describes all memory of a process in a shadow at fixed addresses, or
/// knows its threads by their stacks. UndefinedBehaviorSanitizer does neither.
void refuse_sanitizers(const ElfFile& file);

/// Writes the name of the function that holds `address` (as in the file) to `name`, zero-terminated and cut
/// to `bytes`. Returns false if the file has no such function, was stripped, or is damaged. Reads the file
/// again at each call, in small pieces: for messages about a rank that fails. Async-signal-safe.
bool find_static_function(int descriptor, std::uint64_t address, char* name, std::size_t bytes);
/// Returns true if the file's table of all symbols, dynamic or not, has that name; false if it was stripped,
/// or is damaged.
bool has_static_symbol(int descriptor, std::string_view name);

}  // namespace skein::image
