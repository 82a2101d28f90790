// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/backtrace.hpp"

#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "runtime/base/library_symbols.hpp"
#include "runtime/base/upcalls.hpp"

extern "C" {
extern const char __executable_start[];
extern const char etext[];
}

namespace skein {
namespace {

constexpr int most_frames = 64;
constexpr std::size_t most_line = 512;
constexpr std::size_t most_name = 400;

struct Trace {
  std::uintptr_t frames[most_frames];
  int count = 0;
  std::uintptr_t interrupted_at = 0;  ///< not 0: what comes before this one is the handler's
};

_Unwind_Reason_Code note_frame(_Unwind_Context* context, void* argument) {
  auto& trace = *static_cast<Trace*>(argument);
  int interrupted = 0;  // by a signal, at this instruction; else the address is the one behind a call
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &interrupted);
  if (!address || trace.count == most_frames) return _URC_END_OF_STACK;
  if (interrupted && address == trace.interrupted_at) trace.count = 0;
  trace.frames[trace.count++] = address - (interrupted ? 0 : 1);
  return _URC_NO_REASON;
}

bool in_executable(std::uintptr_t address) {
  return address >= reinterpret_cast<std::uintptr_t>(__executable_start) &&
         address < reinterpret_cast<std::uintptr_t>(etext);
}

bool describe(std::uintptr_t address, char* out, std::size_t bytes) {
  const auto* const at = reinterpret_cast<const void*>(address);
  if (upcalls.describe_code && upcalls.describe_code(at, out, bytes)) return true;
  LibraryPlace place;
  if (!find_in_library(at, place)) {
    snprintf(out, bytes, "%p", at);
    return false;
  }
  char name[most_name];
  snprintf(out, bytes, "%s(%s) [%#lx]", *place.file ? place.file : "skein",
           place.symbol ? readable_name(place.symbol, name, sizeof name) : "",
           static_cast<unsigned long>(place.address));
  return true;
}

void print(const Trace& trace, Frames frames) {
  // One write, since other processes may be printing theirs; not on the stack, of which little may be left.
  static char text[most_frames * most_line];
  std::size_t used = 0;
  for (int i = 0, times = 1; i < trace.count; i += times) {
    // Recursion: one line for many frames.
    for (times = 1; i + times < trace.count && trace.frames[i + times] == trace.frames[i];) ++times;
    if (frames == Frames::of_program && in_executable(trace.frames[i])) continue;
    char* const line = text + used;
    memcpy(line, "    ", 4);
    describe(trace.frames[i], line + 4, most_line - 32);
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
  char line[most_line];
  if (describe(trace.interrupted_at, line, sizeof line)) {
    _Unwind_Backtrace(note_frame, &trace);
    return print(trace, frames);
  }
  // A call through a bad pointer: no table tells the caller, but it is what was pushed last.
  trace.frames[0] = trace.interrupted_at;
  trace.frames[1] = *reinterpret_cast<const std::uintptr_t*>(registers[REG_RSP]) - 1;
  trace.count = 2;
  print(trace, frames);
}

void prepare_backtraces() {
  Trace trace;
  _Unwind_Backtrace(note_frame, &trace);
}

}  // namespace skein
