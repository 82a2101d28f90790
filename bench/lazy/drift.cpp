// SPDX-License-Identifier: Apache-2.0
// lazy_drift: how far a load is from what a decision was made for, over the steps since it was made.
//
// usage: lazy_drift bodies|segments [--objects N] [--pes P] [--steps N] [--strategy NAME]
//
//   bodies    objects are the bodies of apps/barneshut, a Plummer sphere; a body's load is its interactions.
//             (O. Pearce et al. on 8,192 processes: total work within 5 %, half of the bodies unchanged.)
//   segments  made up after what they say of dislocations: nearly all loads change in each step, objects come
//             and go. Points walk at random in a box in which they gather at six places; the load of each is
//             the number of others in its cell of a grid and those around it, and varies by 15 % from step to
//             step. In each step one in 200 is cut into two, and one in 200 ends. (There, on 2,048 processes:
//             imbalance at most 7 %.)
//
// A strategy decides by the loads of the first step; what it decided is applied to each later one as a late
// decision is (skein/lb/late.hpp). Imbalance of a decision that is not late stands beside it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/barneshut/gravity.hpp"
#include "apps/barneshut/scenario.hpp"
#include "skein/lb/late.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"

namespace lb = skein::lb;

namespace {

struct Options {
  std::string kind;
  std::size_t objects = 20'000;
  std::uint32_t pes = 64;
  int steps = 500;
  std::string strategy = "rcb";
};

struct Object {
  std::uint64_t id;
  std::uint64_t parent;  // which of those there were at first it was cut off; itself if it was there
  std::array<float, 3> place;
  double load;
};

/// A load that changes: `now()` are its objects, and `step()` lets a step pass.
struct Load {
  std::function<std::vector<Object>()> now;
  std::function<void()> step;
};

// ---- bodies

class Bodies {
 public:
  explicit Bodies(const Options& options) {
    parameters_.bodies = static_cast<std::int32_t>(options.objects);
    bodies_ = barneshut::initial_bodies(parameters_);
    attract();
  }

  std::vector<Object> now() const {
    std::vector<Object> objects;
    for (const barneshut::Body& body : bodies_)
      objects.push_back(
          {body.id,
           body.id,
           {static_cast<float>(body.x.x), static_cast<float>(body.x.y), static_cast<float>(body.x.z)},
           static_cast<double>(body.interactions)});
    return objects;
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
  explicit Segments(const Options& options) : random_(1) {
    std::array<std::array<double, 3>, 6> centres;
    for (auto& centre : centres)
      for (double& x : centre) x = within_(random_);
    std::normal_distribution<double> near(0, 0.12);
    while (objects_.size() < options.objects) {
      const auto& centre = centres[objects_.size() % centres.size()];
      std::array<float, 3> place;
      for (std::size_t axis = 0; axis < 3; ++axis) place[axis] = inside(centre[axis] + near(random_));
      objects_.push_back({next_, next_, place, 0});
      ++next_;
    }
    count();
  }

  std::vector<Object> now() const { return objects_; }

  void step() {
    std::normal_distribution<double> walk(0, 0.004);
    std::vector<Object> next;
    for (Object& object : objects_) {
      const double chance = within_(random_);
      if (chance < 0.005) continue;
      for (float& x : object.place) x = inside(x + walk(random_));
      next.push_back(object);
      if (chance < 0.010) {
        next.push_back({next_, object.parent, object.place, 0});
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
Load load_of(const Options& options) {
  const auto kind = std::make_shared<Kind>(options);
  return {[kind] { return kind->now(); }, [kind] { kind->step(); }};
}

// ----

/// As many neighbours in the list on each PE.
lb::Snapshot snapshot_of(const std::vector<Object>& objects, std::uint32_t pes) {
  lb::Snapshot snapshot;
  snapshot.pes = lb::uniform_pes(pes);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    snapshot.add_object({.id = objects[i].id,
                         .pe = static_cast<lb::PeIndex>(i * pes / objects.size()),
                         .load = objects[i].load});
    snapshot.objects.position.push_back(objects[i].place);
  }
  return snapshot;
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      if (i + 1 == argc) throw std::invalid_argument(word + " wants a value");
      return std::string(argv[++i]);
    };
    if (word == "--objects")
      options.objects = std::stoul(value());
    else if (word == "--pes")
      options.pes = static_cast<std::uint32_t>(std::stoul(value()));
    else if (word == "--steps")
      options.steps = std::stoi(value());
    else if (word == "--strategy")
      options.strategy = value();
    else
      options.kind = word;
  }
  if (options.kind != "bodies" && options.kind != "segments")
    throw std::invalid_argument("which load, bodies or segments?");
  return options;
}

/// 1, 2, 5, 10, ...
bool shown(int step) {
  while (step % 10 == 0) step /= 10;
  return step == 1 || step == 2 || step == 5;
}

void play(const Options& options) {
  const Load load = options.kind == "bodies" ? load_of<Bodies>(options) : load_of<Segments>(options);
  const lb::Selection strategy = lb::parse_strategy(options.strategy);
  const lb::Snapshot then = snapshot_of(load.now(), options.pes);
  const lb::Decision decided = strategy.decide(then, 1);
  printf("%s, %zu objects on %u PEs, %s\n", options.kind.c_str(), then.object_count(), options.pes,
         options.strategy.c_str());
  printf("%6s %8s %9s %9s %8s %8s %13s %13s\n", "steps", "work %", "changed %", "change %", "gone", "come",
         "imbalance %", "not late %");
  for (int step = 1; step <= options.steps; ++step) {
    load.step();
    if (!shown(step)) continue;
    const std::vector<Object> objects = load.now();
    const lb::Snapshot now = snapshot_of(objects, options.pes);
    std::vector<std::uint64_t> parents;
    for (const Object& object : objects) parents.push_back(object.parent);
    const lb::LateDrift drift = lb::apply_late(then, decided, now, parents).drift;
    printf("%6d %+8.1f %9.1f %9.1f %8llu %8llu %13.1f %13.1f\n", step, drift.work_percent,
           drift.changed_percent, drift.change_percent, static_cast<unsigned long long>(drift.gone),
           static_cast<unsigned long long>(drift.come), drift.imbalance_percent,
           lb::percent_imbalance(now, strategy.assign(now, 1)));
    fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    play(parse(argc, argv));
  } catch (const std::exception& error) {
    fprintf(stderr, "lazy_drift: %s\n", error.what());
    return 1;
  }
}
