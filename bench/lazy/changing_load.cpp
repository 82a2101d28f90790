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

// ---- segments

class Segments {
 public:
  explicit Segments(std::size_t wanted) : random_(1) {
    std::array<std::array<double, 3>, 6> centres;
    for (auto& centre : centres)
      for (double& x : centre) x = within_(random_);
    std::normal_distribution<double> near(0, 0.12);
    while (objects_.size() < wanted) {
      const auto& centre = centres[objects_.size() % centres.size()];
      std::array<float, 3> place;
      for (std::size_t axis = 0; axis < 3; ++axis) place[axis] = inside(centre[axis] + near(random_));
      objects_.push_back({next_, next_, next_, place, 0});
      ++next_;
    }
    count();
  }

  std::vector<Object> now() const { return objects_; }
  skein::lb::Hypergraph hypergraph() const { return {}; }

  void step() {
    std::normal_distribution<double> walk(0, 0.004);
    std::vector<Object> next;
    for (Object& object : objects_) {
      const double chance = within_(random_);
      if (chance < 0.005) continue;
      for (float& x : object.place) x = inside(x + walk(random_));
      object.from = object.id;
      next.push_back(object);
      if (chance < 0.010) {
        next.push_back({next_, object.parent, object.id, object.place, 0});
        ++next_;
      }
    }
    objects_ = std::move(next);
    count();
  }

 private:
  static constexpr int cells = 16;
  static float inside(double x) { return static_cast<float>(std::clamp(x, 0.0, 0.999999)); }
  static int cell(float x) { return static_cast<int>(x * cells); }

  void count() {
    std::vector<int> in(cells * cells * cells);
    const auto at = [&](int x, int y, int z) -> int& {
      return in[static_cast<std::size_t>((x * cells + y) * cells + z)];
    };
    for (const Object& object : objects_)
      ++at(cell(object.place[0]), cell(object.place[1]), cell(object.place[2]));
    const auto around = [&](const Object& object) {
      int sum = 0;
      for (int x = -1; x <= 1; ++x)
        for (int y = -1; y <= 1; ++y)
          for (int z = -1; z <= 1; ++z) {
            const int a = cell(object.place[0]) + x, b = cell(object.place[1]) + y,
                      c = cell(object.place[2]) + z;
            if (std::min({a, b, c}) >= 0 && std::max({a, b, c}) < cells) sum += at(a, b, c);
          }
      return sum;
    };
    std::lognormal_distribution<double> varied(0, 0.15);
    for (Object& object : objects_) object.load = around(object) * varied(random_);
  }

  std::mt19937_64 random_;
  std::uniform_real_distribution<double> within_{0, 1};
  std::uint64_t next_ = 0;
  std::vector<Object> objects_;
};

template <class Kind>
ChangingLoad load_of(std::size_t objects) {
  const auto kind = std::make_shared<Kind>(objects);
  return {[kind] { return kind->now(); }, [kind] { kind->step(); }, [kind] { return kind->hypergraph(); }};
}

}  // namespace

ChangingLoad make_load(const std::string& kind, std::size_t objects) {
  if (kind == "bodies") return load_of<Bodies>(objects);
  if (kind == "segments") return load_of<Segments>(objects);
  throw std::invalid_argument("which load, bodies or segments?");
}

}  // namespace bench_lazy
