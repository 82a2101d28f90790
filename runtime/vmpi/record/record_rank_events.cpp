// SPDX-License-Identifier: Apache-2.0
// Events of a rank that are no messages: sync points, regions, its end.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "runtime/move/rank_pages.hpp"
#include "runtime/net/job_clock.hpp"
#include "runtime/vmpi/record/events.hpp"

namespace skein::vmpi {
namespace {

constexpr std::size_t kLongestName = 255;

/// Copies up to `bytes` bytes from an address that may be invalid; returns the number of readable ones. A
/// pipe makes the kernel read them without a fault.
std::size_t copy_readable(const char* from, char* to, std::size_t bytes) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return 0;
  const ssize_t written = write(ends[1], from, bytes);
  const ssize_t copied = written > 0 ? read(ends[0], to, static_cast<std::size_t>(written)) : 0;
  close(ends[0]);
  close(ends[1]);
  return copied > 0 ? static_cast<std::size_t>(copied) : 0;
}

/// Reads the string at an address that may be invalid, touching only readable memory. Returns false unless it
/// has at least one character and is printable (UTF-8 or any other bytes above ASCII); keeps the first
/// kLongestName characters.
bool read_name(const char* address, char (&out)[kLongestName + 1]) {
  constexpr std::uintptr_t page = 4096;
  std::size_t length = 0;
  while (length < kLongestName) {
    const char* const from = address + length;
    // Up to the end of a page, as the next page may not be readable.
    const std::size_t piece =
        std::min<std::size_t>(kLongestName - length, page - reinterpret_cast<std::uintptr_t>(from) % page);
    if (copy_readable(from, out + length, piece) != piece) return false;
    const std::size_t end = strnlen(out + length, piece);
    length += end;
    if (end < piece) break;
  }
  out[length] = '\0';
  return length > 0 && std::all_of(out, out + length,
                                   [](char c) { return static_cast<unsigned char>(c) >= ' ' && c != 127; });
}

}  // namespace

void RecordedSync::enter(RankState& state) {
  entry_ = stream_of(state).enter_reading();
  at_s_ = net::job_seconds();
  bytes_ = move::bytes_to_copy(state.rank);
}

void RecordedSync::record(RankState& state) const {
  Event event;
  event.kind = EventKind::sync;
  event.bytes = bytes_;
  trace::Stream& stream = stream_of(state);
  stream.leave_reading(event, entry_);
  // The rank may have come to another processor, with another clock.
  event.call_ns = static_cast<std::uint64_t>(std::max(0.0, net::job_seconds() - at_s_) * 1e9);
  stream.add(event);
}

void control_recording(int level, const char* name) {
  const ApiCall call("MPI_Pcontrol", Outside::is_allowed);
  trace::Stream& stream = stream_of(call.state);
  if (level == 2) stream.write_out();
  char text[kLongestName + 1];
  if ((level != 1 && level != -1) || !read_name(name, text)) return;
  const std::uint64_t number = trace::number_of(text);
  Event event;
  event.kind = level > 0 ? EventKind::region_begin : EventKind::region_end;
  event.list = {&number, 1};
  stream.end_burst(event, place_of(CallKind::region, level, static_cast<int>(number)));
  stream.add(event);
}

void record_end(RankState& state) {
  Event event;
  event.kind = EventKind::end;
  trace::Stream& stream = stream_of(state);
  stream.end_last_burst(event);
  stream.add(event);
}

}  // namespace skein::vmpi
