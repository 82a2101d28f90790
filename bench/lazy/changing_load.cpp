// SPDX-License-Identifier: Apache-2.0
#include "bench/lazy/changing_load.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>

#include "apps/barneshut/gravity.hpp"
#include "apps/barneshut/scenario.hpp"
#include "apps/dislocations/crystal.hpp"

namespace bench_lazy {
namespace {

// ---- bodies

class Bodies {
 public:
  explicit Bodies(std::size_t count) {
    parameters_.bodies = static_cast<std::int32_t>(count);
    bodies_ = barneshut::initial_bodies(parameters_);
    attract();
  }

  std::vector<Object> now() const {
    std::vector<Object> objects;
    for (const barneshut::Body& body : bodies_)
      objects.push_back(
          {body.id,
           body.id,
           body.id,
           {static_cast<float>(body.x.x), static_cast<float>(body.x.y), static_cast<float>(body.x.z)},
           static_cast<double>(body.interactions)});
    return objects;
  }

  skein::lb::Hypergraph hypergraph() const {
    constexpr int sampled = 4;
    constexpr double bytes_of_node = sizeof(barneshut::Node);
    const barneshut::Tree tree = barneshut::tree_of(parameters_.rules, barneshut::Octant(), bodies_);
    std::map<barneshut::Octant, skein::lb::Hyperedge> of_cell;
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const auto nodes = barneshut::interactions(parameters_.gravity, tree, bodies_[i]);
      std::vector<const barneshut::Node*> joined;
      for (const barneshut::Node* const node : nodes)
        if (node->cell.holds(bodies_[i].key)) joined.push_back(node);
      for (int k = 0; k < sampled; ++k) joined.push_back(nodes[random() % nodes.size()]);
      for (const barneshut::Node* const node : joined) {
        skein::lb::Hyperedge& edge = of_cell[node->cell];
        const auto object = static_cast<skein::lb::ObjectIndex>(i);
        if (edge.objects.empty() || edge.objects.back() != object) edge.objects.push_back(object);
        edge.bytes = bytes_of_node;
      }
    }
    std::vector<skein::lb::Hyperedge> edges;
    for (auto& [cell, edge] : of_cell) edges.push_back(std::move(edge));
    return skein::lb::make_hypergraph(bodies_.size(), edges);
  }

  void step() {
    kick();
    for (barneshut::Body& body : bodies_) {
      body.x += parameters_.time_step * body.v;
      barneshut::locate(parameters_.rules.root, body);
    }
    std::ranges::sort(bodies_, barneshut::in_key_order);
    attract();
    kick();
  }

 private:
  void kick() {
    for (barneshut::Body& body : bodies_) body.v += (0.5 * parameters_.time_step) * body.a;
  }
  void attract() {
    const barneshut::Tree tree = barneshut::tree_of(parameters_.rules, barneshut::Octant(), bodies_);
    for (barneshut::Body& body : bodies_) {
      const barneshut::Attraction found = barneshut::attraction(parameters_.gravity, tree, body);
      body.a = found.a;
      body.interactions = found.interactions;
    }
  }

  barneshut::Parameters parameters_;
  std::vector<barneshut::Body> bodies_;
};

// ---- dislocations

class Dislocations {
 public:
  explicit Dislocations(std::size_t wanted) : crystal_(parameters_for(wanted)) { crystal_.attract(); }

  std::vector<Object> now() {
    std::vector<Object> objects;
    for (const auto& [id, node] : crystal_.nodes()) {
      if (node.next.id == 0) continue;
      const auto [known, is_new] = known_.try_emplace(id, Known{known_.size(), known_.size(), known_.size()});
      if (is_new && node.parent != id) {
        const Known& from = known_.at(node.parent);
        known->second.from = from.id;
        known->second.parent = from.parent;
      }
      objects.push_back(
          {known->second.id,
           known->second.parent,
           known->second.from,
           {static_cast<float>(node.x.x), static_cast<float>(node.x.y), static_cast<float>(node.x.z)},
           static_cast<double>(node.evaluations)});
      known->second.from = known->second.id;
    }
    return objects;
  }

  skein::lb::Hypergraph hypergraph() const { return {}; }

  void step() {
    now();  // records which segments are new, as the next step cuts others off them
    crystal_.advance();
    crystal_.attract();
  }

 private:
  struct Known {
    std::uint64_t id, parent, from;
  };

  static dislocations::Parameters parameters_for(std::size_t wanted) {
    constexpr double segments_a_source = 5.5;
    dislocations::Parameters parameters;
    const double sources = std::max(1.0, static_cast<double>(wanted) / segments_a_source);
    const double longer = std::cbrt(sources / parameters.sources);
    parameters.sources = static_cast<std::int32_t>(sources);
    parameters.box.side *= longer;
    parameters.box.cells = std::max(3, static_cast<std::int32_t>(std::lround(parameters.box.cells * longer)));
    return parameters;
  }

  dislocations::Crystal crystal_;
  std::map<dislocations::NodeId, Known> known_;
};

template <class Kind>
ChangingLoad load_of(std::size_t objects) {
  const auto kind = std::make_shared<Kind>(objects);
  return {[kind] { return kind->now(); }, [kind] { kind->step(); }, [kind] { return kind->hypergraph(); }};
}

}  // namespace

ChangingLoad make_load(const std::string& kind, std::size_t objects) {
  if (kind == "bodies") return load_of<Bodies>(objects);
  if (kind == "dislocations") return load_of<Dislocations>(objects);
  throw std::invalid_argument("which load, bodies or dislocations?");
}

}  // namespace bench_lazy
