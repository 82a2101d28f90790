// SPDX-License-Identifier: Apache-2.0
// --trace: the common part of all recordings, of ranks and of native programs. All PEs write one file; each
// has a stream for every object that it has.
//
// Records are kept in the memory of the PE's process: they do not change the bytes that an object has in use.
// They are written when an object has many, when they are older than about a second, and when the object
// leaves the PE. No PE waits for another one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/trace/stream.hpp"
#include "skein/lb/trace_writer.hpp"

namespace skein::trace {

/// True if this PE records; every call reads it.
extern bool recording;

struct RecordingConfig {
  std::string file;
  /// Above 0: only events within so many seconds before the end are kept.
  double last_seconds = 0;
};

/// Makes the file; the other PEs open it. `objects`: their number at first. Throws skein::Error with the file
/// and the reason. Collective.
void start_recording(const RecordingConfig& config, const Header& header, std::size_t objects);

namespace detail {
[[gnu::cold]] Stream& make_stream(ObjectIndex object, Stream*& stream, Progress& progress,
                                  load::Meter& meter);
}  // namespace detail

/// Returns the stream of an object that is on this PE. `stream` refers to it, null before its first one here.
/// `stream`, `progress` and `meter` keep their addresses while the object is here.
inline Stream& stream_of(ObjectIndex object, Stream*& stream, Progress& progress, load::Meter& meter) {
  if (stream) [[likely]]
    return *stream;
  return detail::make_stream(object, stream, progress, meter);
}
/// Closes the object's stream before it leaves this PE.
void object_leaves(ObjectIndex object);

/// Return, for the file as this PE writes it, the number of a name, and that of a communicator after defining
/// it.
std::uint32_t number_of(std::string_view name);
void define(const Communicator& communicator);
/// Defines an object that the header lacks, made on this PE.
void define_object(ObjectIndex object, const std::string& label);

/// Writes records older than a second, if it has been a while since the last time: for loops that go on while
/// nothing is recorded. `now`: ticks().
void write_old(std::uint64_t now);
/// Writes all records of this PE, before an error ends the job.
void write_all();

/// Records an LB step, which all PEs know of and PE 0 writes.
void note_step(const RecordedStep& step);

/// Writes, at the end of the job, while no object runs, the remaining records and the mark that the file is
/// complete. Returns false if it is not; a message has said so. `busy_s`: what objects have computed on this
/// PE, by the clock, s. Collective.
[[nodiscard]] bool finish_recording(double busy_s);

}  // namespace skein::trace
