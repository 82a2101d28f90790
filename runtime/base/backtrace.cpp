// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/backtrace.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <cerrno>  // program_invocation_short_name
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "runtime/base/upcalls.hpp"

extern "C" {
extern const char __executable_start[];
extern const char etext[];
}

namespace skein {
namespace {

constexpr int kMostFrames = 64;
constexpr std::size_t kMostLine = 512;
constexpr std::size_t kMostName = 400;

struct Trace {
  std::uintptr_t frames[kMostFrames];
  int count = 0;
  std::uintptr_t interrupted_at = 0;  ///< not 0: earlier frames are the handler's
};

_Unwind_Reason_Code note_frame(_Unwind_Context* context, void* argument) {
  auto& trace = *static_cast<Trace*>(argument);
  int interrupted = 0;  // by a signal, at this instruction; else the address is the one behind a call
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &interrupted);
  if (!address || trace.count == kMostFrames) return _URC_END_OF_STACK;
  if (interrupted && address == trace.interrupted_at) trace.count = 0;
  trace.frames[trace.count++] = address - (interrupted ? 0 : 1);
  return _URC_NO_REASON;
}

bool in_executable(std::uintptr_t address) {
  return address >= reinterpret_cast<std::uintptr_t>(__executable_start) &&
         address < reinterpret_cast<std::uintptr_t>(etext);
}

/// A place in a library of this process, or in its program.
struct LibraryPlace {
  const char* file = nullptr;    ///< last part of its path; empty for the program itself
  std::uintptr_t address = 0;    ///< as in the file
  const char* symbol = nullptr;  ///< the exported function that holds it, or null
};

const char* last_part(const char* path) {
  const char* const slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/// The tables of a loaded object, whose addresses the dynamic linker has already relocated.
struct Tables {
  const Elf64_Sym* symbols = nullptr;
  const char* names = nullptr;
  const std::uint32_t* gnu_hash = nullptr;
  const std::uint32_t* hash = nullptr;

  explicit Tables(const link_map& object) {
    for (const Elf64_Dyn* entry = object.l_ld; entry->d_tag != DT_NULL; ++entry) {
      const std::uintptr_t at = entry->d_un.d_ptr;
      if (entry->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const Elf64_Sym*>(at);
      if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(at);
      if (entry->d_tag == DT_GNU_HASH) gnu_hash = reinterpret_cast<const std::uint32_t*>(at);
      if (entry->d_tag == DT_HASH) hash = reinterpret_cast<const std::uint32_t*>(at);
    }
  }

  /// Returns the number of symbols, which only the hash tables tell: in GNU's, the last one that is in a
  /// chain.
  std::uint32_t count() const {
    if (hash) return hash[1];
    if (!gnu_hash) return 0;
    const std::uint32_t bucket_count = gnu_hash[0], first_hashed = gnu_hash[1], bloom_words = gnu_hash[2];
    const std::uint32_t* const buckets = gnu_hash + 4 + 2 * bloom_words;
    const std::uint32_t* const chains = buckets + bucket_count;
    std::uint32_t last = *std::max_element(buckets, buckets + bucket_count);
    if (last < first_hashed) return first_hashed;
    while ((chains[last - first_hashed] & 1) == 0) ++last;
    return last + 1;
  }
};

/// Finds the library of an address, like dladdr(), but takes no lock of the dynamic linker, so that handlers
/// of faults may call it. Returns false if the address is in no library.
bool find_in_library(const void* address, LibraryPlace& place) {
  dl_find_object found;
  if (_dl_find_object(const_cast<void*>(address), &found) != 0 || !found.dlfo_link_map) return false;
  const link_map& object = *found.dlfo_link_map;
  place = {last_part(object.l_name), reinterpret_cast<std::uintptr_t>(address) - object.l_addr, nullptr};
  const Tables tables(object);
  if (!tables.symbols || !tables.names) return true;
  const std::uint32_t count = tables.count();
  for (std::uint32_t i = 1; i < count; ++i) {
    const Elf64_Sym& symbol = tables.symbols[i];
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if ((type == STT_FUNC || type == STT_GNU_IFUNC) && symbol.st_shndx != SHN_UNDEF &&
        place.address - symbol.st_value < symbol.st_size) {
      place.symbol = tables.names + symbol.st_name;
      break;
    }
  }
  return true;
}

bool in_c_library(std::uintptr_t address) {
  LibraryPlace place;
  return find_in_library(reinterpret_cast<const void*>(address), place) &&
         strncmp(place.file, "libc.so.", 8) == 0;
}

bool describe(std::uintptr_t address, char* out, std::size_t bytes) {
  const auto* const at = reinterpret_cast<const void*>(address);
  if (upcalls.describe_code && upcalls.describe_code(at, out, bytes)) return true;
  LibraryPlace place;
  if (!find_in_library(at, place)) {
    snprintf(out, bytes, "%p", at);
    return false;
  }
  char name[kMostName];
  snprintf(out, bytes, "%s(%s) [%#lx]", *place.file ? place.file : program_invocation_short_name,
           place.symbol ? readable_name(place.symbol, name, sizeof name) : "",
           static_cast<unsigned long>(place.address));
  return true;
}

/// Describes an address that is in the program: in a native job, outside the C library.
bool describe_if_of_program(std::uintptr_t address, char* out, std::size_t bytes) {
  if (upcalls.describe_code) return upcalls.describe_code(reinterpret_cast<const void*>(address), out, bytes);
  return !in_c_library(address) && describe(address, out, bytes);
}

void print(const Trace& trace, Frames frames) {
  // One write, since other processes may be printing theirs; static, since little of the stack may be left.
  static char text[kMostFrames * kMostLine];
  std::size_t used = 0;
  for (int i = 0, times = 1; i < trace.count; i += times) {
    // Recursion: one line for many frames.
    for (times = 1; i + times < trace.count && trace.frames[i + times] == trace.frames[i];) ++times;
    if (frames == Frames::of_program && in_executable(trace.frames[i])) continue;
    char* const line = text + used;
    memcpy(line, "    ", 4);
    describe(trace.frames[i], line + 4, kMostLine - 32);
    if (times > 1) snprintf(line + strlen(line), 24, ", %d times", times);
    const std::size_t length = strlen(line);
    line[length] = '\n';
    used += length + 1;
  }
  (void)!write(STDERR_FILENO, text, used);
}

}  // namespace

const char* readable_name(const char* name, char* out, std::size_t bytes) {
  return upcalls.read_name && upcalls.read_name(name, out, bytes) ? out : name;
}

void print_backtrace(Frames frames) {
  Trace trace;
  _Unwind_Backtrace(note_frame, &trace);
  // The first frame is this function's own.
  std::copy(trace.frames + 1, trace.frames + trace.count, trace.frames);
  trace.count = std::max(trace.count - 1, 0);
  print(trace, frames);
}

void print_backtrace_of(const ucontext_t& interrupted, Frames frames) {
  const auto& registers = interrupted.uc_mcontext.gregs;
  Trace trace;
  trace.interrupted_at = static_cast<std::uintptr_t>(registers[REG_RIP]);
  char line[kMostLine];
  if (describe(trace.interrupted_at, line, sizeof line)) {
    _Unwind_Backtrace(note_frame, &trace);
    return print(trace, frames);
  }
  // A call through a bad pointer: no table tells the caller, but its address was pushed last.
  trace.frames[0] = trace.interrupted_at;
  trace.frames[1] = *reinterpret_cast<const std::uintptr_t*>(registers[REG_RSP]) - 1;
  trace.count = 2;
  print(trace, frames);
}

void describe_place(const ucontext_t& interrupted, char* out, std::size_t bytes) {
  Trace trace;
  trace.interrupted_at = static_cast<std::uintptr_t>(interrupted.uc_mcontext.gregs[REG_RIP]);
  char line[kMostLine];
  // Mostly the instruction is of the program itself, and the stack, which may be damaged, need not be read.
  if (!describe(trace.interrupted_at, out, bytes) ||
      describe_if_of_program(trace.interrupted_at, line, sizeof line))
    return;
  _Unwind_Backtrace(note_frame, &trace);
  for (int i = 0; i < trace.count; ++i)
    if (describe_if_of_program(trace.frames[i], line, sizeof line)) {
      snprintf(out, bytes, "%s", line);
      return;
    }
}

void prepare_backtraces() {
  Trace trace;
  _Unwind_Backtrace(note_frame, &trace);
}

}  // namespace skein
