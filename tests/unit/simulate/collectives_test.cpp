// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/unit/simulate/make_trace.hpp"

using namespace skein::simulate;
using skein::trace::Collective;
using skein::trace::Trace;

TEST_CASE("simulate: a barrier of four PEs has two rounds") {
  Program program(4);
  for (unsigned rank = 0; rank < 4; ++rank)
    program.on(rank).collective(Collective::barrier, 0, rank == 2 ? 700 : 0).end();
  const Timeline timeline = simulate(program.finish(), apart(4), in_blocks());
  // Dissemination: each rank waits for the rank below at distance 1, then 2. Rank 2 comes at 700; rank 3
  // takes its first word at 1850, and those of the other ranks before. Rank 2 itself sends its second word at
  // 800 + 50 (it takes the word of rank 1, which has been there since 1100: at 1150) and so on. The last rank
  // to end is 3's partner: 3 sends its second word at 1850 + 100, and 1 takes it at 3000.
  CHECK(timeline.makespan == 1850 + 1150);
  CHECK(timeline.messages == 8);
}

TEST_CASE("simulate: members on one PE assemble, and only their leaders send") {
  Program program(8);
  for (unsigned rank = 0; rank < 8; ++rank)
    program.on(rank).collective(Collective::allreduce, 800, 100).end();
  const Timeline timeline = simulate(program.finish(), apart(2), in_blocks());
  // Four a PE compute 100 each. The leaders exchange 800 bytes with 16 in front at 400: out at 500, there at
  // 500 + 1000 + 408, taken 50 later.
  CHECK(timeline.makespan == 1958);
  CHECK(timeline.messages == 2);
  CHECK(timeline.bytes == 2 * 816);
}

TEST_CASE("simulate: alone on a PE, an assembly needs no messages") {
  Program program(5);
  for (unsigned rank = 0; rank < 5; ++rank)
    program.on(rank).collective(Collective::bcast, 100, 100, 3).end(1);
  const Timeline timeline = simulate(program.finish(), apart(1), in_blocks());
  CHECK(timeline.makespan == 505);
  CHECK(timeline.messages == 0);
}

TEST_CASE("simulate: collectives take as many messages and bytes as their algorithms") {
  struct Case {
    Collective kind;
    std::uint64_t bytes;
    std::uint64_t messages, total;
    int root = -1;
  };
  // Eight PEs with one rank each, so that none assemble.
  const Case cases[] = {
      {Collective::bcast, 1000, 7, 7000, 0},
      // Scattered down a tree (halves: 4 + 2 + 2 + 1 + 1 + 1 + 1 eighths), then seven steps of a ring.
      {Collective::bcast, 1 << 20, 7 + 56, 12 * (1 << 17) + 56 * (1 << 17), 0},
      {Collective::reduce, 1000, 7, 7000, 2},
      {Collective::allreduce, 1000, 24, 24000},
      // Halves, quarters, eighths, there and back.
      {Collective::allreduce, 1 << 16, 48, 2 * 8 * ((1 << 15) + (1 << 14) + (1 << 13))},
      // Four pairs share the whole, four a half and four a quarter each, twice.
      {Collective::allreduce, 8193 * 4, 48, 2 * (4 + 2 + 1) * 8193 * 4},
      {Collective::gather, 100, 7, 12 * 100, 0},   // a tree: 4 + 2 + 2 + 1 + 1 + 1 + 1 pieces
      {Collective::gather, 4000, 7, 7 * 4000, 0},  // directly
      {Collective::scatter, 100, 7, 12 * 100, 5},
      {Collective::allgather, 100, 24, 8 * (1 + 2 + 4) * 100},
      {Collective::allgather, 10000, 56, 56 * 10000},
      {Collective::alltoall, 100, 24, 24 * 4 * 100},
      {Collective::alltoall, 1000, 56, 56 * 1000},
      {Collective::scan, 8, 7 + 6 + 4, 17 * 8},
      {Collective::exscan, 8, 7 + 6 + 4 + 7, 24 * 8},
      {Collective::barrier, 0, 24, 0},
      // All members know that there is nothing to move.
      {Collective::bcast, 0, 0, 0, 0},
      {Collective::allgather, 0, 0, 0},
      {Collective::alltoall, 0, 0, 0},
  };
  for (const Case& each : cases) {
    Program program(8);
    for (unsigned rank = 0; rank < 8; ++rank)
      program.on(rank).collective(each.kind, each.bytes, 0, each.root).end();
    const Timeline timeline = simulate(program.finish(), apart(8), in_blocks());
    CAPTURE(static_cast<int>(each.kind));
    CAPTURE(each.bytes);
    CHECK(timeline.messages == each.messages);
    CHECK(timeline.bytes == each.total);
  }
}

TEST_CASE("simulate: from four ranks a PE on, longer nonblocking ones take few messages") {
  // Of 16 ranks, four a PE, 15 messages go up a tree, 15 down. With fewer a PE, each rank sends to four
  // others in turn. Of ten ranks, two first give their data to their neighbours, and get the result at last:
  // 2 + 2, and a tree of eight.
  constexpr std::uint64_t bytes = 1032;
  for (const auto& [ranks, pes, messages] : {std::array{16u, 4u, 30u}, {16u, 5u, 64u}, {10u, 2u, 4 + 14u}}) {
    Program program(ranks);
    for (unsigned rank = 0; rank < ranks; ++rank)
      program.on(rank)
          .collective(Collective::allreduce, bytes, 0, skein::trace::kAny, 0, true)
          .wait({0})
          .end();
    const Timeline timeline = simulate(program.finish(), apart(pes), in_blocks());
    CAPTURE(ranks);
    CAPTURE(pes);
    CHECK(timeline.messages == messages);
    CHECK(timeline.bytes == messages * bytes);
  }
}

TEST_CASE("simulate: the PEs of a short nonblocking collective tell each other, or up and down a tree") {
  struct Case {
    Collective kind;
    std::uint64_t bytes;
    unsigned pes;
    std::uint64_t messages, total;
    int root = skein::trace::kAny;
  };
  const Case cases[] = {
      {Collective::barrier, 0, 1, 0, 0},
      {Collective::barrier, 0, 4, 4 * 3, 0},
      {Collective::allreduce, 1024, 2, 2, 2 * 1024},
      {Collective::allreduce, 1000, 3, 3 * 2, 6 * 1000},
      {Collective::bcast, 100, 3, 3 * 2, 2 * 100, 11},  // the root's PE has it for two others
      {Collective::barrier, 0, 5, 2 * 4, 0},
      {Collective::reduce, 8, 6, 2 * 5, 10 * 8, 3},
      // From PE 5, which is below PE 1, up to PE 0, and down to all five.
      {Collective::bcast, 100, 6, 2 * 5, (2 + 5) * 100, 11},
  };
  for (const Case& each : cases) {
    Program program(12);
    for (unsigned rank = 0; rank < 12; ++rank)
      program.on(rank).collective(each.kind, each.bytes, 10, each.root, 0, true).wait({0}).end();
    const Timeline timeline = simulate(program.finish(), apart(each.pes), in_blocks());
    CAPTURE(static_cast<int>(each.kind));
    CAPTURE(each.pes);
    CHECK(timeline.messages == each.messages);
    CHECK(timeline.bytes == each.total);
  }
}

TEST_CASE("simulate: several short nonblocking collectives are under way, and waited for in another order") {
  Program program(8);
  for (unsigned rank = 0; rank < 8; ++rank)
    program.on(rank)
        .collective(Collective::allreduce, 8, rank * 10, skein::trace::kAny, 0, true)
        .collective(Collective::barrier, 0, 10, skein::trace::kAny, 0, true)
        .wait({0}, 10)
        .wait({1}, 10)
        .end();
  const Timeline timeline = simulate(program.finish(), apart(2), in_blocks());
  CHECK(timeline.messages == 2 * 2);
  CHECK(timeline.bytes == 2 * 8);
}

TEST_CASE("simulate: persistent collectives belong together start by start, in whichever order they come") {
  // The PEs make one of the operations by messages among them; the other is a tree of messages between ranks
  // (longer than joint ones).
  const auto play = [](bool same_order) {
    Program program(8);
    for (unsigned rank = 0; rank < 8; ++rank) {
      program.on(rank);
      for (int start = 0; start < 3; ++start) {
        const bool first = same_order || (rank + static_cast<unsigned>(start)) % 2;
        program.start_persistent(first ? 1 : 2, first ? Collective::barrier : Collective::allreduce,
                                 first ? 0 : 4096);
        program.start_persistent(first ? 2 : 1, first ? Collective::allreduce : Collective::barrier,
                                 first ? 4096 : 0);
        program.wait({0, 1});
      }
      program.end();
    }
    return simulate(program.finish(), apart(2), in_blocks());
  };
  const Timeline same = play(true), other = play(false);
  CHECK(same.messages > 3 * 2);
  CHECK(other.messages == same.messages);
  CHECK(other.bytes == same.bytes);
}

TEST_CASE("simulate: collectives of any number of members come to an end, wherever these are") {
  using skein::trace::kAny;
  for (const unsigned ranks : {1u, 2u, 3u, 5u, 6u, 7u, 13u}) {
    for (const unsigned pes : {1u, 2u, 3u, 7u}) {
      for (int kind = 0; kind <= static_cast<int>(Collective::create_comm); ++kind) {
        for (const std::uint64_t bytes : {0ull, 96ull, 3000ull, 300000ull}) {
          for (const bool nonblocking : {false, true}) {
            const auto which = static_cast<Collective>(kind);
            const bool counted = which == Collective::gatherv || which == Collective::scatterv ||
                                 which == Collective::allgatherv || which == Collective::alltoallv ||
                                 which == Collective::alltoallw || which == Collective::reduce_scatter;
            const bool rooted = which == Collective::bcast || which == Collective::gather ||
                                which == Collective::gatherv || which == Collective::scatter ||
                                which == Collective::scatterv || which == Collective::reduce;
            Program program(ranks);
            for (unsigned rank = 0; rank < ranks; ++rank) {
              program.on(rank).collective(
                  which, counted ? 0 : bytes, rank, rooted ? static_cast<int>(ranks / 2) : kAny, 0,
                  nonblocking,
                  counted ? std::vector<std::uint64_t>(ranks, bytes) : std::vector<std::uint64_t>{});
              if (nonblocking) program.wait({0});
              program.end();
            }
            const Trace trace = program.finish();
            CHECK(simulate(trace, apart(pes), in_blocks()).makespan >= 0);
            CHECK(simulate(trace, together(pes), in_blocks()).makespan >= 0);
          }
        }
      }
    }
  }
}

TEST_CASE("simulate: on one node, pieces of unlike lengths go together from PE to PE") {
  const std::vector<std::uint64_t> pieces[] = {{0, 10, 20, 30}, {5, 0, 7, 7}, {1, 2, 0, 3}, {4, 5, 9, 0}};
  Program program(4);
  for (unsigned rank = 0; rank < 4; ++rank)
    program.on(rank)
        .collective(Collective::alltoallv, 0, 100, skein::trace::kAny, 0, false, pieces[rank])
        .end();
  const Timeline timeline = simulate(program.finish(), together(2), in_blocks());
  // All members have come at 200. 64 bytes go from PE 0 to PE 1, 12 back: they leave at 220 and are there at
  // 420; PE 1 takes 30 + 16 for them.
  CHECK(timeline.makespan == 466);
  CHECK(timeline.messages == 2);
  CHECK(timeline.bytes == 76);
}

TEST_CASE("simulate: gathers and scatters of unlike pieces go to and from the root's PE alone") {
  const auto played = [](Collective kind, std::uint64_t bytes, std::vector<std::uint64_t> at_root) {
    Program program(6);
    for (unsigned rank = 0; rank < 6; ++rank)
      program.on(rank).collective(kind, bytes, 0, 3, 0, false,
                                  rank == 3 ? at_root : std::vector<std::uint64_t>{});
    for (unsigned rank = 0; rank < 6; ++rank) program.on(rank).end();
    return simulate(program.finish(), together(3), in_blocks());
  };
  const Timeline gathered = played(Collective::gatherv, 100, {});
  CHECK(gathered.messages == 2);
  CHECK(gathered.bytes == 400);
  const Timeline scattered = played(Collective::scatterv, 0, {1, 2, 4, 8, 16, 32});
  CHECK(scattered.messages == 2);
  CHECK(scattered.bytes == 1 + 2 + 16 + 32);
}

TEST_CASE("simulate: a nonblocking collective goes on while its rank computes") {
  Program program(2);
  for (unsigned rank = 0; rank < 2; ++rank)
    program.on(rank).collective(Collective::allreduce, 8, 0, skein::trace::kAny, 0, true).end(0);
  Program waiting(2);
  for (unsigned rank = 0; rank < 2; ++rank)
    waiting.on(rank)
        .collective(Collective::allreduce, 8, 0, skein::trace::kAny, 0, true)
        .wait({0}, 20000)
        .end(0);
  // The words are there at 100 + 1000 + 4 and taken when the rank waits, at 20100: 50.
  CHECK(simulate(waiting.finish(), apart(2), in_blocks()).makespan == 20150);
}

TEST_CASE("simulate: collectives between two groups") {
  using skein::trace::kAny;
  for (int kind = 0; kind <= static_cast<int>(Collective::create_comm); ++kind) {
    const auto which = static_cast<Collective>(kind);
    if (which == Collective::scan || which == Collective::exscan) continue;
    const bool rooted = which == Collective::bcast || which == Collective::gather ||
                        which == Collective::gatherv || which == Collective::scatter ||
                        which == Collective::scatterv || which == Collective::reduce;
    Program program(5);
    program.communicator({.id = 3, .members = {0, 1}, .others = {2, 3, 4}});
    for (unsigned rank = 0; rank < 5; ++rank)
      program.on(rank).collective(which, 100, rank * 10, rooted ? 3 : kAny, 3).end();
    CHECK(simulate(program.finish(), apart(3), in_blocks()).makespan > 0);
  }
}

TEST_CASE("simulate: PEs on several nodes go node by node") {
  struct Case {
    Collective kind;
    std::uint64_t bytes;
    std::uint64_t messages, total;
    int root = -1;
  };
  // Four nodes of four PEs, one rank each. Within a node three messages to its first PE, and three from it.
  constexpr std::uint64_t inside = 4 * 3;
  const Case cases[] = {
      {Collective::barrier, 0, 2 * inside + 4 * 2, 0},
      // The data of each first PE goes to the others in two steps, of 1 + 2 nodes, with 16 bytes in front.
      {Collective::allreduce, 48, 2 * inside + 8, 2 * inside * 48 + 4 * 3 * 64},
      // Data goes up a tree only to the root's node, whose first PE gives it to the others there.
      {Collective::reduce, 48, inside + 3 + 3, (inside + 3) * 48 + (1 + 1 + 2) * 64, 5},
      // Aligned, with the bytes in front, 128: in the root's node, to the nodes, in the other three nodes.
      {Collective::bcast, 100, 3 + 3 + 9, 15 * 128, 6},
      // The blocks of a node's four PEs are 4 x 64 bytes.
      {Collective::allgather, 40, 2 * inside + 8, inside * 40 + 4 * 3 * 256 + inside * 4 * 256},
      // Too long for the nodes' shared blocks: from rank to rank, in four steps of eight pieces each.
      {Collective::alltoall, 100, 16 * 4, 16 * 4 * 8 * 100},
  };
  Platform platform = apart(4);
  platform.pes_per_node = 4;
  for (const Case& each : cases) {
    Program program(16);
    for (unsigned rank = 0; rank < 16; ++rank)
      program.on(rank).collective(each.kind, each.bytes, 0, each.root).end();
    const Timeline timeline = simulate(program.finish(), platform, in_blocks());
    CAPTURE(static_cast<int>(each.kind));
    CHECK(timeline.messages == each.messages);
    CHECK(timeline.bytes == each.total);
  }
}

TEST_CASE("simulate: a barrier of two nodes takes their PEs, the nodes, and the PEs again") {
  Program program(4);
  for (unsigned rank = 0; rank < 4; ++rank)
    program.on(rank).collective(Collective::barrier, 0, rank == 3 ? 700 : 0).end();
  Platform platform = apart(2);
  platform.pes_per_node = 2;
  platform.node = together(2).node;
  const Timeline timeline = simulate(program.finish(), platform, in_blocks());
  // Rank 3 sends to rank 2, the first on its node: 700 + 20 + 200 + 30. Rank 2 sends to the other node, which
  // has been waiting: 950 + 100 + 1000 + 50. Its first rank sends to rank 1: 2100 + 20 + 200 + 30.
  CHECK(timeline.makespan == 2350);
  CHECK(timeline.messages == 2 + 2 + 2);
}
