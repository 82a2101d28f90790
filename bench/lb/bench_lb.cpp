// SPDX-License-Identifier: Apache-2.0
// Decision time, balance and moves of strategies on large snapshots, on one thread, beside the figures of
// Charm++ (2025-09, --with-production, 2-core x86-64) and the targets; how their time grows; the quality of
// greedy; the memory of a snapshot; the time of a PE in distributed strategies.
//
// usage: bench_lb [--repeats N] [--growth] [--json FILE] [STRATEGY[:key=value,...] ...]
//
// The moves of refine are compared with the fewest that any assignment as good as Charm++'s needs on these
// loads. Over loads drawn anew that number varies by some 100 around 12,200 at 1.0078, so the 12,196 of
// Charm++ on its loads and ours on these say nothing of each other. --growth takes some minutes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/lb/growth.hpp"
#include "bench/lb/measure.hpp"
#include "bench/lb/snapshots.hpp"
#include "skein/lb/metrics.hpp"

namespace {

using namespace skein::lb;
using namespace bench;
using Json = nlohmann::ordered_json;

constexpr Size kSmall{65'536, 8'192}, kLarge{1'000'000, 10'000};

struct Peer {
  const char* strategy;
  std::size_t objects;
  double target_ms;
  double ms;  // Charm++'s, like what follows
  double max_over_avg;
  std::uint64_t moves;  // 0: nearly all
};

constexpr Peer kCharm[] = {
    {"greedy", 1'000'000, 100, 165, 1.000025, 0},
    {"greedy-refine", 1'000'000, 130, 205, 1.000025, 95'876},
    {"refine", 1'000'000, 160, 264, 1.0078, 12'196},
    {"greedy", 65'536, 6, 8.7, 1.0012, 0},
    {"greedy-refine", 65'536, 9, 12.4, 1.0017, 18'641},
    {"refine:tolerance=1.09", 65'536, 15, 20, 1.093, 3'200},
};
constexpr double kDistributedTargetMs = 1;  // for each PE
constexpr double kBytesAnObject = 64, kBytesAnEdge = 12;

struct Arguments {
  int repeats = 7;
  bool growth = false;
  std::string json_file;
  std::vector<std::string> strategies;
};

Arguments parse_arguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--growth") {
      arguments.growth = true;
    } else if (word == "--json" && i + 1 < argc) {
      arguments.json_file = argv[++i];
    } else if (word == "--repeats" && i + 1 < argc) {
      arguments.repeats = std::max(1, std::atoi(argv[++i]));
    } else {
      arguments.strategies.push_back(word);
    }
  }
  if (!arguments.strategies.empty()) return arguments;
  for (const StrategyInfo& info : strategies()) {
    if (why_unavailable(info).empty() && parse_strategy(info.name).missing_key().empty())
      arguments.strategies.emplace_back(info.name);
  }
  arguments.strategies.emplace_back(
      "refine:tolerance=1.09");  // the tolerance that Charm++'s refine reached on the smaller snapshot
  return arguments;
}

const char* verdict(bool met) { return met ? "met" : "MISSED"; }

const Peer* find_peer(const std::string& strategy, std::size_t objects) {
  const auto found = std::ranges::find_if(
      kCharm, [&](const Peer& peer) { return peer.strategy == strategy && peer.objects == objects; });
  return found == std::end(kCharm) ? nullptr : &*found;
}

Json report(const std::string& name, Size size, const Snapshot& snapshot, const Result& result) {
  Json row = {{"strategy", name}, {"objects", size.objects}, {"pes", size.pes},
              {"ms", result.ms},  {"moves", result.moves},   {"max_over_avg", result.max_over_avg}};
  std::printf("%-24s %9zu %6zu %9.2f %9.6f %8llu", name.c_str(), size.objects, size.pes, result.ms,
              result.max_over_avg, static_cast<unsigned long long>(result.moves));
  if (parse_strategy(name).info->begin) {
    const double ms_a_pe = result.ms / static_cast<double>(size.pes);
    row["ms_a_pe"] = ms_a_pe;
    row["target_ms_a_pe"] = kDistributedTargetMs;
    std::printf("   %.4f ms a PE, target %g: %s", ms_a_pe, kDistributedTargetMs,
                verdict(ms_a_pe <= kDistributedTargetMs));
  }
  if (const Peer* peer = find_peer(name, size.objects)) {
    row["target_ms"] = peer->target_ms;
    row["charm"] = {{"ms", peer->ms}, {"max_over_avg", peer->max_over_avg}, {"moves", peer->moves}};
    std::printf("   target %5.0f ms: %-6s  Charm++ %6.1f ms %9.6f %8s", peer->target_ms,
                verdict(result.ms <= peer->target_ms), peer->ms, peer->max_over_avg,
                peer->moves > 0 ? std::to_string(peer->moves).c_str() : "all");
    if (name.starts_with("refine")) {
      const double reached = std::max(result.max_over_avg, peer->max_over_avg);
      const std::uint64_t fewest = fewest_moves(snapshot, reached * perfect_finish(snapshot));
      row["fewest_moves"] = fewest;
      std::printf("; fewest moves for %.4f: %llu", reached, static_cast<unsigned long long>(fewest));
    }
  }
  std::printf("\n");
  return row;
}

// The PE that finishes last was the least loaded one when it got its last object, so
// max <= mean + (1 - 1 / PEs) * that object's load, at most the largest (R. L. Graham 1969).
Json report_quality(const Json& rows) {
  Json result;
  const Snapshot snapshot = make_snapshot(kLarge, false);
  const double mean = perfect_finish(snapshot);
  const double bound =
      1 + (1 - 1 / static_cast<double>(kLarge.pes)) * std::ranges::max(snapshot.objects.load) / mean;
  double greedy = 0, best = 0;
  for (const Json& row : rows) {
    if (row["objects"] != kLarge.objects) continue;
    const double value = row["max_over_avg"];
    if (row["strategy"] == "greedy") greedy = value;
    if (best == 0 || value < best) best = value;
  }
  if (greedy == 0) return result;
  std::printf(
      "\ngreedy: max/avg %.6f; list scheduling's bound %.6f: %s; best of all strategies %.6f, within 1 %%: "
      "%s\n",
      greedy, bound, verdict(greedy <= bound), best, verdict(greedy <= 1.01 * best));
  return {{"greedy", greedy}, {"bound", bound}, {"best", best}};
}

Json report_memory() {
  const Snapshot plain = make_snapshot(kLarge, false), board = make_snapshot(kLarge, true);
  const auto edges = static_cast<double>(board.graph.edge_count());
  const auto objects = static_cast<double>(kLarge.objects);
  const double of_pes = static_cast<double>(plain.pes.size()) * 20;
  // The board adds positions and rows of the graph to each object.
  const double an_edge = static_cast<double>(sizeof(ObjectIndex) + sizeof(float) + sizeof(std::uint32_t));
  const double an_object = (static_cast<double>(board.memory_bytes()) - of_pes - edges * an_edge) / objects;
  std::printf("memory: %.1f B an object, target %g: %s; %.1f B an edge, target %g: %s\n", an_object,
              kBytesAnObject, verdict(an_object <= kBytesAnObject), an_edge, kBytesAnEdge,
              verdict(an_edge <= kBytesAnEdge));
  return {{"bytes_an_object", an_object}, {"bytes_an_edge", an_edge}};
}

Json report_growth(const Arguments& arguments) {
  Json rows = Json::array();
  const Growth most = n_log_n();
  std::printf("\ntime grows with the power     of objects    of PEs\n");
  std::printf("%-28s %11.2f %9.2f\n", "n log n itself", most.with_objects, most.with_pes);
  for (const std::string& name : arguments.strategies) {
    const Growth growth = measure_growth(parse_strategy(name), arguments.repeats);
    Json row = {{"strategy", name}, {"with_objects", growth.with_objects}, {"with_pes", growth.with_pes}};
    std::printf("%-28s %11.2f %9.2f", name.c_str(), growth.with_objects, growth.with_pes);
    if (name.starts_with("greedy") || name.starts_with("refine")) {
      const bool met = growth.with_objects <= most.with_objects && growth.with_pes <= most.with_pes;
      row["met"] = met;
      std::printf("   target n log n: %s", verdict(met));
    }
    std::printf("\n");
    rows.push_back(std::move(row));
  }
  return rows;
}

int run(const Arguments& arguments) {
  std::printf("strategy                   objects    PEs        ms   max/avg    moves\n");
  Json json = {{"strategies", Json::array()}};
  for (const Size size : {kSmall, kLarge}) {
    const Snapshot plain = make_snapshot(size, false), board = make_snapshot(size, true);
    for (const std::string& name : arguments.strategies) {
      const Selection selection = parse_strategy(name);
      const Snapshot& snapshot = needs_board(selection) ? board : plain;
      json["strategies"].push_back(
          report(name, size, snapshot, measure(selection, snapshot, arguments.repeats)));
      std::fflush(stdout);
    }
  }
  json["quality"] = report_quality(json["strategies"]);
  json["memory"] = report_memory();
  if (arguments.growth) json["growth"] = report_growth(arguments);
  if (arguments.json_file.empty()) return EXIT_SUCCESS;
  std::ofstream file(arguments.json_file);
  file << json.dump(2) << '\n';
  if (file.flush()) return EXIT_SUCCESS;
  std::fprintf(stderr, "bench_lb: %s cannot be written\n", arguments.json_file.c_str());
  return EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(parse_arguments(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_lb: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
