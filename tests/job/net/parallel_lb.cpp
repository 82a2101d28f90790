// SPDX-License-Identifier: Apache-2.0
// Parallel strategies on real PEs, all of which decide: each knows the objects of its block of the snapshot's
// PEs. The test checks the balance of the result, since libraries promise no particular partition. Started by
// mpiexec on any number of PEs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "runtime/base/check.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/pe_team.hpp"
#include "runtime/net/transport.hpp"
#include "skein/lb/generate.hpp"
#include "skein/lb/late.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/parallel.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein;

namespace {

constexpr std::uint64_t seed = 11;

lb::SnapshotPart own_part(const lb::Snapshot& snapshot, lb::Team& team) {
  const auto edge = [&](std::size_t process) {
    return static_cast<lb::PeIndex>(process * snapshot.pe_count() / team.size());
  };
  return lb::part_of(snapshot, edge(team.rank()), edge(team.rank() + 1), team);
}

/// Gathers the assignment of all objects of the snapshot, whose ids are their places in it.
lb::Assignment gathered(const lb::SnapshotPart& part, const lb::Assignment& pe_of, std::size_t objects) {
  struct Placed {
    std::uint64_t id;
    std::uint64_t pe;
  };
  std::vector<Placed> mine;
  for (std::size_t i = 0; i < pe_of.size(); ++i) mine.push_back({part.objects.id[i], pe_of[i]});
  const auto all = net::all_gather_blocks(std::as_bytes(std::span(mine)));
  SKEIN_CHECK(all.size() == objects * sizeof(Placed), "%zu objects were decided on, of %zu",
              all.size() / sizeof(Placed), objects);
  lb::Assignment placed(objects, ~lb::PeIndex{0});
  for (std::size_t at = 0; at < all.size(); at += sizeof(Placed)) {
    Placed one;
    memcpy(&one, &all[at], sizeof one);
    placed[one.id] = static_cast<lb::PeIndex>(one.pe);
  }
  return placed;
}

/// Decides, and checks that the result is valid and fits the plan's figures.
lb::Assignment decide(const char* strategy, const lb::Snapshot& snapshot, const std::string& kind,
                      lb::Team& team) {
  const lb::Selection selection = lb::parse_strategy(strategy);
  const lb::SnapshotPart part = own_part(snapshot, team);
  const lb::StepPlan plan = lb::decide_in_team(selection, part, seed, team);
  const lb::Assignment pe_of = gathered(part, plan.decision.pe_of, snapshot.object_count());
  for (std::size_t i = 0; i < pe_of.size(); ++i) {
    SKEIN_CHECK(pe_of[i] < snapshot.pe_count(), "%s on '%s': object %zu goes to PE %u", strategy,
                kind.c_str(), i, pe_of[i]);
    SKEIN_CHECK(snapshot.objects.migratable[i] || pe_of[i] == snapshot.objects.pe[i],
                "%s on '%s': pinned object %zu goes from PE %u to %u", strategy, kind.c_str(), i,
                snapshot.objects.pe[i], pe_of[i]);
  }
  const auto same = [&](const std::vector<double>& told, const lb::Assignment& placed) {
    const std::vector<double> finish = lb::finish_times(snapshot, placed);
    for (std::size_t p = 0; p < finish.size(); ++p)
      SKEIN_CHECK(std::abs(told[p] - finish[p]) <= 1e-9 * (1 + finish[p]),
                  "%s on '%s': PE %zu ends at %g, not %g", strategy, kind.c_str(), p, finish[p], told[p]);
  };
  same(plan.before.of_pe, snapshot.objects.pe);
  same(plan.after.of_pe, pe_of);
  SKEIN_CHECK(plan.moves == (pe_of != snapshot.objects.pe), "%s on '%s': moves is wrong", strategy,
              kind.c_str());
  return pe_of;
}

/// Checks a late decision: with objects that have gone to PEs of another process, ended and come it is that
/// of one process that knows all, except for new objects, which each process places by itself.
void check_late(const lb::Snapshot& then, lb::Team& team) {
  const lb::SnapshotPart then_here = own_part(then, team);
  const lb::StepPlan decided = lb::decide_in_team(lb::parse_strategy("random"), then_here, seed, team);
  const lb::Decision all{gathered(then_here, decided.decision.pe_of, then.object_count()), {}};
  lb::Snapshot now = then;
  const auto pes = static_cast<lb::PeIndex>(now.pe_count());
  for (std::size_t i = 0; i < now.object_count(); ++i) {
    if (i % 5 == 0) now.objects.pe[i] = (now.objects.pe[i] + 5) % pes;
    if (i % 3 == 0) now.objects.load[i] *= 1.5;
    if (i % 7 == 0) now.objects.migratable[i] = 0;
    if (i % 11 == 0) now.objects.id[i] += now.object_count();  // this object has ended, another one has come
  }
  const lb::LateDecision expected = lb::apply_late(then, all, now);
  const lb::SnapshotPart part = own_part(now, team);
  const lb::LatePlan late = lb::apply_late_in_team(then_here, decided, part, team);
  for (std::size_t i = 0; i < part.object_count(); ++i) {
    const std::uint64_t id = part.objects.id[i];
    if (id < then.object_count() && !expected.dropped)
      SKEIN_CHECK(late.plan.decision.pe_of[i] == expected.decision.pe_of[id],
                  "object %zu goes to PE %u, not %u", static_cast<std::size_t>(id),
                  late.plan.decision.pe_of[i], expected.decision.pe_of[id]);
  }
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(b)); };
  SKEIN_CHECK(late.dropped == expected.dropped && !late.dropped, "dropped: %d, not %d", late.dropped,
              expected.dropped);
  SKEIN_CHECK(late.drift.gone == expected.drift.gone && late.drift.come == expected.drift.come &&
                  near(late.drift.work_percent, expected.drift.work_percent) &&
                  near(late.drift.changed_percent, expected.drift.changed_percent) &&
                  near(late.drift.change_percent, expected.drift.change_percent),
              "%zu objects have gone, not %zu; the work has grown by %g %%, not %g %%",
              static_cast<std::size_t>(late.drift.gone), static_cast<std::size_t>(expected.drift.gone),
              late.drift.work_percent, expected.drift.work_percent);
  SKEIN_CHECK(expected.drift.gone > 100, "none has gone, so this shows nothing");
}

/// Checks that no PE holds more than the greater of its limit and what it held.
void check_memory(const lb::Snapshot& snapshot, lb::Team& team) {
  lb::SnapshotPart part = own_part(snapshot, team);
  const std::vector<std::uint64_t> before = lb::held_bytes(snapshot, snapshot.objects.pe);
  const std::uint64_t limit = std::ranges::max(before) - std::ranges::max(before) / 8;
  part.pes.memory_bytes.assign(snapshot.pe_count(), limit);
  const lb::StepPlan plan = lb::decide_in_team(lb::parse_strategy("random"), part, seed, team);
  const lb::Assignment pe_of = gathered(part, plan.decision.pe_of, snapshot.object_count());
  const std::vector<std::uint64_t> held = lb::held_bytes(snapshot, pe_of);
  SKEIN_CHECK(held == plan.held_bytes, "the plan tells of other bytes than the PEs hold");
  for (std::size_t p = 0; p < held.size(); ++p)
    SKEIN_CHECK(held[p] <= std::max(before[p], limit), "PE %zu holds %zu bytes", p,
                static_cast<std::size_t>(held[p]));
  SKEIN_CHECK(plan.moves, "nothing moves, so this shows nothing");
}

bool is_there(const char* strategy) {
  const std::string_view text = strategy;
  const lb::StrategyInfo& info = *lb::find_strategy(text.substr(0, text.find(':')));
  const std::string why = lb::why_unavailable(info) + lb::why_not_parallel(info);
  if (!why.empty() && net::world.pe == 0) std::printf("left out: %s %s\n", strategy, why.c_str());
  return why.empty();
}

/// Checks that graphs and parts agree with the snapshot, whichever process has the objects.
void check_part(const lb::Snapshot& snapshot, lb::Team& team) {
  const lb::SnapshotPart part = own_part(snapshot, team);
  std::vector<std::uint64_t> id_of(part.first.back());
  const auto all = net::all_gather_blocks(std::as_bytes(std::span(part.objects.id)));
  memcpy(id_of.data(), all.data(), all.size());
  for (std::size_t i = 0; i < part.object_count(); ++i) {
    const std::uint64_t id = part.objects.id[i];
    SKEIN_CHECK(id_of[part.first[team.rank()] + i] == id, "object %zu has another number", i);
    std::vector<std::pair<std::uint64_t, float>> here, there;
    for (std::uint64_t e = part.graph.first[i]; e < part.graph.first[i + 1]; ++e)
      here.emplace_back(id_of[part.graph.to[e]], part.graph.bytes[e]);
    for (std::uint64_t e = snapshot.graph.first[id]; e < snapshot.graph.first[id + 1]; ++e)
      there.emplace_back(snapshot.graph.to[e], snapshot.graph.bytes[e]);
    std::ranges::sort(here);
    std::ranges::sort(there);
    SKEIN_CHECK(here == there, "object %zu has other edges", i);
  }
}

/// Returns a mesh whose objects become heavier along x, in blocks on 12 PEs: all libraries reach 5 % with
/// levelling.
lb::Snapshot uneven_mesh() {
  lb::Snapshot snapshot = lb::parse_generator("mesh3d").generate({.objects = 4096, .pes = 12, .seed = 5});
  for (std::size_t i = 0; i < snapshot.object_count(); ++i) {
    snapshot.objects.id[i] = i;
    snapshot.objects.load[i] *= 1 + 3 * static_cast<double>(i) / static_cast<double>(snapshot.object_count());
    snapshot.objects.pe[i] = static_cast<lb::PeIndex>(i * 12 / snapshot.object_count());
  }
  return snapshot;
}

/// Returns a snapshot in which the objects of most PEs have no edges.
lb::Snapshot few_talk() {
  lb::Snapshot snapshot = uneven_mesh();
  std::vector<lb::CommEdge> edges;
  for (lb::ObjectIndex i = 1; i < 100; ++i) edges.push_back({i, i - 1, 10});
  snapshot.graph = lb::make_comm_graph(snapshot.object_count(), edges);
  return snapshot;
}

}  // namespace

int main(int argc, char** argv) {
  net::start(&argc, &argv);
  const std::unique_ptr<lb::Team> team = net::make_team(0);
  net::barrier();
  const lb::Snapshot mesh = uneven_mesh();
  check_part(mesh, *team);
  check_late(mesh, *team);
  check_memory(mesh, *team);
  const double before = lb::percent_imbalance(mesh, mesh.objects.pe);
  SKEIN_CHECK(before > 30, "an imbalance of %g %% shows nothing", before);
  for (const char* strategy :
       {"rotate", "random", "rcb", "sfc", "zoltan", "zoltan:approach=repartition", "scotch"}) {
    if (!is_there(strategy)) continue;
    for (const lb::test::Kind& kind : lb::test::all_kinds()) {
      lb::Snapshot snapshot = lb::test::make_snapshot(kind, 3);
      std::iota(snapshot.objects.id.begin(), snapshot.objects.id.end(), std::uint64_t{0});
      (void)decide(strategy, snapshot, kind.name, *team);
    }
    (void)decide(strategy, few_talk(), "few talk", *team);
    const lb::Assignment pe_of = decide(strategy, mesh, "uneven mesh", *team);
    SKEIN_CHECK(decide(strategy, mesh, "uneven mesh", *team) == pe_of, "%s decides otherwise a second time",
                strategy);
    const double after = lb::percent_imbalance(mesh, pe_of);
    if (net::world.pe == 0)
      std::printf("%s: imbalance %.1f %% -> %.2f %%, %zu of %zu objects moved\n", strategy, before, after,
                  lb::movement(mesh, pe_of).objects, mesh.object_count());
    if (std::string(strategy) == "rotate" || std::string(strategy) == "random") continue;
    SKEIN_CHECK(after <= 5.01, "%s: an imbalance of %g %%, above its tolerance", strategy, after);
  }
  net::finish();
  std::printf("PE %d: all as it should be\n", net::world.pe);
}
