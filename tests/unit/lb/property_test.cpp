// SPDX-License-Identifier: Apache-2.0
// The properties that every strategy of the table has on every kind of snapshot.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <type_traits>

#include "lb/kernel/random.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"
#include "tests/unit/lb/scratch_folder.hpp"

using namespace skein::lb;

namespace {

// Three snapshots of each kind, so that every strategy meets each of three memory limits on every kind.
constexpr std::uint64_t kSnapshotSeeds = 3;
constexpr double kSlacks[kSnapshotSeeds] = {0.0, 0.05, 0.5};

// Writes a file for offline: places drawn at random for three objects in four.
void write_places(const std::string& path, const Snapshot& snapshot, std::uint64_t seed) {
  std::ofstream file(path);
  Random random(seed);
  for (const std::uint64_t id : snapshot.objects.id)
    if (random.below(4) > 0)
      file << id << ' ' << random.below(static_cast<std::uint32_t>(snapshot.pe_count())) << '\n';
}

template <class Check>
void for_each_case(Check check) {
  const test::ScratchFolder folder;
  const std::string places = folder / "places";
  for (const StrategyInfo& info : strategies()) {
    if (!why_unavailable(info).empty()) continue;
    const bool reads = info.name == "offline";
    const Selection selection = parse_strategy(std::string(info.name) + (reads ? ":file=" + places : ""));
    REQUIRE(selection.missing_key().empty());
    for (const test::Kind& kind : test::all_kinds()) {
      for (std::uint64_t seed = 1; seed <= kSnapshotSeeds; ++seed) {
        CAPTURE(info.name);
        CAPTURE(kind.name);
        CAPTURE(seed);
        const Snapshot snapshot = test::make_snapshot(kind, seed);
        if (reads) write_places(places, snapshot, seed);
        if constexpr (std::is_invocable_v<Check, const Selection&, const Snapshot&, std::uint64_t>)
          check(selection, snapshot, seed);
        else
          check(selection, snapshot);
      }
    }
  }
}

}  // namespace

TEST_CASE(
    "every strategy: each object is placed once, on a PE that exists, pinned ones where they are, and again "
    "so") {
  for_each_case([](const Selection& selection, const Snapshot& snapshot) {
    const Assignment pe_of = selection.assign(snapshot, 7);
    CHECK(pe_of.size() == snapshot.object_count());
    CHECK(std::ranges::all_of(pe_of, [&](PeIndex pe) { return pe < snapshot.pe_count(); }));
    std::size_t moved = 0;
    for (std::size_t i = 0; i < pe_of.size(); ++i) {
      moved += !snapshot.objects.migratable[i] && pe_of[i] != snapshot.objects.pe[i];
    }
    CHECK(moved == 0);
    CHECK(selection.assign(Snapshot(snapshot), 7) == pe_of);
  });
}

// Limits lie between the memory in use (of equal PEs, some a little above and some below) and plenty.
TEST_CASE("every strategy: no PE gets more memory than its limit or than it has now") {
  for_each_case([](const Selection& selection, Snapshot snapshot, std::uint64_t seed) {
    const std::vector<std::uint64_t> before = held_bytes(snapshot, snapshot.objects.pe);
    const double mean = static_cast<double>(std::accumulate(before.begin(), before.end(), std::uint64_t{0})) /
                        static_cast<double>(before.size());
    snapshot.pes.memory_bytes.assign(before.size(),
                                     static_cast<std::uint64_t>(mean * (1 + kSlacks[seed - 1])));
    const Assignment pe_of = selection.assign(snapshot, 7);
    const std::vector<std::uint64_t> after = held_bytes(snapshot, pe_of);
    bool kept = true;
    for (std::size_t pe = 0; pe < before.size(); ++pe)
      kept = kept && after[pe] <= std::max(before[pe], snapshot.pes.memory_bytes[pe]);
    CHECK(kept);
    for (std::size_t i = 0; i < pe_of.size(); ++i) {
      if (!snapshot.objects.migratable[i]) REQUIRE(pe_of[i] == snapshot.objects.pe[i]);
    }
  });
}

// Limits are the memory in use on each PE: the present placement fits, and beyond it only exchanges of equal
// size.
TEST_CASE("every strategy: limits that the present placement just keeps are kept, and it gets no worse") {
  for_each_case([](const Selection& selection, Snapshot snapshot) {
    snapshot.pes.memory_bytes = held_bytes(snapshot, snapshot.objects.pe);
    const Assignment pe_of = selection.assign(snapshot, 7);
    const std::vector<std::uint64_t> after = held_bytes(snapshot, pe_of);
    CHECK(std::ranges::equal(after, snapshot.pes.memory_bytes, std::less_equal{}));
    if (selection.info->traits & never_worse) {
      CHECK(std::ranges::max(finish_times(snapshot, pe_of)) <=
            std::ranges::max(finish_times(snapshot, snapshot.objects.pe)) * (1 + 1e-12));
    }
  });
}

TEST_CASE("strategies that promise so are never worse than the present placement") {
  for_each_case([](const Selection& selection, const Snapshot& snapshot) {
    if (!(selection.info->traits & never_worse)) return;
    const auto before = finish_times(snapshot, snapshot.objects.pe);
    const auto after = finish_times(snapshot, selection.assign(snapshot, 7));
    // The strategies add loads up in another order: allow for rounding.
    CHECK(std::ranges::max(after) <= std::ranges::max(before) * (1 + 1e-12));
  });
}

TEST_CASE("every strategy that promises not to get worse leaves a snapshot without load alone") {
  for_each_case([](const Selection& selection, Snapshot snapshot) {
    if (!(selection.info->traits & never_worse)) return;
    std::ranges::fill(snapshot.objects.load, 0.0);
    CHECK(movement(snapshot, selection.assign(snapshot, 7)).objects == 0);
  });
}

TEST_CASE("every strategy refuses an invalid snapshot") {
  for (const StrategyInfo& info : strategies()) {
    if (!why_unavailable(info).empty()) continue;
    Snapshot snapshot = test::make_snapshot(2, {1, 2}, {0, 1});
    snapshot.objects.load[1] = -1;
    CHECK_THROWS_AS(parse_strategy(info.name).assign(snapshot, 1), SnapshotError);
  }
}

TEST_CASE("every strategy: one that is not said to use the graph decides the same without") {
  for_each_case([](const Selection& selection, const Snapshot& snapshot) {
    if (selection.uses_graph()) return;
    Snapshot bare = snapshot;
    bare.graph = {};
    CHECK(selection.assign(bare, 7) == selection.assign(snapshot, 7));
  });
}

TEST_CASE("uses_graph: by the strategy, or by what an option asks for") {
  for (const char* user :
       {"bipart", "refine-comm", "nuco", "diffusion", "diffusion:graph=comm", "hierarchical:node=bipart",
        "hierarchical:pe=refine-comm", "hyper", "ccm", "hierarchical:node=diffusion:graph=comm",
        "hierarchical:pe=hierarchical:pe=nuco"}) {
    CAPTURE(user);
    CHECK(parse_strategy(user).uses_graph());
  }
  for (const char* other : {"greedy", "refine", "rotate", "diffusion:graph=hypercube", "diffusion:graph=ring",
                            "gossip", "hierarchical"}) {
    CAPTURE(other);
    CHECK_FALSE(parse_strategy(other).uses_graph());
  }
}
