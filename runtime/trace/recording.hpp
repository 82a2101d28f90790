// SPDX-License-Identifier: Apache-2.0
// --trace: what all recordings share, those of ranks and those of native programs. All PEs write one file;
// each has a stream for every object that it has.
//
// Records are kept with the PE, in memory of the process: an object has as many bytes in use as it would have
// otherwise. They are written when an object has many, when they are older than about a second, and when the
// object leaves the PE. No PE waits for another one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/trace/stream.hpp"
#include "skein/lb/trace_writer.hpp"

namespace skein::trace {

/// Whether this PE records: what every call asks.
extern bool recording;

struct RecordingConfig {
  std::string file;
  /// Above 0: of what happened earlier than so long before the end nothing is kept.
  double last_seconds = 0;
};

/// Makes the file; the other PEs open it. `objects`: how many there are, more may come. Throws skein::Error
/// with the file and the reason. Collective.
void start_recording(const RecordingConfig& config, const Header& header, std::size_t objects);

namespace detail {
[[gnu::cold]] Stream& make_stream(ObjectIndex object, Stream*& stream, Progress& progress,
                                  load::Meter& meter);
}  // namespace detail

/// The stream of an object that is on this PE, and has it at `stream`: null before its first one here. That,
/// its progress and its meter are where they are as long as it is here.
inline Stream& stream_of(ObjectIndex object, Stream*& stream, Progress& progress, load::Meter& meter) {
  if (stream) [[likely]]
    return *stream;
  return detail::make_stream(object, stream, progress, meter);
}
/// Before an object leaves this PE.
void object_leaves(ObjectIndex object);

/// The number of a name, and the definition of a communicator, in the file as this PE writes it.
std::uint32_t number_of(std::string_view name);
void define(const Communicator& communicator);
/// An object that the header does not know of, which was made on this PE.
void define_object(ObjectIndex object, const std::string& label);

/// Writes what is older than a second, if it has been a while since the last time: for loops that go on while
/// nothing is recorded. `now`: ticks().
void write_old(std::uint64_t now);
/// Writes all that this PE has, before the job is ended by an error.
void write_all();

/// An LB step, which all PEs know of and PE 0 writes.
void note_step(const RecordedStep& step);

/// At the end of the job, while no object runs: writes what is left, and that it is all. False if the file is
/// not complete, which was said. `busy_s`: what objects have computed on this PE, by the clock, s.
/// Collective.
[[nodiscard]] bool finish_recording(double busy_s);

}  // namespace skein::trace
