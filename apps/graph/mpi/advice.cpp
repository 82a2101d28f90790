// SPDX-License-Identifier: Apache-2.0
#include "advice.hpp"

#include <cstdio>

#include "skein/advisor.hpp"

namespace graph {

struct Adviser::State {
  skein::Advisor advisor;
  bool tells_edges;
};

Adviser::Adviser(MPI_Comm comm, const std::string& strategy, double horizon, bool tells_edges)
    : state_(new State{skein::Advisor(comm, {.horizon_steps = horizon, .strategy = strategy}), tells_edges}) {
}
Adviser::~Adviser() = default;

void Adviser::add_work(double seconds) { state_->advisor.add_work(seconds); }
void Adviser::moved(double seconds) { state_->advisor.moved(seconds); }

std::vector<int> Adviser::advise(const Elements& elements, int steps, std::string& told) {
  const Graph& graph = elements.graph();
  std::vector<skein::AdvisorElement> own;
  std::vector<skein::AdvisorEdge> edges;
  std::vector<Point> places;
  for (const Vertex v : elements.own()) {
    own.push_back({v, elements.weight(v), elements.element_bytes()});
    if (!graph.position.empty()) places.push_back(graph.position[v]);
    if (!state_->tells_edges) continue;
    for (const Vertex u : graph.neighbours(v))
      edges.push_back({v, u, static_cast<double>(elements.message_bytes())});
  }
  const skein::Advice advice = state_->advisor.advise(own, edges, places, static_cast<std::uint64_t>(steps));
  char line[160];
  if (advice.awaited)
    std::snprintf(line, sizeof line, "no advice yet");
  else
    std::snprintf(line, sizeof line, "advice: %s, imbalance %.1f %%, expected %.1f %%, gain %.3f s",
                  advice.strategy.c_str(), advice.imbalance_percent, advice.imbalance_after_percent,
                  advice.gain_s);
  told = line;
  return advice.balance ? advice.process : std::vector<int>();
}

}  // namespace graph
