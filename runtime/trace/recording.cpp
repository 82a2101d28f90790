// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/recording.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/net/agree.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::trace {

bool recording = false;

namespace {

// Of all streams of a PE, before they are written; and of one, so that few objects do not wait for long
// either.
constexpr std::size_t most_bytes_kept = std::size_t{64} << 20;
constexpr std::size_t most_bytes_of_one = std::size_t{1} << 18, least_bytes_of_one = 4096;
constexpr std::uint32_t events_between_looks = 64;
// What is found twice, that long apart, is written.
constexpr double between_rounds_ns = 0.5e9;

struct Recording {
  std::optional<TraceFile> file;
  std::vector<Stream*> streams;  // by object; null: none here
  std::size_t here = 0;          // how many are not null
  std::uint64_t round_due = 0;   // ticks()
  std::uint64_t round_ticks = 0;
  bool told = false;

  ~Recording() {
    for (Stream* stream : streams) delete stream;
  }
};
PerRuntime<Recording> run;

/// Says once that the file is not complete.
void tell_error() {
  if (run->told || !run->file || run->file->error().empty()) return;
  run->told = true;
  recording = false;
  log_line("the trace could not be written further: %s (--trace)", run->file->error().c_str());
}

std::size_t most_bytes_now() {
  return std::clamp(most_bytes_kept / std::max<std::size_t>(run->here, 1), least_bytes_of_one,
                    most_bytes_of_one);
}

void set_stream_count(std::size_t count) {
  run->streams.resize(count);
  detail::streams = run->streams.data();
  detail::stream_count = count;
}

}  // namespace

void start_recording(const RecordingConfig& config, const Header& header, std::size_t objects) {
  tick_length.measure();
  const auto open = [&](bool makes) {
    net::together([&] {
      if ((net::world.pe == 0) != makes) return;
      try {
        run->file = makes ? TraceFile::create(config.file, header) : TraceFile::open(config.file);
      } catch (const TraceError& error) {
        throw Error(format("%s (--trace)", error.what()));
      }
    });
  };
  open(true);
  open(false);
  set_stream_count(objects);
  run->round_ticks = static_cast<std::uint64_t>(between_rounds_ns / ns_per_tick());
  run->round_due = ticks() + run->round_ticks;
  recording = true;
}

namespace detail {

Stream** streams = nullptr;
std::size_t stream_count = 0;

Stream& make_stream(ObjectIndex object, Progress& progress, load::Meter& meter) {
  if (object >= run->streams.size()) set_stream_count(object + 1);
  ++run->here;
  return *(run->streams[object] = new Stream(object, progress, meter));
}

}  // namespace detail

void object_leaves(ObjectIndex object) {
  if (object >= run->streams.size() || !run->streams[object]) return;
  run->streams[object]->write_out();
  delete run->streams[object];
  run->streams[object] = nullptr;
  --run->here;
}

std::uint32_t number_of(std::string_view name) { return run->file->name(name); }
void define(const Communicator& communicator) { run->file->add(communicator); }

void Stream::write_out() {
  if (encoder_.empty()) return;
  run->file->add(object_, progress_.chunks++, encoder_);
  tell_error();
}

void Stream::look() {
  until_look_ = events_between_looks;
  const std::uint64_t now = ticks();
  const bool full = encoder_.bytes() > most_bytes_now();
  if (!full && now < run->round_due) return;
  if (full) write_out();
  write_old(now);
  meter_.resumed_at += ticks() - now;  // nobody's load
}

void write_old(std::uint64_t now) {
  if (!recording || now < run->round_due) return;
  run->round_due = now + run->round_ticks;
  for (Stream* stream : run->streams)
    if (stream && stream->was_asked_before()) stream->write_out();
  run->file->flush();
  tell_error();
}

void note_step(const RecordedStep& step) {
  if (!recording || net::world.pe != 0) return;
  run->file->add(step);
  tell_error();
}

bool finish_recording() {
  if (!run->file) return true;
  for (Stream* stream : run->streams)
    if (stream && recording) stream->write_out();
  run->file->flush();
  std::array<std::uint64_t, 1> incomplete{!run->file->error().empty()};
  net::sum_polling(incomplete);
  if (net::world.pe == 0 && incomplete[0] == 0) run->file->end();
  tell_error();
  recording = false;
  const bool complete = run->file->error().empty();
  run->file.reset();
  return complete;
}

}  // namespace skein::trace
