// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/calibrate/decisions.hpp"

#include <algorithm>

#include "runtime/base/clock.hpp"
#include "skein/lb/generate.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::tools {
namespace {

// A slow strategy is not tried again.
constexpr double enough_seconds = 0.1;
constexpr int most_tries = 5;

}  // namespace

std::vector<simulate::DecisionTime> time_decisions() {
  std::vector<simulate::DecisionTime> result;
  const lb::Generator mesh = lb::parse_generator("mesh2d");
  for (const auto& [objects, pes] : {std::pair<std::size_t, std::size_t>(256, 16), {2048, 128}}) {
    const lb::Snapshot with_graph = mesh.generate({objects, pes, pes / 4, 1});
    lb::Snapshot without = with_graph;
    without.graph = {};
    for (const lb::StrategyInfo& info : lb::strategies()) {
      if (!lb::why_unavailable(info).empty()) continue;
      double least = 1e30, spent = 0, elements = 0;
      try {
        const lb::Selection strategy = lb::with_defaults(info);
        // As in a run, which keeps no graph for those that do not look at it.
        const lb::Snapshot& snapshot = strategy.uses_graph() ? with_graph : without;
        elements = static_cast<double>(objects + pes + snapshot.graph.edge_count());
        for (int i = 0; i < most_tries && spent < enough_seconds; ++i) {
          const double start = seconds();
          strategy.assign(snapshot, 1);
          const double took = seconds() - start;
          least = std::min(least, took);
          spent += took;
        }
      } catch (const std::exception&) {
        continue;  // it needs a key, or what a mesh lacks
      }
      result.push_back({std::string(info.name), elements, std::max(1.0, least * 1e9)});
    }
  }
  return result;
}

}  // namespace skein::tools
