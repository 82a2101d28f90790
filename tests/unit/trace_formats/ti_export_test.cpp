// SPDX-License-Identifier: Apache-2.0
// TI traces as text, in the lines that SimGrid's src/smpi/internals/smpi_replay.cpp expects.
#include <doctest/doctest.h>

#include "skein/lb/trace_formats.hpp"
#include "tests/unit/trace_formats/program.hpp"

using namespace skein::trace;
using namespace skein::trace::test;

TEST_CASE("ti export: blocking messages, computing and the list") {
  Program program(2);
  program[0].compute(1500).send(1, 7, 1000).compute(20);
  program[1].receive(0, 7, 1000);
  const Folder folder;
  CHECK(export_ti(std::move(program).finish(), folder.path()).empty());
  CHECK(folder.read("rank-0.txt") == "0 init\n0 compute 1500\n0 send 1 7 1000\n0 compute 20\n0 finalize\n");
  CHECK(folder.read("rank-1.txt") == "1 init\n1 recv 0 7 1000\n1 finalize\n");
  CHECK(folder.read("traces.txt") == folder.path("rank-0.txt") + "\n" + folder.path("rank-1.txt") + "\n");
}

TEST_CASE("ti export: amounts of computing are for the speed that is asked for") {
  Program program(1);
  program[0].compute(1500);
  const Folder folder;
  export_ti(std::move(program).finish(), folder.path(), {.flops = 3e9});
  CHECK(folder.read("rank-0.txt") == "0 init\n0 compute 4500\n0 finalize\n");
}

TEST_CASE("ti export: waits name their requests, and one for all is waitall") {
  Program program(2);
  program[0].isend(1, 1, 10).ireceive(1, 2, 20).wait({0}).wait({1});
  program[1].ireceive(0, 1, 10).isend(0, 2, 20).wait({1, 0});
  const Folder folder;
  export_ti(std::move(program).finish(), folder.path());
  CHECK(folder.read("rank-0.txt") ==
        "0 init\n0 isend 1 1 10\n0 irecv 1 2 20\n0 wait 1 0 2\n0 wait 0 1 1\n0 finalize\n");
  CHECK(folder.read("rank-1.txt") == "1 init\n1 irecv 0 1 10\n1 isend 0 2 20\n1 waitall\n1 finalize\n");
}

TEST_CASE("ti export: a wildcard becomes what it matched") {
  Program program(3);
  program[0].ireceive(kAny, kAny, 100).compute(5).matched(0, 2, 9, 60).wait({0});
  program[2].send(0, 9, 60);
  const Folder folder;
  export_ti(std::move(program).finish(), folder.path());
  CHECK(folder.read("rank-0.txt") == "0 init\n0 irecv 2 9 60\n0 compute 5\n0 wait 2 0 9\n0 finalize\n");
}

TEST_CASE("ti export: a receive that was freed is one that nobody waits for") {
  Program program(2);
  program[0].ireceive(1, 3, 10).ireceive(kAny, 4, 10).matched(0, 1, 4, 5).matched(1, 1, 3, 6);
  program[1].send(0, 3, 6).send(0, 4, 5);
  const Folder folder;
  CHECK(export_ti(std::move(program).finish(), folder.path()).empty());
  CHECK(folder.read("rank-0.txt") == "0 init\n0 irecv 1 3 6\n0 irecv 1 4 5\n0 finalize\n");
}

TEST_CASE("ti export: a receive that took nothing is left out, and said") {
  Program program(2);
  program[0].ireceive(1, 3, 10).ireceive(kAny, 4, 10).wait({0});
  const Folder folder;
  const Remarks remarks = export_ti(std::move(program).finish(), folder.path());
  REQUIRE(remarks.size() == 1);
  CHECK(remarks[0] == "2 x nonblocking receive that took no message: left out");
  CHECK(folder.read("rank-0.txt") == "0 init\n0 finalize\n");
}

TEST_CASE("ti export: a send and a receive that were cancelled are left out, and said") {
  Program program(2);
  program[0].isend(1, 5, 100).matched(0, kAny, kAny, 0).wait({0}).send(1, 5, 8);
  program[1].ireceive(0, 5, 100).matched(0, kAny, kAny, 0).wait({0}).receive(0, 5, 8);
  const Folder folder;
  const Remarks remarks = export_ti(std::move(program).finish(), folder.path());
  CHECK(folder.read("rank-0.txt") == "0 init\n0 send 1 5 8\n0 finalize\n");
  CHECK(folder.read("rank-1.txt") == "1 init\n1 recv 0 5 8\n1 finalize\n");
  CHECK(remarks.size() == 2);
}

TEST_CASE("ti export: requests of one name that are not waited for in order get tags of their own") {
  Program program(2);
  program[0].isend(1, 5, 1).isend(1, 5, 2).wait({0}).wait({1});
  program[1].receive(0, 5, 1).receive(0, 5, 2);
  const Folder folder;
  export_ti(std::move(program).finish(), folder.path());
  CHECK(folder.read("rank-0.txt") ==
        "0 init\n0 isend 1 1048576 1\n0 isend 1 1048577 2\n0 wait 0 1 1048577\n0 wait 0 1 1048576\n0 "
        "finalize\n");
  CHECK(folder.read("rank-1.txt") == "1 init\n1 recv 0 1048576 1\n1 recv 0 1048577 2\n1 finalize\n");
}

TEST_CASE("ti export: another communicator's messages have another tag") {
  Program program(2);
  program.builder().add(Communicator{.id = 4, .members = {0, 1}, .others = {}});
  program[0].send(1, 5, 1).send(1, 5, 2, 4);
  program[1].receive(0, 5, 2, 4).receive(0, 5, 1);
  const Folder folder;
  export_ti(std::move(program).finish(), folder.path());
  CHECK(folder.read("rank-0.txt") == "0 init\n0 send 1 5 1\n0 send 1 1048576 2\n0 finalize\n");
  CHECK(folder.read("rank-1.txt") == "1 init\n1 recv 0 1048576 2\n1 recv 0 5 1\n1 finalize\n");
}

TEST_CASE("ti export: collectives of the world") {
  using C = Collective;
  const std::vector<std::uint64_t> counts[2] = {{1, 2}, {3, 4}};
  Program program(2);
  for (int rank = 0; rank < 2; ++rank)
    program[rank]
        .collective(C::barrier, 0)
        .collective(C::bcast, 10, 1)
        .collective(C::reduce, 16, 1)
        .collective(C::allreduce, 24)
        .collective(C::gather, 30, 0)
        .collective(C::scatter, 40, 1)
        .collective(C::allgather, 50)
        .collective(C::alltoall, 60)
        .collective(C::gatherv, 70 + rank, 0)
        .collective(C::scatterv, rank == 1 ? 0 : 5, 1,
                    rank == 1 ? std::vector<std::uint64_t>{5, 6} : std::vector<std::uint64_t>{})
        .collective(C::allgatherv, 80 + rank)
        .collective(C::alltoallv, 0, kAny, counts[rank])
        .collective(C::reduce_scatter_block, 64)
        .collective(C::reduce_scatter, 0, kAny, {8, 16})
        .collective(C::scan, 90)
        .collective(C::exscan, 100)
        .collective(C::create_comm, 0);
  const Folder folder;
  CHECK(export_ti(std::move(program).finish(), folder.path()).empty());
  CHECK(
      folder.read("rank-1.txt") ==
      "1 init\n1 barrier\n1 bcast 10 1\n1 reduce 16 0 1\n1 allreduce 24 0\n1 gather 30 30 0\n1 scatter 40 40 "
      "1\n"
      "1 allgather 50 50\n1 alltoall 60 60\n1 gatherv 71 70 71 0\n1 scatterv 5 6 6 1\n1 allgatherv 81 80 81\n"
      "1 alltoallv 7 3 4 6 2 4\n1 reducescatter 32 32 0\n1 reducescatter 8 16 0\n1 scan 90 0\n1 exscan 100 "
      "0\n"
      "1 comm_split\n1 finalize\n");
}

TEST_CASE("ti export: of an allgather with counts, everybody gets what each has recorded for itself") {
  // Bytes as they are recorded: what the rank sends, and what each rank sends to all.
  const auto three = [] {
    Program program(3);
    for (std::size_t rank = 0; rank < 3; ++rank)
      program[rank].collective(Collective::allgatherv, 10 * (rank + 1), kAny, {10, 20, 30});
    return std::move(program).finish();
  };
  const Folder folder;
  export_ti(three(), folder.path());
  CHECK(folder.read("rank-1.txt") == "1 init\n1 allgatherv 20 10 20 30\n1 finalize\n");
  export_ti(three(), folder.path(), {.messages = true});
  // Rank 1 has its own data and sends it down, then what fits of its own and rank 2's.
  CHECK(folder.read("rank-1.txt") ==
        "1 init\n1 irecv 2 1048576 30\n1 isend 0 1048576 20\n1 waitall\n"
        "1 irecv 0 1048576 10\n1 isend 2 1048576 20\n1 waitall\n1 finalize\n");
}

TEST_CASE("ti export: of a vector that is halved, all bytes are sent and no more") {
  Program program(4);
  constexpr std::uint64_t bytes = 8193 * 4;
  for (std::size_t rank = 0; rank < 4; ++rank) program[rank].collective(Collective::reduce, bytes, 0);
  const Folder folder;
  export_ti(std::move(program).finish(), folder.path(), {.messages = true});
  std::uint64_t sent = 0;
  for (int rank = 0; rank < 4; ++rank) {
    std::istringstream lines(folder.read("rank-" + std::to_string(rank) + ".txt"));
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string who, action;
      std::uint64_t peer = 0, tag = 0, length = 0;
      words >> who >> action >> peer >> tag >> length;
      if (action == "send" || action == "isend") sent += length;
    }
  }
  // Two pairs share the whole, then two pairs a half each; the root gets all but the quarter that it has.
  CHECK(sent == 2 * bytes + bytes + (bytes - 8192));
}

TEST_CASE("ti export: a barrier of some ranks is dissemination between them") {
  Program program(4);
  program.builder().add(Communicator{.id = 9, .members = {3, 1, 0}, .others = {}});
  for (const std::size_t rank : {0, 1, 3}) program[rank].collective(Collective::barrier, 0, kAny, {}, 9);
  const Folder folder;
  const Remarks remarks = export_ti(std::move(program).finish(), folder.path());
  REQUIRE(remarks.size() == 1);
  CHECK(remarks[0].starts_with("3 x barrier of a communicator other than the world"));
  // Rank 1 is the second of three: it sends one block up, then two.
  CHECK(folder.read("rank-1.txt") ==
        "1 init\n1 irecv 3 1048576 0\n1 isend 0 1048576 0\n1 waitall\n"
        "1 irecv 0 1048576 0\n1 isend 3 1048576 0\n1 waitall\n1 finalize\n");
  CHECK(folder.read("rank-2.txt") == "2 init\n2 finalize\n");
}

TEST_CASE("ti export: a nonblocking allreduce is an exchange of all, for which its wait waits") {
  Program program(3);
  for (std::size_t rank = 0; rank < 3; ++rank)
    program[rank].icollective(Collective::allreduce, 8).compute(100).wait({0});
  const Folder folder;
  export_ti(std::move(program).finish(), folder.path());
  CHECK(folder.read("rank-0.txt") ==
        "0 init\n0 irecv 2 1048576 8\n0 irecv 1 1048576 8\n0 isend 1 1048576 8\n0 isend 2 1048576 8\n"
        "0 compute 100\n0 waitall\n0 finalize\n");
}

TEST_CASE(
    "ti export: starts of persistent collectives in another order have the tags of those that belong to "
    "them") {
  const auto start = [](std::int32_t which, std::uint64_t bytes) {
    return Event{.kind = EventKind::collective,
                 .what = static_cast<std::uint8_t>(Collective::allreduce),
                 .starts_request = true,
                 .tag = which,
                 .bytes = bytes};
  };
  Program program(2);
  program[0].add(start(1, 8)).add(start(2, 16)).wait({0, 1});
  program[1].add(start(2, 16)).add(start(1, 8)).wait({0, 1});
  const Folder folder;
  export_ti(std::move(program).finish(), folder.path());
  CHECK(folder.read("rank-0.txt") ==
        "0 init\n0 irecv 1 1048576 8\n0 isend 1 1048576 8\n0 irecv 1 1048577 16\n0 isend 1 1048577 16\n"
        "0 waitall\n0 finalize\n");
  CHECK(folder.read("rank-1.txt") ==
        "1 init\n1 irecv 0 1048577 16\n1 isend 0 1048577 16\n1 irecv 0 1048576 8\n1 isend 0 1048576 8\n"
        "1 waitall\n1 finalize\n");
}

TEST_CASE("ti export: sync points are left out, or migrate; sleeps and files take their time") {
  for (const bool migrate : {false, true}) {
    Program program(1);
    program[0].add({.kind = EventKind::sync, .bytes = 4096});
    program[0].add({.kind = EventKind::sleep, .call_ns = 500'000'000});
    program[0].add({.kind = EventKind::file, .call_ns = 250'000'000});
    const Folder folder;
    const Remarks remarks = export_ti(std::move(program).finish(), folder.path(), {.migrate = migrate});
    CHECK(folder.read("rank-0.txt") == std::string("0 init\n") + (migrate ? "0 migrate 4096\n" : "") +
                                           "0 sleep 0.5\n0 sleep 0.25\n0 finalize\n");
    REQUIRE(remarks.size() == 1);
    CHECK(remarks[0] == "1 x file call: a sleep of the time that it took");
  }
}

TEST_CASE("ti export: what cannot be played is refused") {
  const Folder folder;
  SUBCASE("a receive without its send") {
    Program program(2);
    program[0].receive(1, 7, 10);
    CHECK(
        error_of([&] {
          export_ti(std::move(program).finish(), folder.path());
        }).starts_with("rank 0 receives 1 messages with tag 7 of communicator 0 from rank 1, which sends 0"));
  }
  SUBCASE("ranks in different collectives") {
    Program program(2);
    program[0].collective(Collective::barrier, 0);
    program[1].collective(Collective::allreduce, 8);
    CHECK(
        error_of([&] { export_ti(std::move(program).finish(), folder.path()); }) ==
        "rank 1, event 0 is allreduce with root -1, but rank 0 has barrier with root -1 there: members must "
        "make the same calls");
  }
  SUBCASE("a rank that ended early") {
    Program program(2);
    program[0].collective(Collective::barrier, 0);
    CHECK(error_of([&] {
            export_ti(std::move(program).finish(), folder.path());
          }).starts_with("rank 1 takes part in 0 collectives of communicator 0, but rank 0 in 1"));
  }
  SUBCASE("a native program") {
    Header header;
    header.native = true;
    CHECK(error_of([&] {
            export_ti(TraceBuilder(header, 1).finish(), folder.path());
          }).starts_with("the trace is of a native program"));
  }
  SUBCASE("an amount that SimGrid reads as int") {
    Program program(1);
    program[0].collective(Collective::alltoall, std::uint64_t{1} << 31);
    CHECK(error_of([&] {
            export_ti(std::move(program).finish(), folder.path());
          }).find("no more than 2^31 - 1") != std::string::npos);
  }
}
