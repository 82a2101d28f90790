// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/backtrace.hpp"

#include <dlfcn.h>
#include <unistd.h>
#include <unwind.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "runtime/base/upcalls.hpp"

namespace skein {
namespace {

constexpr int most_frames = 48;
constexpr std::size_t most_line = 512;

struct Trace {
  const void* frames[most_frames];
  int count = 0;
};

_Unwind_Reason_Code note_frame(_Unwind_Context* context, void* argument) {
  auto& trace = *static_cast<Trace*>(argument);
  int interrupted = 0;  // by a signal, at this instruction; else the address is the one behind a call
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &interrupted);
  if (!address || trace.count == most_frames) return _URC_END_OF_STACK;
  trace.frames[trace.count++] = reinterpret_cast<void*>(address - (interrupted ? 0 : 1));
  return _URC_NO_REASON;
}

void describe(const void* address, char* out, std::size_t bytes) {
  if (upcalls.describe_code && upcalls.describe_code(address, out, bytes)) return;
  Dl_info info;
  if (dladdr(address, &info) && info.dli_fname) {
    const auto base = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    const char* const slash = strrchr(info.dli_fname, '/');
    snprintf(out, bytes, "%s(%s) [%p]", slash ? slash + 1 : info.dli_fname,
             info.dli_sname ? info.dli_sname : "",
             reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(address) - base));
  } else {
    snprintf(out, bytes, "%p", address);
  }
}

}  // namespace

void print_backtrace() {
  Trace trace;
  _Unwind_Backtrace(note_frame, &trace);
  // One write, since other processes may be printing theirs; not on the stack, of which little may be left.
  static char text[most_frames * most_line];
  std::size_t used = 0;
  // The first frame is this function's own.
  for (int i = 1; i < trace.count; ++i) {
    char* const line = text + used;
    memcpy(line, "    ", 4);
    describe(trace.frames[i], line + 4, most_line - 5);
    const std::size_t length = strlen(line);
    line[length] = '\n';
    used += length + 1;
  }
  (void)!write(STDERR_FILENO, text, used);
}

}  // namespace skein
