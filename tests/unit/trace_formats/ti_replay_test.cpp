// SPDX-License-Identifier: Apache-2.0
// Exported TI traces under SimGrid's own replay.
#include <doctest/doctest.h>

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
  program[1].ireceive(any, any, 9'000'000).compute(5 * ms).matched(0, 0, 1, 2'000'000).wait({0});
  CHECK(replayed(std::move(program), 2) == doctest::Approx(5e-3).epsilon(1e-3));
}

TEST_CASE("ti replay: requests of one name, waited for in another order") {
  // The second is small and gone at once; the receiver takes the first, which is large, after 4 ms only. With
  // the names as they are SimGrid would wait for the first, and both ranks for ever.
  Program program(2);
  program[0].isend(1, 5, 1'000'000).isend(1, 5, 8).wait({0}).send(1, 6, 8).wait({1});
  program[1].receive(0, 6, 8).compute(4 * ms).receive(0, 5, 1'000'000).receive(0, 5, 8);
  CHECK(replayed(std::move(program), 2) == doctest::Approx(5e-3).epsilon(1e-3));
}

TEST_CASE("ti replay: all collectives, as they are and as messages, on some ranks and nonblocking") {
  using C = Collective;
  constexpr C kinds[] = {C::barrier,        C::bcast,
                         C::gather,         C::gatherv,
                         C::scatter,        C::scatterv,
                         C::allgather,      C::allgatherv,
                         C::alltoall,       C::alltoallv,
                         C::alltoallw,      C::reduce,
                         C::allreduce,      C::reduce_scatter_block,
                         C::reduce_scatter, C::scan,
                         C::exscan,         C::create_comm};
  for (const std::size_t ranks : {1, 2, 3, 7, 9}) {
    for (const std::uint64_t bytes : {std::uint64_t{8}, std::uint64_t{200'000}}) {
      for (const bool messages : {false, true}) {
        Program program(ranks);
        Communicator some{.id = 1, .members = {}, .others = {}};
        for (std::size_t rank = ranks; rank-- > ranks / 2;)
          some.members.push_back(static_cast<ObjectIndex>(rank));
        program.builder().add(some);
        for (const C kind : kinds) {
          for (std::size_t rank = 0; rank < ranks; ++rank) {
            const int root =
                kind == C::bcast || (kind >= C::gather && kind <= C::scatterv) || kind == C::reduce
                    ? static_cast<int>(ranks) - 1
                    : any;
            std::vector<std::uint64_t> list;
            if (kind == C::alltoallv || kind == C::alltoallw)
              for (std::size_t to = 0; to < ranks; ++to) list.push_back(bytes * (rank + 2 * to + 1));
            if (kind == C::reduce_scatter || (kind == C::scatterv && rank == ranks - 1))
              for (std::size_t to = 0; to < ranks; ++to) list.push_back(bytes * (to + 1));
            program[rank].compute(1000 * (rank + 1)).collective(kind, bytes, root, list);
            if (list.empty() && kind != C::scatterv) program[rank].icollective(kind, bytes, root).wait({0});
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
