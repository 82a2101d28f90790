// SPDX-License-Identifier: Apache-2.0
// Exported TI traces under SimGrid's own replay.
#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "lb/kernel/random.hpp"
#include "skein/lb/platform.hpp"
#include "skein/lb/simulate.hpp"
#include "skein/lb/trace_formats.hpp"
#include "tests/unit/trace_formats/program.hpp"
#include "tests/unit/trace_formats/smpirun.hpp"

using namespace skein::trace;
using namespace skein::trace::test;

namespace {

double replayed(Program&& program, std::size_t ranks, const TiOptions& options = {}) {
  const Folder folder;
  export_ti(std::move(program).finish(), folder.path(), options);
  std::string output;
  const double seconds = replay(folder, ranks, output);
  if (seconds < 0) MESSAGE(output);
  return seconds;
}

constexpr std::uint64_t ms = 1'000'000;

// Makespans of one trace with one rank on each node, where no message waits for its receiver: by SimGrid's
// replay, and by the simulator with SimGrid's network. SimGrid's MPI sends 16 B with each message, which keep
// a side busy.
struct Makespans {
  double theirs = -1, ours = -1;
};
Makespans both(const Trace& trace) {
  constexpr double latency_ns = 100'000, byte_ns = 10;
  const std::size_t ranks = trace.object_count();
  const Folder folder;
  export_ti(trace, folder.path(), {.messages = true});
  Makespans result;
  std::string output;
  result.theirs = replay(folder, ranks, output,
                         {latency_ns, 1e9 / byte_ns,
                          "--cfg=smpi/async-small-thresh:1000000000 "
                          "--cfg=smpi/send-is-detached-thresh:1000000000"});
  if (result.theirs < 0) MESSAGE(output);
  skein::simulate::Platform platform;
  platform.nodes = static_cast<std::uint32_t>(ranks);
  platform.network = {
      .latency_ns = latency_ns, .gap_ns = 16 * byte_ns, .byte_ns = byte_ns, .eager_bytes = 1'000'000'000};
  skein::simulate::Policy policy;
  policy.engine = skein::simulate::NetworkEngine::simgrid;
  result.ours = static_cast<double>(skein::simulate::simulate(trace, platform, policy).makespan) * 1e-9;
  return result;
}

constexpr Collective kinds[] = {Collective::barrier,        Collective::bcast,
                                Collective::gather,         Collective::gatherv,
                                Collective::scatter,        Collective::scatterv,
                                Collective::allgather,      Collective::allgatherv,
                                Collective::alltoall,       Collective::alltoallv,
                                Collective::alltoallw,      Collective::reduce,
                                Collective::allreduce,      Collective::reduce_scatter_block,
                                Collective::reduce_scatter, Collective::scan,
                                Collective::exscan,         Collective::create_comm};

bool has_root(Collective kind) {
  return kind == Collective::bcast || (kind >= Collective::gather && kind <= Collective::scatterv) ||
         kind == Collective::reduce;
}

// Returns what a member gives to each member, where the kind records that; `bytes` is the unit.
std::vector<std::uint64_t> list_of(Collective kind, std::size_t rank, std::size_t ranks, std::size_t root,
                                   std::uint64_t bytes) {
  std::vector<std::uint64_t> list;
  if (kind == Collective::alltoallv || kind == Collective::alltoallw)
    for (std::size_t to = 0; to < ranks; ++to) list.push_back(bytes * (rank + 2 * to + 1));
  if (kind == Collective::reduce_scatter || (kind == Collective::scatterv && rank == root))
    for (std::size_t to = 0; to < ranks; ++to) list.push_back(bytes * (to + 1));
  return list;
}

}  // namespace

TEST_CASE("ti replay: computing, then a message, then computing") {
  Program program(2);
  program[0].compute(3 * ms).send(1, 0, 1'000'000);
  program[1].receive(0, 0, 1'000'000).compute(2 * ms);
  // 3 ms, 1 MB at 1 GB/s, 2 ms.
  CHECK(replayed(std::move(program), 2) == doctest::Approx(6e-3).epsilon(1e-3));
}

TEST_CASE("ti replay: a nonblocking message hides behind computing") {
  Program program(2);
  program[0].isend(1, 1, 2'000'000).compute(5 * ms).wait({0});
  program[1].ireceive(kAny, kAny, 9'000'000).compute(5 * ms).matched(0, 0, 1, 2'000'000).wait({0});
  CHECK(replayed(std::move(program), 2) == doctest::Approx(5e-3).epsilon(1e-3));
}

TEST_CASE("ti replay: requests of one name, waited for in another order") {
  // The second message is small and sent at once; the receiver takes the first, which is large, only after 4
  // ms. With the recorded tags SimGrid would wait for the first, and both ranks for ever.
  Program program(2);
  program[0].isend(1, 5, 1'000'000).isend(1, 5, 8).wait({0}).send(1, 6, 8).wait({1});
  program[1].receive(0, 6, 8).compute(4 * ms).receive(0, 5, 1'000'000).receive(0, 5, 8);
  CHECK(replayed(std::move(program), 2) == doctest::Approx(5e-3).epsilon(1e-3));
}

TEST_CASE("ti replay: all collectives, as they are and as messages, on some ranks and nonblocking") {
  for (const std::size_t ranks : {1, 2, 7}) {
    for (const std::uint64_t bytes : {std::uint64_t{8}, std::uint64_t{200'000}}) {
      for (const bool messages : {false, true}) {
        Program program(ranks);
        Communicator some{.id = 1, .members = {}, .others = {}};
        for (std::size_t rank = ranks; rank-- > ranks / 2;)
          some.members.push_back(static_cast<ObjectIndex>(rank));
        program.builder().add(some);
        for (const Collective kind : kinds) {
          for (std::size_t rank = 0; rank < ranks; ++rank) {
            const int root = has_root(kind) ? static_cast<int>(ranks) - 1 : kAny;
            const std::vector<std::uint64_t> list = list_of(kind, rank, ranks, ranks - 1, bytes);
            program[rank].compute(1000 * (rank + 1)).collective(kind, bytes, root, list);
            if (list.empty() && kind != Collective::scatterv)
              program[rank].icollective(kind, bytes, root).wait({0});
            if (rank >= ranks / 2) program[rank].collective(kind, bytes, root, list, 1);
          }
        }
        CAPTURE(ranks);
        CAPTURE(bytes);
        CAPTURE(messages);
        CHECK(replayed(std::move(program), ranks, {.messages = messages}) > 0);
      }
    }
  }
}

// SimGrid prints microseconds. Algorithms may differ for a power of two and for another number.
TEST_CASE("ti replay: collectives take as long as in a simulation with SimGrid's network") {
  for (const std::size_t ranks : {3, 8})
    for (const std::uint64_t bytes : {std::uint64_t{8}, std::uint64_t{200'000}})
      for (const Collective kind : kinds) {
        Program program(ranks);
        for (std::size_t rank = 0; rank < ranks; ++rank)
          program[rank]
              .compute(10'000 * (rank * 7 % ranks))
              .collective(kind, bytes, has_root(kind) ? static_cast<int>(ranks) - 1 : kAny,
                          list_of(kind, rank, ranks, ranks - 1, bytes));
        CAPTURE(ranks);
        CAPTURE(bytes);
        CAPTURE(static_cast<int>(kind));
        const Makespans makespans = both(std::move(program).finish());
        CHECK(makespans.theirs > 0);
        CHECK(std::abs(makespans.ours - makespans.theirs) < 2e-6);
      }
}

TEST_CASE("ti replay: messages between all, of all lengths, as in a simulation with SimGrid's network") {
  for (const std::uint64_t seed : {1, 2}) {
    constexpr std::size_t ranks = 6;
    skein::lb::Random random(seed);
    Program program(ranks);
    for (int round = 0; round < 10; ++round) {
      // Each rank sends two messages of one tag to each other rank: a short one could overtake a long one.
      std::vector<std::uint64_t> all(4 * (ranks - 1));
      std::iota(all.begin(), all.end(), 0);
      std::uint64_t bytes[ranks][ranks][2];
      for (auto& row : bytes)
        for (auto& pair : row)
          for (auto& each : pair) each = std::uint64_t{1} << random.below(18);
      for (std::size_t rank = 0; rank < ranks; ++rank) {
        RankCalls& calls = program[rank];
        calls.compute(random.below(2 * ms));
        for (std::size_t i = 1; i < ranks; ++i)
          for (int which = 0; which < 2; ++which) {
            const std::size_t to = (rank + i) % ranks, from = (rank + ranks - i) % ranks;
            calls.ireceive(static_cast<int>(from), 1, bytes[from][rank][which]);
            calls.compute(random.below(20'000)).isend(static_cast<int>(to), 1, bytes[rank][to][which]);
          }
        // Every other rank waits for the first half, computes, and waits for the rest.
        if ((rank + static_cast<std::size_t>(round)) % 2) {
          calls.wait({all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end()});
          calls.compute(random.below(2 * ms));
          calls.wait({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2)});
        } else {
          calls.wait(all);
        }
      }
    }
    CAPTURE(seed);
    const Makespans makespans = both(std::move(program).finish());
    CHECK(makespans.theirs > 10e-3);
    CHECK(std::abs(makespans.ours - makespans.theirs) < 5e-6);
  }
}
