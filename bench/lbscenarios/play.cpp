// SPDX-License-Identifier: Apache-2.0
#include "bench/lbscenarios/play.hpp"

#include <algorithm>
#include <ctime>
#include <numeric>

#include "lb/kernel/pe_graph.hpp"
#include "lb/kernel/spread.hpp"
#include "skein/lb/model.hpp"

namespace lbscenarios {
namespace {

using namespace skein::lb;

constexpr int kDecisionRepeats = 4;
constexpr int kLoadSteps = 5;  // loads of a drifting pattern are new every so many steps

// The application under one choice.
class Run {
 public:
  Run(const World& world, Assignment pe_of)
      : world_(world),
        pe_of_(std::move(pe_of)),
        messages_(message_costs(world.start(), pe_of_, world.machine()).pe_s) {}

  void spend(double seconds) { time_ += seconds; }
  double time() const { return time_; }
  const std::vector<double>& computing() const { return computing_; }
  const Assignment& placement() const { return pe_of_; }

  void set_loads(const std::vector<double>& loads) {
    loads_ = &loads;
    computing_.assign(messages_.size(), 0);
    for (std::size_t v = 0; v < loads.size(); ++v) computing_[pe_of_[v]] += loads[v];
  }

  void step(int step) {
    double longest = 0;
    for (PeIndex p = 0; p < computing_.size(); ++p)
      longest = std::max(longest, computing_[p] * world_.disturbance(step, p) + messages_[p]);
    time_ += longest;
  }

  // Moves vertices along the links of `neighbours` so as to match one step of diffusion.
  void diffuse(const PeGraph& neighbours) {
    const double mean =
        std::accumulate(computing_.begin(), computing_.end(), 0.0) / static_cast<double>(computing_.size());
    time_ += static_cast<double>(std::ranges::max(neighbours, {}, &std::vector<PeIndex>::size).size()) *
             world_.machine().remote_message_s;
    if (std::ranges::max(computing_) <= kStepwiseTolerance * mean) return;
    collect_borders(neighbours);
    const std::vector<double> before = computing_;
    std::vector<double> handled(computing_.size(), 0);
    const CostModel& cost = world_.machine();
    for (PeIndex p = 0; p < neighbours.size(); ++p) {
      for (std::size_t k = 0; k < neighbours[p].size(); ++k) {
        const PeIndex q = neighbours[p][k];
        const double flow = link_flow(world_.start().pes, p, q, neighbours[p].size(), neighbours[q].size(),
                                      before[p], before[q]);
        if (flow <= 0) continue;
        const double moved =
            send(p, q, flow, borders_[p][k]) *
            (cost.object_s + static_cast<double>(world_.start().objects.bytes[0]) * cost.byte_s);
        handled[p] += moved;
        handled[q] += moved;
      }
    }
    const double busiest = std::ranges::max(handled);
    if (busiest == 0) return;  // every flow is less than half a vertex
    time_ += busiest + cost.rebuild_s;
    messages_ = message_costs(world_.start(), pe_of_, cost).pe_s;
  }

 private:
  std::span<const ObjectIndex> partners(ObjectIndex v) const {
    const CommGraph& graph = world_.start().graph;
    return std::span(graph.to).subspan(graph.first[v], graph.first[v + 1] - graph.first[v]);
  }

  // borders_[p][k]: vertices of p beside those of its k-th neighbour.
  void collect_borders(const PeGraph& neighbours) {
    borders_.assign(neighbours.size(), {});
    for (std::size_t p = 0; p < neighbours.size(); ++p) borders_[p].resize(neighbours[p].size());
    for (ObjectIndex v = 0; v < pe_of_.size(); ++v) {
      for (ObjectIndex u : partners(v)) {
        if (pe_of_[u] == pe_of_[v]) continue;
        const std::vector<PeIndex>& of_v = neighbours[pe_of_[v]];
        const auto k = std::ranges::find(of_v, pe_of_[u]) - of_v.begin();
        if (k < std::ssize(of_v)) borders_[pe_of_[v]][static_cast<std::size_t>(k)].push_back(v);
      }
    }
  }

  // From the border inwards, layer by layer, until `flow` seconds of load have gone. Returns how many.
  double send(PeIndex from, PeIndex to, double flow, std::vector<ObjectIndex> front) {
    double count = 0;
    std::vector<ObjectIndex> behind;
    while (!front.empty()) {
      behind.clear();
      for (ObjectIndex v : front) {
        const double load = (*loads_)[v];
        if (load > 2 * flow) return count;
        if (pe_of_[v] != from) continue;
        pe_of_[v] = to;
        computing_[from] -= load;
        computing_[to] += load;
        flow -= load;
        ++count;
        for (ObjectIndex u : partners(v)) {
          if (pe_of_[u] == from) behind.push_back(u);
        }
      }
      front.swap(behind);
    }
    return count;
  }

  const World& world_;
  Assignment pe_of_;
  std::vector<double> messages_;
  std::vector<double> computing_;
  const std::vector<double>* loads_ = nullptr;
  std::vector<std::vector<std::vector<ObjectIndex>>> borders_;
  double time_ = 0;
};

}  // namespace

double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::vector<double> decision_seconds(std::span<const Selection> strategies, const Snapshot& snapshot) {
  std::vector<double> least;
  for (const Selection& strategy : strategies) {
    least.push_back(1e300);
    for (int repeat = 0; repeat < kDecisionRepeats; ++repeat) {
      const double start = seconds();
      strategy.assign(snapshot, 1);
      least.back() = std::min(least.back(), seconds() - start);
    }
  }
  return least;
}

std::vector<Played> play(const World& world, const skein::lb::Snapshot& measured,
                         std::span<const Selection> globals, std::span<const double> decisions_s,
                         std::span<const int> horizons) {
  const Snapshot& start = world.start();
  const PeGraph neighbours = make_pe_graph("comm", start);
  std::vector<Played> played{{"none", 0, {}}, {std::string(kStepwiseDiffusion), 0, {}}};
  std::vector<Run> runs(2, Run(world, start.objects.pe));
  for (std::size_t k = 0; k < globals.size(); ++k) {
    const Assignment pe_of = globals[k].assign(measured, 1);
    played.push_back({std::string(globals[k].info->name), decisions_s[k], {}});
    runs.emplace_back(world, pe_of);
    runs.back().spend(played.back().decision_s + world.machine().meeting_s +
                      movement_seconds(start, pe_of, world.machine()));
  }
  std::vector<double> loads;
  std::size_t next_horizon = 0;
  for (int step = 0; step < horizons.back(); ++step) {
    if (step % kLoadSteps == 0) {
      world.loads_at(step, loads);
      for (Run& run : runs) run.set_loads(loads);
    }
    runs[1].diffuse(neighbours);
    for (Run& run : runs) run.step(step);
    if (step + 1 == horizons[next_horizon]) {
      for (std::size_t r = 0; r < runs.size(); ++r) played[r].total_s.push_back(runs[r].time());
      ++next_horizon;
    }
  }
  return played;
}

}  // namespace lbscenarios
