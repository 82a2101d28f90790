// SPDX-License-Identifier: Apache-2.0
// Exports to OTF2, read back by the library's own otf2-print.
#include <doctest/doctest.h>

#include <regex>

#include "skein/lb/trace_formats.hpp"
#include "tests/unit/trace_formats/command.hpp"
#include "tests/unit/trace_formats/played.hpp"

using namespace skein::trace;
using namespace skein::trace::test;

namespace {

// Returns the printed lines, with single blanks.
std::vector<std::string> printed(const Folder& folder, const std::string& arguments = "") {
  int status = 0;
  const std::string text = output_of(
      std::string(SKEIN_OTF2_PRINT) + " " + arguments + " " + folder.path("a/traces.otf2"), &status);
  CAPTURE(text);
  CHECK(status == 0);
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(
        std::regex_replace(std::regex_replace(line, std::regex(" +"), " "), std::regex(" $"), ""));
  return lines;
}

std::vector<std::string> events(const Folder& folder) {
  std::vector<std::string> found;
  for (const std::string& line : printed(folder))
    if (std::regex_search(line, std::regex("^[A-Z_]+ \\d+ \\d+( |$)"))) found.push_back(line);
  return found;
}

}  // namespace

TEST_CASE("otf2 export: regions, messages, collectives, at the times of bursts and calls") {
  Header header;
  header.pes = 1;
  header.placement = {0, 0};
  Program program(2, header);
  program.builder().add(Communicator{.id = 5, .members = {1, 0}, .others = {}});
  program[0].compute(100).add({.kind = EventKind::send, .partner = 1, .tag = 7, .bytes = 64, .call_ns = 10});
  program[0].collective(Collective::bcast, 32, 1, {}, 5);
  program[1].ireceive(kAny, kAny, 100).compute(50).matched(0, 0, 7, 64);
  program[1].wait({0}).compute(25).collective(Collective::bcast, 32, 1, {}, 5);
  program[1].add({.kind = EventKind::sync, .bytes = 4096});
  const Folder folder;
  CHECK(export_otf2(std::move(program).finish(), folder.path("a")).empty());
  const std::vector<std::string> found = events(folder);
  CHECK(
      found ==
      std::vector<std::string>{
          R"(ENTER 0 0 Region: "program" <0>)",
          R"(ENTER 1 0 Region: "program" <0>)",
          R"(ENTER 1 0 Region: "MPI_Irecv" <3>)",
          R"(MPI_IRECV_REQUEST 1 0 Request: 0)",
          R"(LEAVE 1 0 Region: "MPI_Irecv" <3>)",
          R"(ENTER 1 50 Region: "MPI_Wait" <4>)",
          R"(MPI_IRECV 1 50 Sender: 0 ("rank 0" <0>), Communicator: "MPI_COMM_WORLD" <0>, Tag: 7, Length: 64, Request: 0)",
          R"(LEAVE 1 50 Region: "MPI_Wait" <4>)",
          R"(ENTER 1 75 Region: "MPI_Bcast" <2>)",
          R"(MPI_COLLECTIVE_BEGIN 1 75)",
          R"(MPI_COLLECTIVE_END 1 75 Operation: BCAST, Communicator: "communicator 5" <1>, Root: 0 ("rank 1" <1>), Sent: 32, Received: 0)",
          R"(LEAVE 1 75 Region: "MPI_Bcast" <2>)",
          R"(METRIC 1 75 Metric: 0, 1 Value: ("memory in use" <0>; UINT64; 4096))",
          R"(ENTER 1 75 Region: "sync point" <5>)",
          R"(LEAVE 1 75 Region: "sync point" <5>)",
          R"(LEAVE 1 75 Region: "program" <0>)",
          R"(ENTER 0 100 Region: "MPI_Send" <1>)",
          R"(MPI_SEND 0 100 Receiver: 1 ("rank 1" <1>), Communicator: "MPI_COMM_WORLD" <0>, Tag: 7, Length: 64)",
          R"(LEAVE 0 110 Region: "MPI_Send" <1>)",
          R"(ENTER 0 110 Region: "MPI_Bcast" <2>)",
          R"(MPI_COLLECTIVE_BEGIN 0 110)",
          R"(MPI_COLLECTIVE_END 0 110 Operation: BCAST, Communicator: "communicator 5" <1>, Root: 0 ("rank 1" <1>), Sent: 32, Received: 0)",
          R"(LEAVE 0 110 Region: "MPI_Bcast" <2>)",
          R"(LEAVE 0 110 Region: "program" <0>)",
      });
}

TEST_CASE("otf2 export: definitions of places and of the clock") {
  Header header;
  header.machine = "two boards";
  header.pes = 2;
  header.placement = {1, 0};
  header.counters = {"PAPI_TOT_INS"};
  Program program(2, header);
  const std::int64_t count = 77;
  program[0].compute(10).add({.kind = EventKind::sync, .bytes = 1, .counters = std::span(&count, 1)});
  const Folder folder;
  export_otf2(std::move(program).finish(), folder.path("a"));
  std::string all;
  for (const std::string& line : printed(folder, "-G")) all += line + "\n";
  CAPTURE(all);
  CHECK(all.find("warning") == std::string::npos);
  CHECK(all.find("CLOCK_PROPERTIES Ticks per Seconds: 1000000000, Global Offset: 0, Length: 11,") !=
        std::string::npos);
  CHECK(std::regex_search(all, std::regex("LOCATION_GROUP 0 Name: \"rank 0\".*Parent: \"PE::PE 1\"")));
  CHECK(std::regex_search(all, std::regex("SYSTEM_TREE_NODE 0 Name: \"two boards\"")));
  CHECK(std::regex_search(all, std::regex("METRIC_MEMBER 1 Name: \"PAPI_TOT_INS\"")));
}

TEST_CASE("otf2 export: a folder that has an archive is refused, and the archive is left alone") {
  const Folder folder;
  Program first(1), second(1);
  export_otf2(std::move(first).finish(), folder.path("a"));
  const std::vector<std::string> before = printed(folder);
  CHECK(error_of([&] { export_otf2(std::move(second).finish(), folder.path("a")); }) ==
        "cannot write " + folder.path("a") +
            ": it has 'traces.otf2' already, of an archive; remove the folder, or name another one (-o)");
  CHECK(printed(folder) == before);
}

TEST_CASE("otf2 export: a simulated run of a native program, with its waits and in its order") {
  const Folder folder;
  const Remarks remarks = export_otf2(played_elements(), folder.path("a"));
  CHECK(remarks.size() == 1);  // the two messages
  CHECK(events(folder) == std::vector<std::string>{
                              R"(ENTER 0 0 Region: "program" <0>)",
                              R"(LEAVE 0 0 Region: "program" <0>)",
                              R"(ENTER 1 0 Region: "program" <0>)",
                              R"(ENTER 1 0 Region: "A::step" <1>)",
                              R"(ENTER 2 0 Region: "program" <0>)",
                              R"(LEAVE 1 2000 Region: "A::step" <1>)",
                              R"(ENTER 1 2000 Region: "A::step" <1>)",
                              R"(LEAVE 1 3000 Region: "A::step" <1>)",
                              R"(LEAVE 1 3000 Region: "program" <0>)",
                              R"(ENTER 2 3000 Region: "A::step" <1>)",
                              R"(LEAVE 2 7000 Region: "A::step" <1>)",
                              R"(ENTER 2 7000 Region: "A::step" <1>)",
                              R"(LEAVE 2 11000 Region: "A::step" <1>)",
                              R"(LEAVE 2 11000 Region: "program" <0>)",
                          });
}
