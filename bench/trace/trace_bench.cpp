// SPDX-License-Identifier: Apache-2.0
// The cost of recording, keeping and reading a trace, of a stencil code with 256 ranks and 440 steps, whose
// times are as noisy as real ones: a long burst of some milliseconds that varies by 2 %, packing by 10 %,
// short calls by 30 % with an outlier now and then, and waits of any length.
//   trace_bench [ranks a side = 16] [steps = 440]
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numbers>

#include "lb/kernel/random.hpp"
#include "skein/lb/trace_writer.hpp"

using namespace skein::trace;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double normal(skein::lb::Random& random) {
  return std::sqrt(-2 * std::log(1 - random.unit())) * std::cos(2 * std::numbers::pi * random.unit());
}

std::uint64_t noisy(skein::lb::Random& random, double ns, double part) {
  double value = ns * (1 + part * normal(random));
  if (random.below(200) == 0) value += 5000 * random.unit();
  return static_cast<std::uint64_t>(std::max(20.0, value));
}

struct Side {
  int partner;
  std::uint64_t bytes;
};

std::vector<Side> sides_of(int rank, int width) {
  std::vector<Side> sides;
  const int x = rank % width, y = rank / width;
  if (x > 0) sides.push_back({rank - 1, 24000});
  if (x + 1 < width) sides.push_back({rank + 1, 24000});
  if (y > 0) sides.push_back({rank - width, 18000});
  if (y + 1 < width) sides.push_back({rank + width, 18000});
  return sides;
}

constexpr std::uint64_t kRequests[] = {7, 6, 5, 4, 3, 2, 1, 0};

// Returns a rank's events.
std::vector<Event> stream_of(int rank, int width, int steps) {
  skein::lb::Random random(static_cast<std::uint64_t>(rank));
  const std::vector<Side> sides = sides_of(rank, width);
  const double load_ns = 1e6 * (1 + random.unit());
  std::vector<Event> events;
  for (int step = 0; step < steps; ++step) {
    Event sync;
    sync.kind = EventKind::sync;
    sync.bytes = 9437184;
    sync.burst_ns = noisy(random, 200, 0.3);
    sync.call_ns = noisy(random, 300, 0.3);
    events.push_back(sync);
    for (int half = 0; half < 2; ++half) {
      for (const Side& side : sides) {
        Event event;
        event.kind = EventKind::receive;
        event.starts_request = true;
        event.partner = side.partner;
        event.tag = half;
        event.bytes = side.bytes;
        event.burst_ns =
            noisy(random, &side == sides.data() ? load_ns : 90, &side == sides.data() ? 0.02 : 0.3);
        events.push_back(event);
      }
      for (const Side& side : sides) {
        Event event = events[events.size() - sides.size()];
        event.kind = EventKind::send;
        event.burst_ns = noisy(random, static_cast<double>(side.bytes) / 5, 0.1);
        events.push_back(event);
      }
      Event wait;
      wait.kind = EventKind::wait;
      wait.list = std::span(kRequests).last(2 * sides.size());
      wait.burst_ns = noisy(random, 120, 0.3);
      wait.call_ns = static_cast<std::uint64_t>(std::exp(11 + 2 * normal(random)));
      events.push_back(wait);
    }
  }
  return events;
}

void print(const char* what, double value, const char* unit) {
  std::printf("%-44s %8.2f %s\n", what, value, unit);
}

}  // namespace

int main(int argc, char** argv) {
  const int width = argc > 1 ? std::atoi(argv[1]) : 16, steps = argc > 2 ? std::atoi(argv[2]) : 440;
  const std::string path = std::filesystem::temp_directory_path() / "skein-trace-bench.sktrace";
  Header header;
  header.placement.resize(static_cast<std::size_t>(width * width));
  TraceFile file = TraceFile::create(path, header);
  double adding = 0, writing = 0, events = 0, held = 0;
  for (int rank = 0; rank < width * width; ++rank) {
    const std::vector<Event> stream = stream_of(rank, width, steps);
    Encoder encoder;
    auto start = Clock::now();
    for (const Event& event : stream) encoder.add(event);
    adding += seconds_since(start);
    events += static_cast<double>(stream.size());
    held += static_cast<double>(encoder.bytes());
    start = Clock::now();
    file.add(static_cast<ObjectIndex>(rank), 0, encoder, Precision::rounded);
    writing += seconds_since(start);
  }
  file.end();
  print("adding an event", adding / events * 1e9, "ns");
  print("an event in the encoder", held / events, "B");
  print("compressing and writing it", writing / events * 1e9, "ns");
  print("an event in the file", static_cast<double>(std::filesystem::file_size(path)) / events,
        "B, at most 2");
  auto start = Clock::now();
  const Trace trace = read_trace(path);
  print("reading an event", seconds_since(start) / events * 1e9, "ns");
  print("an event in memory", static_cast<double>(trace.memory_bytes()) / events, "B");
  start = Clock::now();
  std::uint64_t sum = 0;
  for (ObjectIndex object = 0; object < trace.object_count(); ++object) {
    Cursor cursor = trace.events(object);
    while (const Event* const event = cursor.next()) sum += event->burst_ns + event->bytes;
  }
  print("Cursor::next()", seconds_since(start) / events * 1e9, sum ? "ns" : "");
  start = Clock::now();
  write_trace(trace, path);
  print("writing it anew, thoroughly", seconds_since(start) / events * 1e9, "ns");
  print("an event in that file", static_cast<double>(std::filesystem::file_size(path)) / events, "B");
  std::filesystem::remove(path);
}
