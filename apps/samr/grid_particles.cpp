// SPDX-License-Identifier: Apache-2.0
// Particles that change patches: after a step they go to patches around, after an adaptation to all patches
// where their old patch was.
#include "grid.hpp"

namespace samr {
namespace {

/// The senders and receivers of particles, which both sides compute.
struct Ways {
  const Hierarchy &before, &now;
  int level;
  bool adapted;

  int cells() const {
    return adapted ? 0 : 2;
  }  // around the sender: more than the fastest particle moves in a step
  bool sends(const Placed& patch) const {
    const Placed* const known = before.find(patch.level, patch.box);
    return known && *known == patch && (adapted ? patch.level >= level : patch.level == level);
  }
  bool receives(int l) const { return adapted ? l >= level : std::abs(l - level) <= 1; }

  /// Returns the patches that receive from this one, the finest first.
  std::vector<Placed> from(const Placed& patch) const {
    std::vector<Placed> found;
    for (int l = now.levels() - 1; l >= 0; --l)
      if (receives(l))
        for (const Placed& to : now.near(l, scaled(patch.box.grown(cells()), patch.level, l)))
          found.push_back(to);
    return found;
  }
  std::size_t senders_to(const Placed& patch) const {
    std::size_t count = 0;
    if (!receives(patch.level)) return count;
    for (int l = level; l < (adapted ? before.levels() : level + 1); ++l)
      for (const Placed& from : before.near(l, scaled(patch.box, patch.level, l).grown(cells())))
        count += !(from == patch);
    return count;
  }
};

}  // namespace

skein::Flow Grid::settle(Turn turn, bool adapted, skein::Future<void> done) {
  const Ways ways{adapted ? here().before() : here().now(), here().now(), turn.level, adapted};
  std::size_t expected = 0;
  for (Patch& patch : patches_) {
    const Placed self = placed(patch);
    const Placed* const known = ways.now.find(level_, patch.box());
    if (known && *known == self) expected += ways.senders_to(self);
    if (!ways.sends(self)) continue;
    const std::vector<Placed> near = ways.from(self);
    const auto home_of = [&](const Particle& p) {
      return std::ranges::find_if(near, [&](const Placed& to) {
        return to.box.contains(cell_of(p.at, parameters().spacing(to.level)));
      });
    };
    std::vector<Particles> leaving(near.size());
    for (const Particle& p :
         taken_from(patch.particles, [&](const Particle& p) { return *home_of(p) != self; }))
      leaving[static_cast<std::size_t>(home_of(p) - near.begin())].push_back(p);
    for (std::size_t i = 0; i < near.size(); ++i)
      if (!(near[i] == self))
        array()[near[i].grid].send<&Grid::arrivals>(turn.number,
                                                    Arrivals{near[i].box, std::move(leaving[i])});
  }
  const auto given = co_await when<&Grid::arrivals>(expected).matching(turn.number);
  for (const auto& [number, arrivals] : given) {
    Particles& into = patch_of(arrivals.patch).particles;
    into.insert(into.end(), arrivals.particles.begin(), arrivals.particles.end());
  }
  contribute(skein::to(done));
}

void Grid::give_particles(skein::Future<Particles> done) {
  Particles all;
  for (const Patch& patch : patches_) all.insert(all.end(), patch.particles.begin(), patch.particles.end());
  contribute(std::move(all), skein::concat, skein::to(done));
}

}  // namespace samr
