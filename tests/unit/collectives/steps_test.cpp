// SPDX-License-Identifier: Apache-2.0
// The steps of all members of a collective, checked together.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>
#include <vector>

#include "lb/collectives/by_bytes.hpp"

using namespace skein::collectives;
using skein::trace::Collective;

namespace {

std::pmr::vector<Step> steps_of(Collective kind, int rank, int ranks, int root, Bytes bytes, bool is_crowded,
                                std::size_t at_once) {
  std::pmr::vector<Step> all;
  Steps steps(rank, ranks, is_crowded, std::pmr::get_default_resource(), at_once);
  do {
    make_steps(steps, kind, root, bytes, [&](int from, int to) {
      return bytes * static_cast<Bytes>(kind == Collective::allgatherv ? from + 1 : to + 1);
    });
    CHECK(steps.list().size() <= at_once);
    all.insert(all.end(), steps.list().begin(), steps.list().end());
  } while (steps.next_piece());
  return all;
}

/// Returns the bytes that all ranks send. Checks that the steps of each rank end with a wait and that every
/// message is sent and received once, in one order.
Bytes sent(Collective kind, int ranks, int root, Bytes bytes, bool is_crowded) {
  std::map<std::pair<int, int>, std::vector<Bytes>> out, in;
  Bytes sum = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto steps = steps_of(kind, rank, ranks, root, bytes, is_crowded, 1u << 20);
    CHECK(steps == steps_of(kind, rank, ranks, root, bytes, is_crowded, 3));
    if (!steps.empty()) CHECK(steps.back().kind == Step::Kind::wait);
    for (const Step& step : steps) {
      if (step.kind == Step::Kind::wait) continue;
      CHECK(step.peer != rank);
      CHECK(step.peer >= 0);
      CHECK(step.peer < ranks);
      const bool sends = step.kind == Step::Kind::send;
      if (sends) sum += step.bytes;
      (sends ? out[{rank, step.peer}] : in[{step.peer, rank}]).push_back(step.bytes);
    }
  }
  CHECK(out == in);
  return sum;
}

}  // namespace

TEST_CASE("steps: what one member sends is what the other receives, of every kind, in one piece or in many") {
  for (int kind = 0; kind <= static_cast<int>(Collective::create_comm); ++kind)
    for (const int ranks : {1, 2, 3, 4, 7, 8, 13, 40})
      for (const Bytes bytes : {0, 8, 300, 5000, 40001, 140000})
        for (const bool is_crowded : {false, true}) {
          CAPTURE(kind);
          CAPTURE(ranks);
          CAPTURE(bytes);
          sent(static_cast<Collective>(kind), ranks, ranks / 2, bytes, is_crowded);
        }
}

TEST_CASE("steps: of a vector that is halved, all bytes are sent and no more, whatever its length") {
  // Two steps of halving: a pair shares the whole, then a half: twice the vector by two pairs, then once by
  // two. The root, rank 0, collects all but its own span, a half of a half of the elements, of which the
  // lower half is the shorter one.
  for (const Bytes bytes : {32768, 32769, 32772, 32775, 32776, 40004}) {
    CAPTURE(bytes);
    const Bytes own = (bytes + 7) / 8 / 2 / 2 * 8;
    CHECK(sent(Collective::reduce, 4, 0, bytes, false) == 2 * bytes + bytes + (bytes - own));
  }
}

TEST_CASE("steps: a rank talks to few peers at a time in an alltoall of long pieces") {
  int started = 0, most = 0;
  for (const Step& step : steps_of(Collective::alltoall, 5, 200, 0, 5000, false, 1u << 20)) {
    started = step.kind == Step::Kind::wait ? 0 : started + 1;
    most = std::max(most, started);
  }
  CHECK(most == 2 * kPeersAtOnce);
}

namespace {

int sends(Collective kind, int rank, int ranks, Bytes bytes) {
  const auto steps = steps_of(kind, rank, ranks, 0, bytes, false, 1u << 20);
  return static_cast<int>(std::ranges::count(steps, Step::Kind::send, &Step::kind));
}

}  // namespace

TEST_CASE(
    "steps: an allgather of short pieces takes as many steps as the number of ranks has bits, else a ring") {
  for (const int ranks : {2, 3, 4, 7, 8, 13, 40}) {
    CAPTURE(ranks);
    const int rounds = std::bit_width(static_cast<unsigned>(ranks - 1));  // ceil(log2(ranks))
    const Bytes longest = (kRingAllgatherBytes - 1) / static_cast<Bytes>(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
      CHECK(sends(Collective::allgather, rank, ranks, longest) == rounds);
      CHECK(sends(Collective::allgather, rank, ranks, longest + 1) == ranks - 1);
    }
    // Each rank gets the pieces of all others once.
    for (const Bytes bytes : {longest, longest + 1})
      CHECK(sent(Collective::allgather, ranks, 0, bytes, false) ==
            static_cast<Bytes>(ranks) * static_cast<Bytes>(ranks - 1) * bytes);
  }
}

TEST_CASE("steps: of a split, the choices of however many go in few steps") {
  // 12 bytes of each, more than kRingAllgatherBytes together: 13 steps, and the last rank tells nobody.
  CHECK(sends(Collective::create_comm, 5999, 6000, 0) == 13);
}
