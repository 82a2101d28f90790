// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/recording.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/load/processor_watch.hpp"
#include "runtime/net/agree.hpp"
#include "runtime/net/job_clock.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::trace {

bool recording = false;

namespace {

/// Returns for how long the calling thread has had a processor, s.
double processor_seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Computing time of this PE's objects since the recording began, and the part that others took.
struct Preempted {
  double busy_s = 0;  ///< what its objects computed, by the clock
  double lost_s = 0;  ///< part of it for which others had the core
  /// True if bursts exclude lost_s. Otherwise the clock alone measures them, and lost_s is a lower bound, as
  /// the system does not say when a thread loses its processor.
  bool is_left_out = false;
};

/// Sums over all PEs, for the trace. PE 0 warns if others had the cores for clearly longer than the errors of
/// clocks and interrupts. Collective.
Disturbance tell_preemption(const Preempted& here) {
  const auto ns = [](double s) { return static_cast<std::uint64_t>(s * 1e9); };
  std::array<std::uint64_t, 3> sums{ns(here.busy_s), ns(here.lost_s), here.is_left_out ? 0u : 1u};
  net::sum_polling(sums);
  const Disturbance disturbance{sums[0], sums[1], sums[2] == 0};
  if (const std::string text = to_text(disturbance); net::world.pe == 0 && !text.empty())
    SKEIN_WARN("%s. Record on cores that nobody else uses, with no more PEs than cores (-p)", text.c_str());
  return disturbance;
}

/// Bytes of all streams of a PE that are kept before they are written; and of one stream, so that streams of
/// few objects are written soon, too.
constexpr std::size_t kMostBytesKept = std::size_t{64} << 20;
constexpr std::size_t kMostBytesOfOne = std::size_t{1} << 18, kLeastBytesOfOne = 4096;
constexpr int kEventsBetweenLooks = 256;
/// The time between two rounds; a stream that two rounds find non-empty is written.
constexpr double kBetweenRoundsNs = 0.5e9;

/// A piece that is written at the end, unless it is too old then.
struct Kept {
  ObjectIndex object;
  std::uint64_t serial;
  Encoder events;
  double closed_s;  // job_seconds()
};
constexpr std::size_t kMostBytesOfKept = std::size_t{256} << 20;

struct Recording {
  std::optional<TraceFile> file;
  std::vector<Stream*> streams;  // by object; null: not on this PE
  std::size_t here = 0;          // how many are not null
  std::uint64_t round_due = 0;   // ticks()
  std::uint64_t round_ticks = 0;
  bool told = false;
  bool native = false;
  /// The communicators that this PE has written: members and others, by id.
  std::map<std::uint32_t, std::pair<std::vector<ObjectIndex>, std::vector<ObjectIndex>>> communicators;
  bool ambiguous = false;   // two communicators have one id
  double last_seconds = 0;  // above 0: pieces are kept
  std::deque<Kept> kept;
  std::size_t kept_bytes = 0;
  bool watches = false;  // the processor is watched (load/processor_watch.hpp)
  double began_at_processor_s = 0;
  double lost_s = 0;  // closing time of the newest piece dropped for lack of room

  ~Recording() {
    for (Stream* stream : streams) delete stream;
  }
};
PerRuntime<Recording> run;
const BegunAnew<recording> with_runtime;

/// Reports once that the file is incomplete.
void tell_error() {
  if (run->told || !run->file || run->file->error().empty()) return;
  run->told = true;
  recording = false;
  log_line("the trace could not be written further: %s (--trace)", run->file->error().c_str());
}

void drop_oldest() {
  run->kept_bytes -= run->kept.front().events.bytes();
  run->kept.pop_front();
}

void keep(Kept piece) {
  const double oldest_s = piece.closed_s - run->last_seconds;
  run->kept_bytes += piece.events.bytes();
  run->kept.push_back(std::move(piece));
  while (run->kept.front().closed_s < oldest_s) drop_oldest();
  while (run->kept_bytes > kMostBytesOfKept) {
    run->lost_s = run->kept.front().closed_s;
    drop_oldest();
  }
}

/// Writes the kept pieces from the last seconds before `end_s`.
void write_kept(double end_s) {
  for (Kept& piece : run->kept)
    if (piece.closed_s >= end_s - run->last_seconds)
      run->file->add(piece.object, piece.serial, piece.events, Precision::rounded);
  if (run->lost_s > end_s - run->last_seconds)
    SKEIN_WARN("memory was enough only for the last %.3g s of the trace, not for %.3g s (--trace)",
               end_s - run->lost_s, run->last_seconds);
  run->kept.clear();
}

std::size_t most_bytes_now() {
  return std::clamp(kMostBytesKept / std::max<std::size_t>(run->here, 1), kLeastBytesOfOne, kMostBytesOfOne);
}

}  // namespace

void start_recording(const RecordingConfig& config, const Header& header, std::size_t objects) {
  measuring.tick_length.measure();
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
  run->streams.resize(objects);
  measuring.event_costs = {};
  measuring.event_costs = measure_event_costs();
  run->native = header.native;
  run->last_seconds = config.last_seconds;
  run->watches = load::watch_processor();
  run->began_at_processor_s = processor_seconds();
  measuring.ticks_left_out = 0;
  // Pieces must be short against the time for which they are kept.
  const double between_ns =
      config.last_seconds > 0 ? std::min(kBetweenRoundsNs, config.last_seconds * 1e9 / 16) : kBetweenRoundsNs;
  run->round_ticks = static_cast<std::uint64_t>(between_ns / ns_per_tick());
  run->round_due = ticks() + run->round_ticks;
  recording = true;
}

namespace detail {

Stream& make_stream(ObjectIndex object, Stream*& stream, Progress& progress, load::Meter& meter) {
  if (object >= run->streams.size()) run->streams.resize(object + 1);
  ++run->here;
  stream = run->streams[object] = new Stream(object, stream, progress, meter, !run->native);
  return *stream;
}

}  // namespace detail

void object_leaves(ObjectIndex object) {
  if (object >= run->streams.size() || !run->streams[object]) return;
  run->streams[object]->write_out();
  run->streams[object]->leave_progress();
  delete run->streams[object];
  run->streams[object] = nullptr;
  --run->here;
}

std::uint32_t number_of(std::string_view name) { return run->file->name(name); }
void define_object(ObjectIndex object, const std::string& label) {
  run->file->add_object(object, static_cast<PeIndex>(net::world.pe), label);
}

void define(const Communicator& communicator) {
  const auto [known, is_new] =
      run->communicators.try_emplace(communicator.id, std::pair(communicator.members, communicator.others));
  if (is_new) {
    run->file->add(communicator);
  } else if (known->second != std::pair(communicator.members, communicator.others) && !run->ambiguous) {
    run->ambiguous = true;
    log_line(
        "two communicators have got one number in the trace, by a chance of one in thousands: it cannot be "
        "replayed; record the run anew with another number of ranks (--trace)");
  }
}

void Stream::write_out() {
  if (empty()) return;
  encoder_.end(batch_);
  if (run->last_seconds > 0) {
    keep({object_, progress_.chunks++, std::exchange(encoder_, Encoder()), net::job_seconds()});
  } else {
    run->file->add(object_, progress_.chunks++, encoder_, Precision::rounded);
    tell_error();
  }
  encoder_.begin(batch_);
  if (encoder_.shape_count() == 0) places_.forget();
}

std::uint16_t Stream::encode(const Event& event) {
  encoder_.end(batch_);
  const std::size_t shape = encoder_.add(event);
  encoder_.begin(batch_);
  if (--until_look_ <= 0) [[unlikely]]
    look_now();
  return shape < kNoShape ? static_cast<std::uint16_t>(shape) : kNoShape;
}

void Stream::put_beyond(std::uint16_t shape) {
  encoder_.end(batch_);
  encoder_.add_again(shape);
  encoder_.begin(batch_);
  if (--until_look_ <= 0) [[unlikely]]
    look_now();
}

void Stream::look() {
  encoder_.end(batch_);
  encoder_.begin(batch_);
  until_look_ -= static_cast<int>(Batch::most);
  if (until_look_ <= 0) look_now();
}

void Stream::look_now() {
  until_look_ = kEventsBetweenLooks;
  const std::uint64_t now = ticks();
  // The present burst hides as much as if it ended here.
  if (skipped() > 0 && burst_ns(meter_.busy_ticks + (now - meter_.resumed_at)) >= kLeastBurstNs) trust_none();
  const bool full = encoder_.bytes() > most_bytes_now();
  if (!full && now < run->round_due) return;
  if (full) write_out();
  write_old(now);
  meter_.resumed_at += ticks() - now;  // charged to nobody
}

void write_old(std::uint64_t now) {
  if (!recording || now < run->round_due) return;
  run->round_due = now + run->round_ticks;
  for (Stream* stream : run->streams)
    if (stream && stream->was_asked_before()) stream->write_out();
  run->file->flush();
  tell_error();
}

void write_all() {
  if (!recording) return;
  recording = false;  // so that a failure of writing does not lead here again
  for (Stream* stream : run->streams)
    if (stream) stream->write_out();
  write_kept(net::job_seconds());
  run->file->flush();
}

void note_step(const RecordedStep& step) {
  if (!recording || net::world.pe != 0) return;
  run->file->add(step);
  tell_error();
}

bool finish_recording(double busy_s) {
  if (!run->file) return true;
  const double processor_s = processor_seconds() - run->began_at_processor_s;
  const Disturbance disturbance = tell_preemption(
      {busy_s, run->watches ? seconds_of(measuring.ticks_left_out) : std::max(0.0, busy_s - processor_s),
       run->watches});
  load::stop_watching_processor();
  for (Stream* stream : run->streams)
    if (stream && recording) stream->write_out();
  if (run->last_seconds > 0) {
    // The end is when the first PE came here: what it closed then is of the last seconds.
    std::array<double, 1> end_s{-net::job_seconds()};
    net::max_of_all(end_s);
    write_kept(-end_s[0]);
  }
  run->file->flush();
  tell_error();
  std::array<std::uint64_t, 1> incomplete{!run->file->error().empty()};
  net::sum_polling(incomplete);
  if (net::world.pe == 0 && incomplete[0] == 0) run->file->end(disturbance);
  tell_error();
  recording = false;
  const bool complete = run->file->error().empty() && !run->ambiguous;
  run->file.reset();
  return complete;
}

}  // namespace skein::trace
