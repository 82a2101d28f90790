// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <utility>

#include "runtime/base/error.hpp"
#include "runtime/image/elf_file.hpp"
#include "runtime/image/elf_reader.hpp"
#include "runtime/image/symbol_table.hpp"

namespace skein::image {
namespace {

constexpr std::uint64_t kWord = 8;

struct DynamicEntries {
  SymbolTableLocation symbol_table;
  std::uint64_t rela = 0, rela_bytes = 0, plt = 0, plt_bytes = 0, relr = 0, relr_bytes = 0;
  std::uint64_t init_array_bytes = 0, fini_array_bytes = 0, preinit_array_bytes = 0;
  std::uint64_t soname = 0, rpath = 0, runpath = 0;
  std::vector<std::uint64_t> needed;
  bool plt_is_rela = true, text_relocations = false;
};

class DynamicReader {
 public:
  DynamicReader(const ElfReader& reader, ElfFile& file) : reader_(reader), file_(file) {}

  void read() {
    read_entries();
    file_.symbol_table = d_.symbol_table.symbols;
    if (d_.text_relocations) refuse_text_relocations();
    if (!d_.plt_is_rela) reader_.fail("relocations of the kind that x86-64 does not use (DT_REL)");
    for (const std::uint64_t name : d_.needed) file_.needed.emplace_back(string(name));
    if (d_.soname) file_.soname = string(d_.soname);
    if (d_.rpath) file_.rpath = string(d_.rpath);
    if (d_.runpath) file_.runpath = string(d_.runpath);
    read_relocations();
    read_symbols();
    check_relocations();
    check_functions();
  }

 private:
  void read_entries() {
    const Elf64_Phdr& segment = *reader_.segment(PT_DYNAMIC);
    file_.dynamic = segment.p_vaddr;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= segment.p_filesz; at += sizeof(Elf64_Dyn)) {
      const auto entry = reader_.object_at_offset<Elf64_Dyn>(segment.p_offset + at, "dynamic section");
      if (entry.d_tag == DT_NULL) return;
      read_entry(entry.d_tag, entry.d_un.d_val);
    }
    reader_.fail("its dynamic section has no end");
  }

  void read_entry(std::int64_t tag, std::uint64_t value) {
    SymbolTableLocation& table = d_.symbol_table;
    const std::pair<std::int64_t, std::uint64_t*> plain[] = {
        {DT_SYMTAB, &table.symbols},
        {DT_STRTAB, &table.strings},
        {DT_STRSZ, &table.string_bytes},
        {DT_GNU_HASH, &table.gnu_hash},
        {DT_HASH, &table.hash},
        {DT_VERSYM, &table.versions},
        {DT_VERNEED, &table.versions_needed},
        {DT_VERNEEDNUM, &table.versions_needed_count},
        {DT_RELA, &d_.rela},
        {DT_RELASZ, &d_.rela_bytes},
        {DT_JMPREL, &d_.plt},
        {DT_PLTRELSZ, &d_.plt_bytes},
        {DT_RELR, &d_.relr},
        {DT_RELRSZ, &d_.relr_bytes},
        {DT_INIT, &file_.init},
        {DT_FINI, &file_.fini},
        {DT_INIT_ARRAY, &file_.init_array.address},
        {DT_INIT_ARRAYSZ, &d_.init_array_bytes},
        {DT_FINI_ARRAY, &file_.fini_array.address},
        {DT_FINI_ARRAYSZ, &d_.fini_array_bytes},
        {DT_PREINIT_ARRAY, &file_.preinit_array.address},
        {DT_PREINIT_ARRAYSZ, &d_.preinit_array_bytes},
        {DT_SONAME, &d_.soname},
        {DT_RPATH, &d_.rpath},
        {DT_RUNPATH, &d_.runpath},
    };
    for (const auto& [known, place] : plain)
      if (tag == known) *place = value;
    switch (tag) {
      case DT_PLTREL:
        d_.plt_is_rela = value == DT_RELA;
        break;
      case DT_NEEDED:
        d_.needed.push_back(value);
        break;
      case DT_SYMBOLIC:
        file_.binds_to_itself = true;
        break;
      case DT_TEXTREL:
        d_.text_relocations = true;
        break;
      case DT_FLAGS:
        if (value & DF_SYMBOLIC) file_.binds_to_itself = true;
        if (value & DF_STATIC_TLS) file_.static_tls = true;
        if (value & DF_TEXTREL) d_.text_relocations = true;
        break;
      case DT_FLAGS_1:
        // A position-independent executable without an interpreter relocates itself.
        if ((value & DF_1_PIE) && !file_.is_executable)
          throw Error(
              file_.path +
              " is linked statically (-static-pie): Skein must bind its MPI calls; link it with -pie");
        break;
      default:
        break;
    }
  }

  void read_relocations() {
    for (const auto& [address, bytes] : {std::pair{d_.rela, d_.rela_bytes}, std::pair{d_.plt, d_.plt_bytes}})
      for (const auto& r :
           reader_.array_at_address<Elf64_Rela>(address, bytes / sizeof(Elf64_Rela), "relocation table"))
        file_.relocations.push_back({r.r_offset, r.r_addend,
                                     static_cast<std::uint32_t>(ELF64_R_TYPE(r.r_info)),
                                     static_cast<std::uint32_t>(ELF64_R_SYM(r.r_info))});
    read_packed_relocations();
  }

  /// RELR: an even word is an address to relocate; an odd one is a bitmap of the 63 words that follow the
  /// last.
  void read_packed_relocations() {
    std::uint64_t next = 0;
    for (const std::uint64_t entry :
         reader_.array_at_address<std::uint64_t>(d_.relr, d_.relr_bytes / kWord, "packed relocation table")) {
      if (!(entry & 1)) {
        add_packed(entry);
        next = entry + kWord;
        continue;
      }
      for (unsigned bit = 1; bit < 64; ++bit)
        if (entry >> bit & 1) add_packed(next + (bit - 1) * kWord);
      next += 63 * kWord;
    }
  }

  void add_packed(std::uint64_t address) {
    const DataRun* run = file_.data_at(address, kWord);
    if (!run) refuse_text_relocations();
    if (address - run->address + kWord > run->contents.size())
      reader_.fail("a packed relocation lies in memory without contents");
    file_.relative.push_back(address);
  }

  std::string_view string(std::uint64_t offset) const { return string_of(reader_, d_.symbol_table, offset); }

  void read_symbols() {
    std::uint64_t named = 0;
    for (const Relocation& r : file_.relocations) named = std::max<std::uint64_t>(named, r.symbol);
    file_.symbols = read_symbol_table(reader_, d_.symbol_table, named + 1);
  }

  void check_relocations() const {
    for (const Relocation& r : file_.relocations) {
      if (r.symbol >= file_.symbols.size())
        reader_.fail("a relocation names symbol %u of %zu", r.symbol, file_.symbols.size());
      std::uint64_t bytes = kWord;
      switch (r.type) {
        case R_X86_64_NONE:
          continue;
        case R_X86_64_64:
        case R_X86_64_GLOB_DAT:
        case R_X86_64_JUMP_SLOT:
        case R_X86_64_RELATIVE:
        case R_X86_64_IRELATIVE:
        case R_X86_64_DTPMOD64:
        case R_X86_64_DTPOFF64:
        case R_X86_64_TPOFF64:
          break;
        case R_X86_64_TLSDESC:
          bytes = 2 * kWord;
          break;
        case R_X86_64_COPY:
          bytes = file_.symbols[r.symbol].bytes;
          break;
        case R_X86_64_32:
        case R_X86_64_32S:
        case R_X86_64_PC32:
          refuse_text_relocations();
        default:
          reader_.fail("relocations of type %u, which is unknown", r.type);
      }
      if (!file_.data_at(r.address, bytes)) refuse_text_relocations();
    }
  }

  void check_functions() {
    file_.init_array.entries = d_.init_array_bytes / kWord;
    file_.fini_array.entries = d_.fini_array_bytes / kWord;
    file_.preinit_array.entries = d_.preinit_array_bytes / kWord;
    for (const Table* table : {&file_.init_array, &file_.fini_array, &file_.preinit_array})
      if (table->entries &&
          (table->entries > file_.span / kWord || !file_.data_at(table->address, table->entries * kWord)))
        reader_.fail("a table of constructors lies outside its data");
    for (const std::uint64_t function : {file_.init, file_.fini})
      if (function && !file_.in_code(function)) reader_.fail("a constructor is not in code");
  }

  [[noreturn]] void refuse_text_relocations() const {
    throw Error(file_.path +
                " has relocations in its code (text relocations), so its code cannot be shared: compile all "
                "of it with -fPIE or -fPIC");
  }

  const ElfReader& reader_;
  ElfFile& file_;
  DynamicEntries d_;
};

}  // namespace

void read_dynamic_section(const ElfReader& reader, ElfFile& file) { DynamicReader(reader, file).read(); }

}  // namespace skein::image
