// SPDX-License-Identifier: Apache-2.0
// Decision time, balance and moves of strategies on large snapshots, on one thread, beside the figures of
// Charm++ (2025-09, --with-production, 2-core x86-64).
//
// usage: bench_lb [--repeats N] [--csv] [STRATEGY[:key=value,...] ...]
//
// Loads are uniform in [0, 1) s from a fixed seed; object i of n starts on PE i * PEs / n (contiguous
// blocks); all PEs have speed 1. Strategies that need positions or a graph get the same objects on a square
// board. The time is the least of N calls of Selection::assign, which includes checking the snapshot.
//
// The moves of refine at 1.0078 are the least that any assignment within that limit needs, so they vary with
// the loads.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <string>
#include <vector>

#include "lb/kernel/random.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"

namespace {

using namespace skein::lb;

constexpr std::uint64_t kSeed = 1;
constexpr double kEnoughMs = 3000;  // a strategy that has run that long is not repeated

struct Size {
  std::size_t objects;
  std::size_t pes;
};

struct Peer {
  const char* strategy;
  std::size_t objects;
  double ms;
  double max_over_avg;
  std::uint64_t moves;  // 0: nearly all
};

constexpr Peer kCharm[] = {
    {"greedy", 1'000'000, 165, 1.000025, 0},         {"greedy-refine", 1'000'000, 205, 1.000025, 95'876},
    {"refine", 1'000'000, 264, 1.0078, 12'196},      {"greedy", 65'536, 8.7, 1.0012, 0},
    {"greedy-refine", 65'536, 12.4, 1.0017, 18'641}, {"refine:tolerance=1.09", 65'536, 20, 1.093, 3'200},
};

Snapshot make_snapshot(Size size) {
  Snapshot snapshot;
  snapshot.pes = uniform_pes(size.pes);
  Random random(kSeed);
  for (std::size_t i = 0; i < size.objects; ++i) {
    snapshot.add_object({.id = i,
                         .pe = static_cast<PeIndex>(i * size.pes / size.objects),
                         .load = random.unit(),
                         .bytes = 1024});
  }
  return snapshot;
}

// The same on a square board: object i at column i % width, row i / width, exchanging 1 KiB with those beside
// it.
Snapshot make_board(Size size) {
  Snapshot snapshot = make_snapshot(size);
  const auto count = static_cast<ObjectIndex>(size.objects);
  const auto width = static_cast<ObjectIndex>(std::lround(std::sqrt(static_cast<double>(size.objects))));
  std::vector<CommEdge> edges;
  for (ObjectIndex i = 0; i < count; ++i) {
    snapshot.objects.position.push_back({static_cast<float>(i % width), static_cast<float>(i / width), 0});
    if (i % width + 1 < width && i + 1 < count) edges.push_back({i, i + 1, 1024});
    if (i + width < count) edges.push_back({i, i + width, 1024});
  }
  snapshot.graph = make_comm_graph(size.objects, edges);
  return snapshot;
}

struct Result {
  double ms = std::numeric_limits<double>::infinity();
  double max_over_avg = 0;
  std::uint64_t moves = 0;
};

Result measure(const Selection& selection, const Snapshot& snapshot, int repeats) {
  Result result;
  Assignment pe_of;
  double spent_ms = 0;
  for (int k = 0; k < repeats && spent_ms < kEnoughMs; ++k) {
    const auto start = std::chrono::steady_clock::now();
    pe_of = selection.assign(snapshot, kSeed);
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    result.ms = std::min(result.ms, elapsed.count());
    spent_ms += elapsed.count();
  }
  result.max_over_avg = 1 + percent_imbalance(snapshot, pe_of) / 100;
  result.moves = movement(snapshot, pe_of).objects;
  return result;
}

const Peer* find_peer(const std::string& strategy, std::size_t objects) {
  for (const Peer& peer : kCharm) {
    if (peer.strategy == strategy && peer.objects == objects) return &peer;
  }
  return nullptr;
}

void print_row(const std::string& name, Size size, const Result& result, bool csv) {
  std::printf(csv ? "%s,%zu,%zu,%.3f,%.6f,%llu" : "%-28s %9zu %6zu %9.2f %10.6f %9llu", name.c_str(),
              size.objects, size.pes, result.ms, result.max_over_avg,
              static_cast<unsigned long long>(result.moves));
  const Peer* peer = find_peer(name, size.objects);
  if (peer != nullptr) {
    std::printf(csv ? ",%.1f,%.6f,%s" : "   %9.1f %10.6f %9s", peer->ms, peer->max_over_avg,
                peer->moves > 0 ? std::to_string(peer->moves).c_str() : "all");
  } else if (csv) {
    std::printf(",,,");
  }
  std::printf("\n");
}

int run(int argc, char** argv) {
  int repeats = 7;
  bool csv = false;
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--csv") {
      csv = true;
    } else if (argument == "--repeats" && i + 1 < argc) {
      repeats = std::max(1, std::atoi(argv[++i]));
    } else {
      names.push_back(argument);
    }
  }
  if (names.empty()) {
    for (const StrategyInfo& info : strategies()) {
      if (why_unavailable(info).empty()) names.emplace_back(info.name);
    }
    names.emplace_back("refine:tolerance=1.09");  // the balance Charm++'s reached on the smaller snapshot
  }
  std::printf(csv ? "strategy,objects,pes,ms,max_over_avg,moves,charm_ms,charm_max_over_avg,charm_moves\n"
                  : "strategy                       objects    PEs        ms    max/avg     moves     "
                    "Charm++ ms, max/avg, moves\n");
  for (const Size size : {Size{65'536, 8'192}, Size{1'000'000, 10'000}}) {
    const Snapshot plain = make_snapshot(size), board = make_board(size);
    for (const std::string& name : names) {
      const Selection selection = parse_strategy(name);
      const bool needs_board = selection.info->traits & (needs_graph | needs_positions);
      print_row(name, size, measure(selection, needs_board ? board : plain, repeats), csv);
    }
  }
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_lb: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
