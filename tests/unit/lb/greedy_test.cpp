// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

namespace {

double largest_finish(const Snapshot& snapshot, const Assignment& pe_of) {
  return std::ranges::max(finish_times(snapshot, pe_of));
}

// The least possible largest finish time, by trying all placements. For few objects.
double best_possible(const Snapshot& snapshot, Assignment& pe_of, std::size_t object) {
  if (object == pe_of.size()) return largest_finish(snapshot, pe_of);
  double best = 1e300;
  for (PeIndex pe = 0; pe < snapshot.pe_count(); ++pe) {
    pe_of[object] = pe;
    best = std::min(best, best_possible(snapshot, pe_of, object + 1));
  }
  return best;
}

}  // namespace

// Graham's worst case for LPT on 2 PEs, m = 2: loads 3, 3, 2, 2, 2. LPT: 3 | 3, 3+2 | 3+2, then 7 | 5; best
// is 3+3 | 2+2+2 = 6: exactly 4/3 - 1/6 = 7/6.
TEST_CASE("greedy: meets Graham's bound exactly on his worst case") {
  const Snapshot snapshot = test::make_snapshot(2, {3, 3, 2, 2, 2}, {0, 0, 0, 0, 0});
  CHECK(parse_strategy("greedy").assign(snapshot, 1) == Assignment{0, 1, 0, 1, 0});
}

TEST_CASE("greedy: within 4/3 - 1/(3 PEs) of the best placement") {
  const Selection greedy = parse_strategy("greedy");
  for (std::size_t pes : {2u, 3u}) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      const test::Kind kind{"few objects", 7, pes};
      const Snapshot snapshot = test::make_snapshot(kind, seed);
      Assignment trial(7);
      const double best = best_possible(snapshot, trial, 0);
      const double bound = 4.0 / 3 - 1.0 / (3.0 * static_cast<double>(pes));
      CHECK(largest_finish(snapshot, greedy.assign(snapshot, 1)) <= bound * best * (1 + 1e-6));
    }
  }
}

// PE 0 is twice as fast and busy for 1 s of its own. Load 6: PE 0 done at 1 + 3 = 4, PE 1 at 6: PE 0. Load 4:
// PE 0 at 6, PE 1 at 4: PE 1. Load 3: PE 0 at 5.5, PE 1 at 7: PE 0.
TEST_CASE("greedy: counts speed and background") {
  Snapshot snapshot = test::make_snapshot(2, {4, 3, 6}, {0, 0, 0});
  snapshot.pes.speed = {2, 1};
  snapshot.pes.background_s = {1, 0};
  CHECK(parse_strategy("greedy").assign(snapshot, 1) == Assignment{1, 0, 0});
}

// The pinned 5 keeps the three 2s off PE 0: PE 1 has 4 after two of them, and the third finishes there at 6,
// on PE 0 at 7.
TEST_CASE("greedy: builds on what pinned objects cost") {
  Snapshot snapshot = test::make_snapshot(2, {5, 2, 2, 2}, {0, 0, 0, 0});
  snapshot.objects.migratable[0] = false;
  CHECK(parse_strategy("greedy").assign(snapshot, 1) == Assignment{0, 1, 1, 1});
}

TEST_CASE("greedy: more PEs than objects gives each a PE of its own, objects without load stay") {
  const Snapshot snapshot = test::make_snapshot(5, {1, 0, 2, 0}, {4, 4, 4, 2});
  CHECK(parse_strategy("greedy").assign(snapshot, 1) == Assignment{1, 4, 0, 2});
}
