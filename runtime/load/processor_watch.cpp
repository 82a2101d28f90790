// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/processor_watch.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <utility>

#include "runtime/base/clock.hpp"

#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif

namespace skein::load {
detail::ProcessorWatch detail::processor_watch;

void stop_watching_processor() { detail::processor_watch.on = false; }

#ifdef RSEQ_SIG

// The address to which the kernel would send a thread that was inside the sequence; the signature in front
// permits that.
#define SKEIN_TEXT_OF(value) #value
#define SKEIN_TEXT(value) SKEIN_TEXT_OF(value)
extern "C" const char skein_never_restarted[];
asm(".pushsection .text\n"
    ".long " SKEIN_TEXT(RSEQ_SIG) "\n"
    "skein_never_restarted: ud2\n"
    ".popsection");
#undef SKEIN_TEXT
#undef SKEIN_TEXT_OF

namespace {

using detail::processor_watch;

/// Returns a sequence that contains no instruction.
const rseq_cs& empty_sequence() {
  static const rseq_cs sequence = [] {
    rseq_cs empty{};
    empty.start_ip = empty.abort_ip = reinterpret_cast<std::uintptr_t>(skein_never_restarted);
    return empty;
  }();
  return sequence;
}

/// Reads the second number of the file. Returns false if it cannot be read.
bool read_waited(std::uint64_t& ns) {
  std::array<char, 96> text;
  const ssize_t length = pread(processor_watch.schedstat, text.data(), text.size(), 0);
  if (length <= 0) return false;
  const char* const end = text.data() + length;
  std::uint64_t ran = 0;
  const auto [after, error] = std::from_chars(text.data(), end, ran);
  if (error != std::errc{} || after == end) return false;
  return std::from_chars(after + 1, end, ns).ec == std::errc{};
}

void begin_sequence() { *processor_watch.sequence = reinterpret_cast<std::uintptr_t>(&empty_sequence()); }

}  // namespace

bool watch_processor() {
  if (__rseq_size == 0) return false;  // not registered: glibc.pthread.rseq=0, or an older kernel
  if (processor_watch.schedstat < 0)
    processor_watch.schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (processor_watch.schedstat < 0 || !read_waited(processor_watch.waited_ns)) return false;
  auto* const area =
      reinterpret_cast<struct rseq*>(static_cast<std::byte*>(__builtin_thread_pointer()) + __rseq_offset);
  processor_watch.sequence = reinterpret_cast<volatile std::uint64_t*>(&area->rseq_cs);
  begin_sequence();
  processor_watch.on = true;
  return true;
}

std::uint64_t lost_ticks() {
  begin_sequence();
  std::uint64_t waited_ns = 0;
  if (!read_waited(waited_ns)) return 0;
  if (waited_ns <= processor_watch.waited_ns) return 0;
  const std::uint64_t lost_ns = waited_ns - std::exchange(processor_watch.waited_ns, waited_ns);
  return static_cast<std::uint64_t>(static_cast<double>(lost_ns) / ns_per_tick());
}

#else

bool watch_processor() { return false; }
std::uint64_t lost_ticks() { return 0; }

#endif

}  // namespace skein::load
