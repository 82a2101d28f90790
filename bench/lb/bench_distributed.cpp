// SPDX-License-Identifier: Apache-2.0
// Distributed strategies beside central ones on 65,536 objects and 8,192 PEs, as in the table of
// docs/strategies.md: quality, moves, cut, and the time to decide by the simulator.
//
// usage: bench_distributed [--loads NAME] [STRATEGY[:key=value,...] ...]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "lb/kernel/random.hpp"
#include "lb/simulate/step_costs.hpp"
#include "skein/lb/distributed.hpp"
#include "skein/lb/generate.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"

namespace {

using namespace skein::lb;
using skein::simulate::Platform;

constexpr std::size_t kPes = 8192, kObjects = 65'536;

/// Returns a board of 256 x 256 objects, 4 x 2 on each PE; neighbours send each other 1 KiB.
Snapshot board() {
  constexpr ObjectIndex width = 256;
  Snapshot snapshot;
  snapshot.pes = uniform_pes(kPes);
  std::vector<CommEdge> edges;
  for (ObjectIndex i = 0; i < kObjects; ++i) {
    const ObjectIndex x = i % width, y = i / width;
    snapshot.add_object({.id = i, .pe = y / 2 * (width / 4) + x / 4, .load = 1, .bytes = 1024});
    snapshot.objects.position.push_back({static_cast<float>(x), static_cast<float>(y), 0});
    for (const ObjectIndex other : {x + 1 < width ? i + 1 : i, y + 1 < width ? i + width : i}) {
      if (other == i) continue;
      edges.push_back({i, other, 1024});
      edges.push_back({other, i, 1024});
    }
  }
  snapshot.graph = make_comm_graph(kObjects, edges);
  return snapshot;
}

template <class Load>
Snapshot board_with(Load load) {
  Snapshot snapshot = board();
  Random random(1);
  for (ObjectIndex i = 0; i < kObjects; ++i) snapshot.objects.load[i] = load(random, i);
  return snapshot;
}

double exponential(Random& random) { return -std::log(1 - random.unit()); }

struct Loads {
  std::string name;
  Snapshot snapshot;
};

/// All, or those of that name alone.
std::vector<Loads> all_loads(const std::string& only) {
  std::vector<Loads> all;
  all.push_back({"uniform", board_with([](Random& random, ObjectIndex) { return random.unit(); })});
  all.push_back({"exponential", board_with([](Random& random, ObjectIndex) { return exponential(random); })});
  all.push_back({"lognormal", board_with([](Random& random, ObjectIndex) {
                   const double radius = std::sqrt(2 * exponential(random));
                   return std::exp(0.5 * radius * std::cos(6.283185307179586 * random.unit()));
                 })});
  all.push_back({"a sixteenth ten times as heavy", board_with([](Random& random, ObjectIndex i) {
                   return (0.5 + random.unit()) * (i % 256 < 64 && i / 256 < 64 ? 10 : 1);
                 })});
  for (const std::string kind : {"mesh2d:hot_spots=2,contrast=20", "plummer", "power-law"})
    if (only.empty() || only == kind)
      all.push_back({kind, parse_generator(kind).generate({.objects = kObjects, .pes = kPes})});
  if (!only.empty()) std::erase_if(all, [&](const Loads& loads) { return loads.name != only; });
  return all;
}

/// The time of all bytes between PEs, as a part of all loads: the default of `ccm`.
constexpr double kRemote = 0.25;

/// Returns the largest finish time with messages: either PE pays half of each message between PEs.
double largest_work(const Snapshot& snapshot, std::span<const PeIndex> pe_of) {
  const CommGraph& graph = snapshot.graph;
  const double bytes = std::accumulate(graph.bytes.begin(), graph.bytes.end(), 0.0);
  const double load = std::accumulate(snapshot.objects.load.begin(), snapshot.objects.load.end(), 0.0);
  const double half = kRemote * load / bytes / 2;
  std::vector<double> work = finish_times(snapshot, pe_of);
  for (ObjectIndex from = 0; from < snapshot.object_count(); ++from)
    for (std::uint64_t edge = graph.first[from]; edge < graph.first[from + 1]; ++edge) {
      const PeIndex here = pe_of[from], there = pe_of[graph.to[edge]];
      if (here == there) continue;
      work[here] += half * graph.bytes[edge];
      work[there] += half * graph.bytes[edge];
    }
  return std::ranges::max(work);
}

/// Returns the time of the decision by the simulator, gathering included.
double decision_ms(const Platform& platform, const Selection& strategy, const Snapshot& snapshot,
                   std::size_t rounds) {
  using namespace skein::simulate;
  const Ns ns = strategy.info->begin
                    ? distributed_decision_time(platform, strategy.info->name, kObjects / kPes, rounds)
                    : collecting_time(platform, snapshot.object_count()) +
                          decision_time(platform, strategy.info->name, snapshot.object_count(), kPes,
                                        snapshot.graph.edge_count());
  return static_cast<double>(ns) * 1e-6;
}

void compare(const Platform& platform, const Loads& loads, const std::string& text) {
  const Snapshot& snapshot = loads.snapshot;
  const Selection strategy = parse_strategy(text);
  std::size_t rounds = 0;
  const Assignment pe_of = strategy.info->begin ? decide_in_one_process(snapshot, strategy.options, 1,
                                                                        strategy.info->begin, &rounds)
                                                : strategy.assign(snapshot, 1);
  const double least = std::max(perfect_finish(snapshot), std::ranges::max(snapshot.objects.load));
  const Communication traffic = communication(snapshot, pe_of);
  std::printf("| %s | `%s` | %.3f | %.3f | %.1f | %.1f | %s | %.2f |\n", loads.name.c_str(), text.c_str(),
              largest_finish(snapshot, pe_of) / least, largest_work(snapshot, pe_of) / least,
              100.0 * static_cast<double>(movement(snapshot, pe_of).objects) / kObjects,
              100 * traffic.remote_bytes / (traffic.remote_bytes + traffic.local_bytes),
              rounds > 0 ? std::to_string(rounds).c_str() : "",
              decision_ms(platform, strategy, snapshot, rounds));
  std::fflush(stdout);
}

void run(std::vector<std::string> strategies) {
  std::string only;
  if (strategies.size() > 1 && strategies[0] == "--loads") {
    only = strategies[1];
    strategies.erase(strategies.begin(), strategies.begin() + 2);
  }
  if (strategies.empty())
    strategies = {"none", "gossip", "ccm", "diffusion", "greedy", "greedy-refine", "refine", "refine-comm"};
  const Platform platform =
      skein::simulate::with_pes(skein::simulate::load_platform("paraplui"), static_cast<std::uint32_t>(kPes));
  std::printf(
      "| loads | strategy | largest / least possible | with messages | moved, %% | between PEs, %% | rounds "
      "| decides, ms |\n"
      "|---|---|---|---|---|---|---|---|\n");
  for (const Loads& loads : all_loads(only))
    for (const std::string& strategy : strategies) compare(platform, loads, strategy);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run({argv + 1, argv + argc});
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_distributed: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
