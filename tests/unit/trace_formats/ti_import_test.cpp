// SPDX-License-Identifier: Apache-2.0
// TI traces of SimGrid's users, with the meanings that its documentation and its replay give to lines.
#include "lb/trace/formats/ti_files.hpp"

#include <doctest/doctest.h>

#include "tests/unit/trace_formats/program.hpp"

using namespace skein::trace;
using namespace skein::trace::test;

namespace {

Trace import(const std::string& text, Remarks* remarks = nullptr, const TiOptions& options = {}) {
  std::deque<TiText> texts;
  texts.push_back({"t.txt", text});
  return import_ti_texts(std::move(texts), options, remarks);
}

std::string import_error(const std::string& text) {
  return error_of([&] { import(text); });
}

// Returns what export_ti makes of the trace; ti_export_test.cpp checks export_ti.
std::string exported(const Trace& trace, std::size_t rank, const TiOptions& options = {}) {
  const Folder folder;
  export_ti(trace, folder.path(), options);
  return folder.read("rank-" + std::to_string(rank) + ".txt");
}

}  // namespace

TEST_CASE("ti import: SimGrid's examples of messages") {
  // examples/smpi/replay/actions{0,1}.txt of SimGrid 3.32.
  const Trace trace = import(
      "0 init\n0 send 1 0 1e6\n0 recv 1 1 1e6\n0 send 1 2 1e6\n0 finalize\n"
      "1 init\n1 recv 0 0 1e6\n1 compute 1e9\n1 isend 0 1 1e6\n1 irecv 0 2 1e6\n1 wait 0 1 2\n1 finalize\n");
  CHECK(trace.object_count() == 2);
  CHECK(exported(trace, 0) ==
        "0 init\n0 send 1 0 1000000\n0 recv 1 1 1000000\n0 send 1 2 1000000\n0 finalize\n");
  // At the end SimGrid waits for requests that nobody waited for.
  CHECK(exported(trace, 1) ==
        "1 init\n1 recv 0 0 1000000\n1 compute 1000000000\n1 isend 0 1 1000000\n1 irecv 0 2 1000000\n"
        "1 wait 0 1 2\n1 wait 1 0 1\n1 finalize\n");
}

TEST_CASE("ti import: of a test that a wait follows nothing is left; one that none follows is a wait") {
  const Trace trace = import(
      "0 init\n0 send 1 0 8\n0 send 1 1 8\n0 finalize\n"
      "1 init\n1 irecv 0 0 8\n1 irecv 0 1 8\n1 compute 5\n1 test 0 1 0\n1 compute 7\n1 test 0 1 1\n1 wait 0 "
      "1 0\n"
      "1 compute 1\n1 test 0 1 1\n1 compute 3\n1 finalize\n");
  CHECK(exported(trace, 1) ==
        "1 init\n1 irecv 0 0 8\n1 irecv 0 1 8\n1 compute 12\n1 wait 0 1 0\n1 compute 1\n1 wait 0 1 1\n"
        "1 compute 3\n1 finalize\n");
}

TEST_CASE("ti import: collectives, their types and what they compute") {
  // Types: 0 double, 1 int, 4 long, 5 float. The default type is double where init has an argument.
  const Trace trace = import(
      "0 init 1\n0 bcast 10 1 1\n0 bcast 10 1\n0 reduce 2 500 1 5\n0 allreduce 3 0\n0 gather 4 4 1 1 1\n"
      "0 gatherv 5 5 6 1 1 1\n0 scatter 7 7 1\n0 scatterv 1 2 1 1 4 4\n0 allgather 2 2 1 1\n0 allgatherv 3 3 "
      "4 1 1\n"
      "0 alltoall 1 1\n0 alltoallv 3 1 2 5 1 4 1 1\n0 reducescatter 2 4 100 0\n0 scan 1 0 4\n0 exscan 2 0 4\n"
      "0 finalize\n"
      "1 init 1\n1 bcast 10 1 1\n1 bcast 10 1\n1 reduce 2 500 1 5\n1 allreduce 3 0\n1 gather 4 4 1 1 1\n"
      "1 gatherv 6 5 6 1 1 1\n1 scatter 7 7 1\n1 scatterv 1 2 2 1 4 4\n1 allgather 2 2 1 1\n1 allgatherv 4 3 "
      "4 1 1\n"
      "1 alltoall 1 1\n1 alltoallv 7 4 3 5 2 3 1 1\n1 reducescatter 2 4 0 0\n1 scan 1 0 4\n1 exscan 2 0 4\n"
      "1 finalize\n");
  CHECK(
      exported(trace, 0) ==
      "0 init\n0 bcast 40 1\n0 bcast 80 1\n0 reduce 8 0 1\n0 compute 500\n0 allreduce 24 0\n0 gather 16 16 "
      "1\n"
      "0 gatherv 20 20 24 1\n0 scatter 56 56 1\n0 scatterv 8 16 8 1\n0 allgather 8 8\n0 allgatherv 12 12 16\n"
      "0 alltoall 8 8\n0 alltoallv 12 4 8 20 4 16\n0 reducescatter 16 32 0\n0 compute 100\n0 scan 8 0\n"
      "0 exscan 16 0\n0 finalize\n");
}

TEST_CASE("ti import: the spelling of SimGrid 3.19 and before") {
  const Trace trace = import(
      "p0 init\np0 compute 1000\np0 Isend 1 1e3\np0 Irecv 1 2e3\np0 wait\np0 wait\np0 allReduce 8 10\np0 "
      "finalize\n"
      "p1 init\np1 Irecv 0 1000\np1 Isend 0 2000\np1 waitAll\np1 allReduce 8 10\np1 finalize\n");
  // A wait is for the last request.
  CHECK(exported(trace, 0) ==
        "0 init\n0 compute 1000\n0 isend 1 0 1000\n0 irecv 1 0 2000\n0 wait 1 0 0\n0 wait 0 1 0\n"
        "0 allreduce 8 0\n0 compute 10\n0 finalize\n");
  CHECK(exported(trace, 1) ==
        "1 init\n1 irecv 0 0 1000\n1 isend 0 0 2000\n1 waitall\n1 allreduce 8 0\n1 compute 10\n1 finalize\n");
}

TEST_CASE("ti import: both halves of sendRecv; sleeps and sync points; what has no effect") {
  const Trace trace = import(
      "# version: 1.0\n\n0 init\n0 location main.c 12\n0 comm_size 2\n0 sendRecv 100 1 200 1 6 6\n0 sleep "
      "0.25\n"
      "0 migrate 4096\n0 comm_split\n0 comm_dup\n0 finalize\n"
      "1 init\n1\tsendRecv 200 0  100 0 6 6\r\n1 finalize");
  CHECK(exported(trace, 0, {.migrate = true}) ==
        "0 init\n0 isend 1 0 100\n0 irecv 1 0 200\n0 waitall\n0 sleep 0.25\n0 migrate 4096\n0 finalize\n");
  CHECK(exported(trace, 1) == "1 init\n1 isend 0 0 200\n1 irecv 0 0 100\n1 waitall\n1 finalize\n");
}

TEST_CASE("ti import: what was exported comes back the same") {
  Program program(3);
  program[0].compute(11).isend(1, 4, 100'000).ireceive(2, 5, 7).compute(3).wait({0, 1}).send(2, 1, 0);
  program[1].receive(0, 4, 100'000).collective(Collective::allreduce, 8).compute(9);
  program[2].isend(0, 5, 7).compute(1).wait({0}).receive(0, 1, 0);
  program[0].collective(Collective::allreduce, 8).collective(Collective::alltoallv, 0, kAny, {1, 2, 3});
  program[1].collective(Collective::alltoallv, 0, kAny, {4, 5, 6});
  program[2].collective(Collective::allreduce, 8).collective(Collective::alltoallv, 0, kAny, {7, 8, 9});
  const Folder first, second;
  export_ti(std::move(program).finish(), first.path());
  Remarks remarks;
  export_ti(import_ti(first.path(), {}, &remarks), second.path());
  CHECK(remarks.empty());
  for (const std::string rank : {"0", "1", "2"})
    CHECK(first.read("rank-" + rank + ".txt") == second.read("rank-" + rank + ".txt"));
}

TEST_CASE("ti import: a list, one with paths of another place, a folder, a single file") {
  const Folder folder;
  folder.write("a.txt", "0 init\n0 finalize\n");
  folder.write("b.txt", "1 init\n1 finalize\n");
  folder.write("platform.xml", "<?xml version='1.0'?>\n");
  CHECK(import_ti(folder.path()).object_count() == 2);
  CHECK(import_ti(folder.path("a.txt")).object_count() == 1);
  folder.write("list", "/elsewhere/a.txt\nb.txt\n");
  CHECK(import_ti(folder.path("list")).object_count() == 2);
  CHECK(import_ti(folder.path()).object_count() == 2);
  folder.write("list2", "a.txt\n");
  CHECK(error_of([&] { import_ti(folder.path()); }).find("several lists") != std::string::npos);
  folder.write("list2", "a.txt\nc.txt\n");
  CHECK(error_of([&] {
          import_ti(folder.path("list2"));
        }).starts_with(folder.path("list2") + ":2: there is no file 'c.txt'"));
  CHECK(error_of([&] { import_ti(folder.path("platform.xml")); }).find("there is no file '<?xml") !=
        std::string::npos);
  CHECK(error_of([&] { import_ti(folder.path("none")); }) == "cannot read " + folder.path("none"));
}

TEST_CASE("ti import: what is wrong is said with file and line") {
  CHECK(import_error("0 init\nx send 1 0 8\n") ==
        "t.txt:2: 'x' is no rank: a line is `rank action arguments`");
  CHECK(import_error("0 init\n0 send 1 0 8\n") ==
        "t.txt:2: rank 1, but there are actions of 1 ranks only: is a file missing?");
  CHECK(import_error("0 init\n2 init\n") ==
        "t.txt:2: an action of rank 2, but there is none of rank 1: is a file missing?");
  CHECK(import_error("0 init\n0 bcast\n") ==
        "t.txt:2: bcast has 0 arguments and needs 1: is the file truncated?");
  CHECK(import_error("0 init\n0 compute many\n") == "t.txt:2: 'many' is no number");
  CHECK(import_error("0 init\n0 compute -1\n") == "t.txt:2: '-1' is negative");
  CHECK(import_error("0 init\n0 compute 1e300\n") ==
        "t.txt:2: the rank's times add up to more than 70 years; see --flops");
  CHECK(import_error("0 init\n0 compute 2e18\n0 sleep 2e9\n") ==
        "t.txt:3: the rank's times add up to more than 70 years; see --flops");
  CHECK(import_error("0 init\n0 bcast 1e99\n") == "t.txt:2: '1e99' is more than 2^53");
  CHECK(import_error("0 init\n0 bcast 1 0 77\n") == "t.txt:2: there is no datatype 77");
  CHECK(import_error("0 init\n0 wait 0 0 3\n") ==
        "t.txt:2: rank 0 has no request of that name: all that it started are complete");
  CHECK(import_error("0 init\n0 send 0 8\n0 wait 0 0 0\n").ends_with("old and new spellings are mixed"));
  CHECK(import_error("0 init\n0 recv -1 0 8\n").starts_with("t.txt:2: rank -1: a receive from any rank"));
  CHECK(import_error("0 init\n0 waitany 3\n").starts_with("t.txt:2: waitany does not tell"));
  CHECK(import_error("0 init\n0 fly 3\n").starts_with("t.txt:2: unknown action 'fly'; known are init"));
  CHECK(import_error("") == "t.txt has no actions");
  CHECK(import_error("0 init\n0 recv 1 0 8\n1 init\n") ==
        "t.txt and the others: rank 0 receives 1 messages with tag 0 of communicator 0 from rank 1, which "
        "sends 0. Is a "
        "file cut off, or of another run?");
  CHECK(import_error("0 init\n0 barrier\n1 init\n").find("rank 1 takes part in 0 collectives") !=
        std::string::npos);
}

TEST_CASE("ti import: a rank without an end is remarked") {
  Remarks remarks;
  import("0 init\n0 compute 5\n", &remarks);
  REQUIRE(remarks.size() == 1);
  CHECK(remarks[0] == "1 x rank without finalize: its part of the trace may be cut off");
}
