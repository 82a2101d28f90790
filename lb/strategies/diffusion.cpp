// SPDX-License-Identifier: Apache-2.0
// diffusion: every PE gives to its less loaded neighbours, as heat spreads. First the loads alone are spread,
// as if they could be divided at will, and what has flowed over each link is summed up. Then objects are sent
// to match these sums, in rounds, since a PE may have to pass on what it has first to receive.
//
// A PE needs nothing but its own objects and its neighbours' finish times: this is the single-process form of
// a distributed strategy, and gives the assignment that PEs exchanging these would.
//
// Looks at loads, speeds, background, placement; the graph for graph=comm. Wins on many PEs, where gathering
// all objects is too dear, and keeps objects near where they were. Loses where load has to travel far: a ring
// of P PEs takes about P^2 steps. Returns the present placement when the result would finish later. O(steps
// links + n log n). G. Cybenko, "Dynamic load balancing for distributed memory multiprocessors", Journal of
// Parallel and Distributed Computing 7 (1989); the weights of links are those of Metropolis chains, which
// converge on any graph.
#include <algorithm>
#include <cmath>

#include "lb/kernel/pe_graph.hpp"
#include "lb/kernel/portions.hpp"
#include "lb/kernel/spread.hpp"
#include "lb/strategies/define.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

constexpr Key kKeys[] = {
    choice_key("graph", "hypercube", kPeGraphShapes, "which PEs are neighbours"),
    integer_key("steps", "1000", 1, 1e6, "steps of spreading at most"),
    real_key("tolerance", "1.01", 1, 10, "spreading stops at this multiple of the perfect finish time"),
};

// flow[p][k]: load to go from PE p to its k-th neighbour; negative when it comes from there.
using Flow = std::vector<std::vector<double>>;

std::size_t place_of(const std::vector<PeIndex>& neighbours, PeIndex pe) {
  return static_cast<std::size_t>(std::ranges::lower_bound(neighbours, pe) - neighbours.begin());
}

Flow spread(const PeGraph& graph, const Pes& pes, std::vector<double> finish, double limit,
            std::int64_t steps) {
  Flow flow(graph.size());
  for (std::size_t p = 0; p < graph.size(); ++p) flow[p].assign(graph[p].size(), 0);
  std::vector<double> next = finish;
  for (std::int64_t step = 0; step < steps && std::ranges::max(finish) > limit; ++step) {
    for (PeIndex p = 0; p < graph.size(); ++p) {
      for (std::size_t k = 0; k < graph[p].size(); ++k) {
        const PeIndex q = graph[p][k];
        const double load = link_flow(pes, p, q, graph[p].size(), graph[q].size(), finish[p], finish[q]);
        flow[p][k] += load;
        next[p] -= load / pes.speed[p];
      }
    }
    finish = next;
  }
  return flow;
}

struct Arrival {
  ObjectIndex object;
  PeIndex from, to;
};

// One PE's objects, sent so as to match its flows. Heaviest first, each goes over the link with the most left
// to send if that takes it whole; then, lightest first, over that link if it takes half of it.
class Sender {
 public:
  Sender(const Objects& objects, const PeGraph& graph, Flow& flow, std::vector<Arrival>& sent)
      : objects_(objects), graph_(graph), flow_(flow), sent_(sent) {}

  void send_from(PeIndex pe, std::vector<ObjectIndex>& held) {
    if (graph_[pe].empty()) return;
    std::ranges::sort(held, [&](ObjectIndex a, ObjectIndex b) {
      return objects_.load[a] != objects_.load[b] ? objects_.load[a] > objects_.load[b] : a < b;
    });
    std::erase_if(held, [&](ObjectIndex i) { return send_if_room(pe, i, objects_.load[i]); });
    while (!held.empty() && send_if_room(pe, held.back(), objects_.load[held.back()] / 2)) held.pop_back();
  }

 private:
  bool send_if_room(PeIndex from, ObjectIndex i, double room) {
    const auto most = std::ranges::max_element(flow_[from]);
    if (*most <= room) return false;
    *most -= objects_.load[i];
    sent_.push_back({i, from, graph_[from][static_cast<std::size_t>(most - flow_[from].begin())]});
    return true;
  }

  const Objects& objects_;
  const PeGraph& graph_;
  Flow& flow_;
  std::vector<Arrival>& sent_;
};

}  // namespace

std::span<const Key> diffusion_keys() { return kKeys; }

Assignment assign_diffusion(const Snapshot& snapshot, const Options& options, std::uint64_t) {
  const Objects& objects = snapshot.objects;
  const PeGraph graph = make_pe_graph(options.choice("graph"), snapshot);
  const std::vector<double> finish = finish_times(snapshot, objects.pe);
  const double limit = options.real("tolerance") * perfect_finish(snapshot);
  Flow flow = spread(graph, snapshot.pes, finish, limit, options.integer("steps"));

  std::vector<std::vector<ObjectIndex>> held(snapshot.pe_count());
  for (ObjectIndex i : movable_objects(objects)) held[objects.pe[i]].push_back(i);
  // Every object sent leaves less unmatched, so rounds end by themselves; load has at most PEs - 1 links to
  // go.
  std::vector<Arrival> sent;
  Sender sender(objects, graph, flow, sent);
  for (std::size_t round = 0; round < snapshot.pe_count(); ++round) {
    for (PeIndex p = 0; p < held.size(); ++p) sender.send_from(p, held[p]);
    if (sent.empty()) break;
    for (const Arrival& arrival : sent) {
      held[arrival.to].push_back(arrival.object);
      flow[arrival.to][place_of(graph[arrival.to], arrival.from)] += objects.load[arrival.object];
    }
    sent.clear();
  }

  Assignment pe_of = objects.pe;
  for (PeIndex p = 0; p < held.size(); ++p) {
    for (ObjectIndex i : held[p]) pe_of[i] = p;
  }
  return std::ranges::max(finish_times(snapshot, pe_of)) < std::ranges::max(finish) ? pe_of : objects.pe;
}

}  // namespace skein::lb
