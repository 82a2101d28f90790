// SPDX-License-Identifier: Apache-2.0
// Exports for Perfetto, read back by protoc with Perfetto's schema (perfetto_trace.proto is a part of it).
#include <doctest/doctest.h>

#include <regex>

#include "skein/lb/trace_formats.hpp"
#include "tests/unit/trace_formats/command.hpp"
#include "tests/unit/trace_formats/played.hpp"

using namespace skein::trace;
using namespace skein::trace::test;

namespace {

// Returns the file's packets as protoc prints them: without indentation, each packet in one line.
std::vector<std::string> packets(const Folder& folder, const std::string& file) {
  const std::string text =
      output_of(std::string(SKEIN_PROTOC) + " --decode=perfetto.protos.Trace -I " + SKEIN_TEST_SOURCES + " " +
                SKEIN_TEST_SOURCES + "/perfetto_trace.proto < " + folder.path(file));
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line == "packet {") {
      found.emplace_back();
    } else if (line != "}" && !found.empty()) {
      const std::string trimmed = line.substr(line.find_first_not_of(' '));
      found.back() += (found.back().empty() ? "" : " ") + trimmed;
    }
  }
  return found;
}

// Returns events in words: "TYPE_SLICE_BEGIN track time name {annotations} flows", with interned names put
// in.
std::vector<std::string> events(const std::vector<std::string>& packets) {
  std::vector<std::string> found;
  std::map<std::string, std::string> names, annotations;
  const auto intern = [](const std::string& packet, const std::string& kind, auto& into) {
    const std::regex entry(kind + " \\{ iid: (\\d+) name: \"([^\"]*)\" \\}");
    for (std::sregex_iterator i(packet.begin(), packet.end(), entry), end; i != end; ++i)
      into[(*i)[1]] = (*i)[2];
  };
  for (const std::string& packet : packets) {
    intern(packet, "event_names", names);
    intern(packet, "debug_annotation_names", annotations);
    if (packet.find("track_event {") == std::string::npos) continue;
    const auto all = [&](const std::string& pattern) {
      std::string text;
      const std::regex regex(pattern);
      for (std::sregex_iterator i(packet.begin(), packet.end(), regex), end; i != end; ++i)
        text += " " + (*i)[1].str();
      return text;
    };
    std::string line =
        all("type: TYPE_(\\w+)").substr(1) + all("track_uuid: (\\d+)") + all("timestamp: (\\d+)");
    std::smatch name;
    const std::string after_annotations =
        std::regex_replace(packet, std::regex("debug_annotations \\{[^}]*\\}"), "");
    if (std::regex_search(after_annotations, name, std::regex("name_iid: (\\d+)")))
      line += " " + names[name[1]];
    const std::regex annotation("debug_annotations \\{ name_iid: (\\d+) (?:int|string)_value: ([^ ]+) \\}");
    for (std::sregex_iterator i(packet.begin(), packet.end(), annotation), end; i != end; ++i)
      line += " " + annotations[(*i)[1]] + "=" + (*i)[2].str();
    line += all("counter_value: (-?\\d+)");
    if (const std::string flows = all(" flow_ids: (\\d+)"); !flows.empty()) line += " ->" + flows;
    if (const std::string flows = all("terminating_flow_ids: (\\d+)"); !flows.empty()) line += " <-" + flows;
    found.push_back(line);
  }
  return found;
}

const std::string rank0 = "2199023255552", rank1 = "2199023255553";

}  // namespace

TEST_CASE("perfetto export: bursts, calls with their messages, regions and counters") {
  Header header;
  header.pes = 2;
  header.placement = {1, 0};
  Program program(2, header);
  const std::uint64_t region = program.builder().name("solve");
  program[0].add({.kind = EventKind::region_begin, .list = std::span(&region, 1)});
  program[0].compute(100).add({.kind = EventKind::send, .partner = 1, .tag = 7, .bytes = 64, .call_ns = 10});
  program[0].add({.kind = EventKind::region_end, .list = std::span(&region, 1)});
  program[1].ireceive(kAny, kAny, 100).compute(50).matched(0, 0, 7, 64).wait({0});
  program[1].add({.kind = EventKind::sync, .bytes = 4096});
  program.builder().add(RecordedStep{.time_ns = 120, .took_ns = 30, .strategy = "greedy", .moves = {{0, 0}}});
  const Folder folder;
  CHECK(export_perfetto(std::move(program).finish(), folder.path("t.pftrace")).empty());
  const std::vector<std::string> all = packets(folder, "t.pftrace");
  for (const std::string& packet : all) {
    CAPTURE(packet);
    CHECK(packet.find("trusted_packet_sequence_id: 1") != std::string::npos);
    CHECK_FALSE(std::regex_search(packet, std::regex("(^| )\\d+: ")));  // a field that the schema lacks
  }
  REQUIRE(all.size() > 2);
  CHECK(all[0].find("uuid: 1099511627776 name: \"PE 0\"") != std::string::npos);
  CHECK(all[0].find("sequence_flags: 3") != std::string::npos);
  CHECK(all[1].find("sequence_flags: 2") != std::string::npos);
  CHECK(all[2].find("uuid: " + rank0 + " name: \"rank 0\" parent_uuid: 1099511627777") != std::string::npos);
  CHECK(events(all) ==
        std::vector<std::string>{
            "SLICE_BEGIN 4398046511104 120 LB step moved=1 strategy=\"greedy\"",
            "SLICE_END 4398046511104 150",
            "SLICE_BEGIN " + rank0 + " 0 solve",
            "SLICE_BEGIN " + rank0 + " 0 compute",
            "SLICE_END " + rank0 + " 100",
            "SLICE_BEGIN " + rank0 + " 100 MPI_Send to=1 tag=7 bytes=64 communicator=0 -> 4294967296",
            "SLICE_END " + rank0 + " 110",
            "SLICE_END " + rank0 + " 110",
            "INSTANT " + rank1 + " 0 MPI_Irecv from=0 tag=7 bytes=64 communicator=0",
            "SLICE_BEGIN " + rank1 + " 0 compute",
            "SLICE_END " + rank1 + " 50",
            "INSTANT " + rank1 + " 50 MPI_Wait requests=1 <- 4294967296",
            "COUNTER 3298534883329 50 4096",
            "INSTANT " + rank1 + " 50 sync point",
        });
}

TEST_CASE("perfetto export: entry methods of a native program, and what caused them") {
  Header header;
  header.native = true;
  header.labels = {"", "Block[3]"};
  Program program(2, header);
  const auto method = static_cast<std::int32_t>(program.builder().name("Block::step"));
  program[0].add(
      {.kind = EventKind::execute, .what = static_cast<std::uint8_t>(Cause::begin), .tag = method});
  program[0].compute(5).add({.kind = EventKind::call, .partner = 1, .tag = method, .bytes = 8});
  program[0].compute(2).add({.kind = EventKind::finish});
  program[1].add({.kind = EventKind::execute,
                  .what = static_cast<std::uint8_t>(Cause::message),
                  .partner = 0,
                  .tag = method,
                  .serial = 0});
  program[1].compute(9).add({.kind = EventKind::finish});
  const Folder folder;
  export_perfetto(std::move(program).finish(), folder.path("t.pftrace"));
  const std::vector<std::string> all = packets(folder, "t.pftrace");
  CHECK(events(all) == std::vector<std::string>{
                           "SLICE_BEGIN " + rank0 + " 0 Block::step",
                           "SLICE_BEGIN " + rank0 + " 0 compute",
                           "SLICE_END " + rank0 + " 5",
                           "INSTANT " + rank0 + " 5 call Block::step bytes=8 -> 4294967296",
                           "SLICE_BEGIN " + rank0 + " 5 compute",
                           "SLICE_END " + rank0 + " 7",
                           "SLICE_END " + rank0 + " 7",
                           "SLICE_BEGIN " + rank1 + " 0 Block::step -> 4294967296",
                           "SLICE_BEGIN " + rank1 + " 0 compute",
                           "SLICE_END " + rank1 + " 9",
                           "SLICE_END " + rank1 + " 9",
                       });
}

TEST_CASE("perfetto export: a simulated run of a native program, with its waits and in its order") {
  const Folder folder;
  CHECK(export_perfetto(played_elements(), folder.path("t.pftrace")).empty());
  const std::string caller = rank1, called = "2199023255554", first = "8589934592", second = "8589934593";
  CHECK(events(packets(folder, "t.pftrace")) ==
        std::vector<std::string>{
            "SLICE_BEGIN " + caller + " 0 A::step",
            "SLICE_BEGIN " + caller + " 0 compute",
            "SLICE_END " + caller + " 2000",
            "INSTANT " + caller + " 2000 call A::step bytes=8 -> " + first,
            "SLICE_END " + caller + " 2000",
            "SLICE_BEGIN " + caller + " 2000 A::step",
            "SLICE_BEGIN " + caller + " 2000 compute",
            "SLICE_END " + caller + " 3000",
            "INSTANT " + caller + " 3000 call A::step bytes=8 -> " + second,
            "SLICE_END " + caller + " 3000",
            "SLICE_BEGIN " + called + " 3000 A::step -> " + second,
            "SLICE_BEGIN " + called + " 3000 compute",
            "SLICE_END " + called + " 7000",
            "SLICE_END " + called + " 7000",
            "SLICE_BEGIN " + called + " 7000 A::step -> " + first,
            "SLICE_BEGIN " + called + " 7000 compute",
            "SLICE_END " + called + " 11000",
            "SLICE_END " + called + " 11000",
        });
}
