// SPDX-License-Identifier: Apache-2.0
// Traces in files.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "skein/lb/trace.hpp"
#include "skein/lb/trace_writer.hpp"
#include "tests/unit/lb/scratch_folder.hpp"
#include "tests/unit/trace/random_trace.hpp"

using namespace skein::trace;
using namespace skein::trace::test;
using skein::lb::test::ScratchFolder;

namespace {

std::string content(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::string& name, const std::string& text) {
  std::ofstream(name, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

std::string error_of(const std::string& name) {
  try {
    read_trace(name);
  } catch (const TraceError& error) {
    return error.what();
  }
  return "no error";
}

Header header_of(std::size_t objects) {
  Header header;
  header.program = "./app 1 2";
  header.options = "-n 4";
  header.machine = "here";
  header.pes = 2;
  header.placement.assign(objects, 1);
  return header;
}

Event begin_of(const std::uint64_t& name) {
  Event event;
  event.kind = EventKind::region_begin;
  event.list = {&name, 1};
  return event;
}

std::string output_of(const std::string& command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  REQUIRE(pipe);
  std::string text;
  char space[4096];
  while (const std::size_t bytes = std::fread(space, 1, sizeof space, pipe.get())) text.append(space, bytes);
  return text;
}

template <typename Numbers>
std::string joined(const Numbers& numbers) {
  std::string text;
  for (const auto number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

// Returns the line that read_trace.py prints for an event.
std::string line_of(const Trace& trace, ObjectIndex object, const Event& event) {
  std::string line = std::to_string(object);
  const auto add = [&](const std::string& word) { line += " " + word; };
  add(std::to_string(static_cast<int>(event.kind)));
  add(std::to_string(event.what));
  add(event.starts_request ? "1" : "0");
  add(std::to_string(event.communicator));
  add(std::to_string(event.partner));
  add(std::to_string(event.tag));
  add(std::to_string(event.bytes));
  add(std::to_string(event.serial));
  add(std::to_string(event.burst_ns));
  add(std::to_string(event.call_ns));
  add(event.kind == EventKind::region_begin ? trace.names()[event.list[0]] : joined(event.list));
  add(joined(event.counters));
  return line + "\n";
}

}  // namespace

TEST_CASE("trace file: what was built comes back from a file") {
  const ScratchFolder folder;
  skein::lb::Random random(3);
  constexpr std::uint32_t kObjects = 4;
  Header header = header_of(kObjects);
  header.placement = {0, 0, 1, 1};
  header.labels = {"a", "b", "c", "d"};
  header.counters = {"cycles"};
  TraceBuilder builder(header, kObjects);
  builder.name("region");
  builder.add(Communicator{3, {0, 2, 3, 1}, {}});
  builder.add(Communicator{4, {0}, {3, 2, 1}});
  builder.add(RecordedStep{10, 5, "greedy", {{2, 0}, {3, 1}}});
  std::vector<std::vector<OwnedEvent>> streams;
  for (ObjectIndex object = 0; object < kObjects; ++object) {
    streams.push_back(random_stream(random, kObjects, object * 400, 1));
    for (const OwnedEvent& event : streams[object]) builder.add(object, event.view());
  }
  const Trace built = std::move(builder).finish();
  write_trace(built, folder / "t");
  const Trace trace = read_trace(folder / "t");
  CHECK(trace.complete());
  CHECK(trace.header().program == "./app 1 2");
  CHECK(trace.header().options == "-n 4");
  CHECK(trace.header().machine == "here");
  CHECK(trace.header().pes == 2);
  CHECK(!trace.header().native);
  CHECK(trace.header().placement == header.placement);
  CHECK(trace.header().labels == header.labels);
  CHECK(trace.header().counters == header.counters);
  REQUIRE(trace.names().size() == 1);
  CHECK(trace.names()[0] == "region");
  CHECK(trace.communicator(3).members == std::vector<ObjectIndex>{0, 2, 3, 1});
  CHECK(trace.communicator(4).others == std::vector<ObjectIndex>{3, 2, 1});
  REQUIRE(trace.steps().size() == 1);
  CHECK(trace.steps()[0].time_ns == 10);
  CHECK(trace.steps()[0].took_ns == 5);
  CHECK(trace.steps()[0].strategy == "greedy");
  CHECK(trace.steps()[0].moves.at(1) == std::pair<ObjectIndex, PeIndex>(3, 1));
  for (ObjectIndex object = 0; object < kObjects; ++object) check_stream(trace, object, streams[object]);
  write_trace(trace, folder / "again");
  CHECK(content(folder / "again") == content(folder / "t"));
}

TEST_CASE("trace file: several writers, names numbered by each, chunks in any order") {
  const ScratchFolder folder;
  const std::string path = folder / "t";
  TraceFile first = TraceFile::create(path, header_of(2));
  TraceFile second = TraceFile::open(path);
  const std::uint64_t one_of_first = first.name("one"), two_of_first = first.name("two");
  const std::uint64_t two_of_second = second.name("two");
  CHECK(first.name("one") == one_of_first);
  first.add(Communicator{9, {1, 0}, {}});
  second.add(Communicator{9, {1, 0}, {}});
  Encoder early, late, other;
  early.add(begin_of(one_of_first));
  CHECK(early.events() == 1);
  late.add(begin_of(two_of_second));
  other.add(begin_of(two_of_first));
  second.add(0, 1, late);
  CHECK(late.empty());
  first.add(1, 0, other);
  first.add(0, 0, early);
  second.add_object(2, 1, "late one");
  second.flush();
  CHECK(!read_trace(path).complete());
  first.end();
  CHECK(first.error() == "");
  const Trace trace = read_trace(path);
  CHECK(trace.complete());
  CHECK(trace.object_count() == 3);
  CHECK(trace.header().labels.at(2) == "late one");
  CHECK(trace.communicators().size() == 2);
  const auto name_at = [&](ObjectIndex object, int event) {
    Cursor cursor = trace.events(object);
    const Event* found = cursor.next();
    while (event-- > 0) found = cursor.next();
    return trace.names()[found->list[0]];
  };
  CHECK(name_at(0, 0) == "one");
  CHECK(name_at(0, 1) == "two");
  CHECK(name_at(1, 0) == "two");
}

TEST_CASE("trace file: an encoder may go from object to object, and an object from encoder to encoder") {
  const ScratchFolder folder;
  const std::string path = folder / "t";
  TraceFile file = TraceFile::create(path, header_of(3));
  skein::lb::Random random(9);
  Encoder encoders[2];
  std::vector<std::vector<OwnedEvent>> expected(3);
  std::vector<std::uint64_t> pieces(3);
  for (int round = 0; round < 60; ++round) {
    Encoder& encoder = encoders[random.below(2)];
    const ObjectIndex object = random.below(3);
    for (OwnedEvent& event : random_stream(random, 3, 10)) {
      event.event.kind = EventKind::send;  // waits would be for requests of other pieces
      event.event.what = 0;
      encoder.add(event.view());
      expected[object].push_back(std::move(event));
    }
    file.add(object, pieces[object]++, encoder);
    if (random.below(8) == 0) file.flush();
  }
  file.end();
  const Trace trace = read_trace(path);
  for (ObjectIndex object = 0; object < 3; ++object) check_stream(trace, object, expected[object]);
}

TEST_CASE("trace file: what others had of the cores stands at the end, and goes along") {
  const ScratchFolder folder;
  const Disturbance disturbance{10'100'000'000, 7'900'000'000, true};
  TraceFile file = TraceFile::create(folder / "t", header_of(1));
  Encoder encoder;
  encoder.add(Event());
  file.add(0, 0, encoder);
  file.end(disturbance);
  const Trace trace = read_trace(folder / "t");
  CHECK(trace.header().disturbance == disturbance);
  write_trace(trace, folder / "again");
  CHECK(read_trace(folder / "again").header().disturbance == disturbance);
  CHECK(to_text(disturbance) ==
        "other processes had the cores for 7.90 s of the 10.10 s in which the traced work was computed: "
        "bursts leave this time out, but not its effects on caches");
  CHECK(to_text({10'000'000'000, 199'000'000, true}).empty());  // below 2 %
  CHECK(to_text({100'000'000, 49'000'000, false}).empty());     // below 50 ms
  CHECK(to_text({2'000'000'000, 500'000'000, false}).starts_with("the trace has 2.00 s of computing"));
}

TEST_CASE("trace file: rounded times keep their sums, and are as exact as is said") {
  const ScratchFolder folder;
  skein::lb::Random random(4);
  TraceFile file = TraceFile::create(folder / "t", header_of(1));
  Encoder encoder;
  std::vector<Event> expected;
  for (int k = 0; k < 3000; ++k) {
    Event event;
    event.kind = EventKind::sync;
    event.what = 0;
    event.tag = k % 3;
    event.bytes = 1001;
    // Bursts of 16 or 17 bits, of more than a second, and of less than 128 ns, which are kept exactly.
    const std::uint64_t least[] = {40000, 2000000000, 1};
    event.burst_ns = least[k % 3] + random.below(k % 3 == 2 ? 100 : 60000);
    event.call_ns = 1 + random.below(7000);
    expected.push_back(event);
    encoder.add(event);
  }
  file.add(0, 0, encoder, Precision::rounded);
  file.end();
  const Trace trace = read_trace(folder / "t");
  Cursor cursor = trace.events(0);
  const double steps[] = {1024, 1024, 0};
  double burst_sums[3] = {}, call_sums[3] = {};
  const auto error = [](std::uint64_t read, std::uint64_t written) {
    return static_cast<double>(static_cast<std::int64_t>(read - written));
  };
  for (int k = 0; k < 3000; ++k) {
    const Event& event = *cursor.next();
    const Event& written = expected[static_cast<std::size_t>(k)];
    CHECK(event.tag == written.tag);
    CHECK(event.bytes == 1001);
    const double burst = error(event.burst_ns, written.burst_ns),
                 call = error(event.call_ns, written.call_ns);
    CHECK(std::abs(burst) <= steps[k % 3]);
    CHECK(std::abs(call) <= 64);  // 13 bits at most: 2^12 / 64
    burst_sums[k % 3] += burst;
    call_sums[k % 3] += call;
    CHECK(std::abs(burst_sums[k % 3]) <= steps[k % 3] / 2);
    CHECK(std::abs(call_sums[k % 3]) <= 32);
    if (k % 3 < 2) CHECK(event.burst_ns % 512 == 0);
  }
}

TEST_CASE("trace file: an end anywhere gives what is whole before it") {
  const ScratchFolder folder;
  const std::string path = folder / "t";
  skein::lb::Random random(5);
  const auto stream = random_stream(random, 1, 300);
  TraceFile file = TraceFile::create(path, header_of(1));
  std::vector<std::size_t> ends{std::filesystem::file_size(path)};  // end of the header, and of each piece
  Encoder encoder;
  for (std::size_t k = 0; k < stream.size(); ++k) {
    encoder.add(stream[k].view());
    if (k % 100 < 99) continue;
    file.add(0, k / 100, encoder);
    file.flush();
    ends.push_back(std::filesystem::file_size(path));
  }
  file.end();
  const std::string whole = content(path);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CAPTURE(length);
    write(path, whole.substr(0, length));
    if (length < ends[0]) {
      CHECK(error_of(path) != "no error");
      continue;
    }
    const Trace trace = read_trace(path);
    CHECK(!trace.complete());
    std::size_t pieces = 0;
    while (pieces + 1 < ends.size() && ends[pieces + 1] <= length) ++pieces;
    CHECK(trace.event_count(0) == 100 * pieces);
  }
  // A piece lacks a part, and a piece of another writer follows.
  write(path, whole.substr(0, ends[1] - 10) + whole.substr(ends[1], ends[2] - ends[1]));
  CHECK(!read_trace(path).complete());
  CHECK(read_trace(path).event_count(0) == 0);
}

TEST_CASE("trace file: no changed byte goes unnoticed") {
  const ScratchFolder folder;
  const std::string path = folder / "t";
  TraceBuilder builder(header_of(2), 2);
  builder.name("a name");
  builder.add(Communicator{9, {1, 0}, {}});
  skein::lb::Random random(5);
  for (const OwnedEvent& event : random_stream(random, 2, 50)) builder.add(1, event.view());
  write_trace(std::move(builder).finish(), path);
  const std::string good = content(path);
  std::size_t unnoticed = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    write(path, bad);
    if (error_of(path) != "no error" || !read_trace(path).complete()) continue;
    // Each frame of zstd has a bit that means nothing.
    write_trace(read_trace(path), path);
    unnoticed += content(path) != good;
  }
  CHECK(unnoticed == 0);
}

TEST_CASE("trace file: a reader that was written from its description reads the same") {
  const ScratchFolder folder;
  const std::string path = folder / "t";
  constexpr std::uint32_t kObjects = 3;
  Header header = header_of(kObjects);
  header.counters = {"cycles", "misses"};
  {
    TraceFile file = TraceFile::create(path, header);
    skein::lb::Random random(11);
    const std::uint64_t name = file.name("a region");
    for (ObjectIndex object = 0; object < kObjects; ++object) {
      Encoder encoder;
      encoder.add(begin_of(name));
      // More shapes than a byte tells apart, in pieces that continue each other.
      const auto stream = random_stream(random, kObjects, 900, 2);
      for (std::size_t k = 0; k < stream.size(); ++k) {
        encoder.add(stream[k].view());
        if (k % 300 == 299)
          file.add(object, k / 300, encoder, object ? Precision::rounded : Precision::exact);
      }
    }
    file.end();
  }
  std::string expected = "complete\n";
  const Trace trace = read_trace(path);
  for (ObjectIndex object = 0; object < kObjects; ++object) {
    Cursor cursor = trace.events(object);
    while (const Event* const event = cursor.next()) expected += line_of(trace, object, *event);
  }
  CHECK(output_of("python3 " SKEIN_READ_TRACE " " + path) == expected);
}

TEST_CASE("trace file: foreign, newer and missing files are named") {
  const ScratchFolder folder;
  const std::string path = folder / "t";
  CHECK(error_of(path) == path + ": cannot be read: No such file or directory");
  CHECK(error_of("/tmp") ==
        "/tmp: is a folder, and no trace; a time-independent trace of SimGrid becomes one by skein trace "
        "import /tmp -o FILE");
  write(path, "");
  CHECK(error_of(path) == path + ": is empty; the run that should have written it ended at its start");
  write(path, "time,pe\n1,2\n3,4\n5,6\n");
  CHECK(error_of(path) == path + ": is no trace of Skein; record one with: skein run --trace FILE");
  write_trace(Trace(), path);
  std::string newer = content(path);
  newer[8] = 99;
  write(path, newer);
  CHECK(error_of(path) ==
        path +
            ": has version 99 of the format; this Skein reads 2: use the one that wrote it, or record anew");
  CHECK_THROWS_AS(TraceFile::open(folder / "none"), TraceError);
  CHECK_THROWS_AS(write_trace(Trace(), folder / "none/t"), TraceError);
}
