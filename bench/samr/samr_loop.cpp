// SPDX-License-Identifier: Apache-2.0
// Computes the gas of apps/samr without a runtime: the same kernels over the same grids in plain loops, grid
// after grid, which take cells from each other. The fingerprint of the results equals that of samr.
//
// usage: samr_loop, with the options of samr, for problems without gravity
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <map>

#include "apps/samr/exchange.hpp"
#include "apps/samr/parameters.hpp"
#include "apps/samr/patch.hpp"
#include "apps/samr/problem.hpp"
#include "apps/samr/regrid.hpp"

namespace {

using namespace samr;

class Loop {
 public:
  explicit Loop(const Parameters& parameters) : p_(parameters) {
    std::vector<Placed> placed;
    for (const Box& box : roots_of(p_.domain(), p_.least, p_.greatest, 1)) {
      placed.push_back({0, box, {0, 0}});
      patch_of(placed.back()) = made(0, initial_cells(p_, 0, box));
    }
    now_ = Hierarchy(p_.domain(), placed);
    for (int level = 0; level < p_.finest() && has(level); ++level) adapt(level, 0, 1, true);
    for (int level = now_.levels() - 2; level >= 0; --level) correct(level, 0);
  }

  void run() {
    double time = 0;
    for (int step = 0; time < p_.end && (p_.steps == 0 || step < p_.steps); ++step) {
      double speed = 0;
      for (const auto& [place, patch] : patches_)
        speed = std::max(speed, fastest_wave(patch.now, p_.heat_ratio));
      const double longest = p_.courant * p_.spacing(0) / speed;
      const bool last = time + longest >= p_.end;
      const double dt = last ? p_.end - time : longest;
      evolve(0, time, dt);
      time = last ? p_.end : time + dt;
    }
  }

  std::uint64_t result() const {
    std::uint64_t sum = 0;
    for (const auto& [place, patch] : patches_) sum += fingerprint(patch, place.first);
    return sum;
  }
  std::uint64_t updates() const { return updates_; }

 private:
  bool has(int level) const { return level < now_.levels(); }
  Patch& patch_of(const Placed& placed) { return patches_[{placed.level, placed.box}]; }
  Patch made(int level, Field cells) const {
    Patch patch;
    patch.now = std::move(cells);
    patch.side = p_.spacing(level);
    return patch;
  }

  /// Gets a patch's cells from other patches. `among`: the siblings that give.
  void take_from_others(const Exchange& exchange, const Hierarchy& among, const Placed& to, double fraction,
                        Field& into) {
    for (const Placed& sibling : among.near(to.level, exchange.wanted(to)))
      if (sibling.box != to.box) into.paste(patch_of(sibling).now);
    if (to.level == 0) return;
    const Box coarse_domain = now_.domain(to.level - 1);
    Field below(sources_of(to.box.grown(ghost_cells), coarse_domain));
    for (const Box& box : exchange.sources(to))
      for (const Placed& parent : now_.near(to.level - 1, box)) {
        const Patch& patch = patch_of(parent);
        below.paste(fraction == 1 ? patch.now.piece(box)
                                  : between(patch.old.piece(box), patch.now.piece(box), fraction));
      }
    for (const Box& box : exchange.interpolated(to))
      into.paste(interpolated(below, box, coarse_domain, p_.heat_ratio));
  }

  Field surrounded(const Placed& placed, double time, double fraction) {
    Field around(placed.box.grown(ghost_cells));
    take_from_others(Exchange::of_ghosts(now_), now_, placed, fraction, around);
    around.paste(patch_of(placed).now);
    fill_beyond(p_, placed.level, time, around);
    return around;
  }

  void evolve(int level, double time, double dt) {
    const int parts = level == 0 ? 1 : refinement;
    for (int part = 0; part < parts; ++part) {
      const double own_dt = dt / parts, start = time + part * own_dt;
      advance(level, part, start, own_dt, static_cast<double>(part) / parts);
      if (has(level + 1)) {
        evolve(level + 1, start, own_dt);
        correct(level, own_dt);
      }
      if (level < p_.finest() && (level == 0 || part + 1 < parts))
        adapt(level, start + own_dt, static_cast<double>(part + 1) / parts, false);
      else if (p_.finest() == 0)
        close(level);
    }
  }

  void advance(int level, int part, double time, double dt, double fraction) {
    std::vector<Field> around;
    for (const Placed& placed : now_.level(level)) around.push_back(surrounded(placed, time, fraction));
    std::size_t i = 0;
    for (const Placed& placed : now_.level(level)) {
      Patch& patch = patch_of(placed);
      Step step = advanced(around[i++], placed.box, dt / p_.spacing(level), p_.heat_ratio);
      if (part == 0) open_borders(level, patch);
      note_fluxes(level, patch, step);
      patch.old = std::exchange(patch.now, std::move(step.cells));
      updates_ += static_cast<std::uint64_t>(placed.box.cells());
    }
  }

  void open_borders(int level, Patch& patch) const {
    patch.at_coarser.clear();
    if (level == 0) return;
    for (int side = 0; side < sides; ++side)
      for (const Box& cells : border(now_, level, patch.box(), side))
        patch.at_coarser.push_back({side, Field(cells)});
  }

  void note_fluxes(int level, Patch& patch, const Step& step) const {
    for (FluxPlane& plane : patch.at_coarser) add_fine_fluxes(plane, step);
    patch.at_finer.clear();
    for (const Placed& finer : now_.near(level + 1, patch.box().grown(1).refined()))
      for (int side = 0; side < sides; ++side)
        for (const Box& cells : border(now_, level + 1, finer.box, side))
          if (overlap(cells, patch.box()))
            patch.at_finer.push_back(coarse_fluxes(step, side, common(cells, patch.box())));
  }

  void correct(int level, double dt) {
    std::map<Box, FluxPlanes> fluxes;
    std::map<Box, std::vector<Field>> cells;
    for (const Placed& finer : now_.level(level + 1)) {
      Patch& patch = patch_of(finer);
      Field means = averaged(patch.now);
      for (const Placed& to : now_.near(level, means.box().grown(1))) {
        for (FluxPlane& plane : inside(patch.at_coarser, to.box)) fluxes[to.box].push_back(std::move(plane));
        cells[to.box].push_back(means.piece(to.box));
      }
      patch.at_coarser.clear();
    }
    for (const Placed& placed : now_.level(level)) {
      Patch& patch = patch_of(placed);
      samr::correct(patch.now, patch.at_finer, std::move(fluxes[placed.box]), dt / p_.spacing(level));
      for (const Field& means : cells[placed.box]) patch.now.paste(means);
      patch.at_finer.clear();
    }
  }

  void adapt(int base, double time, double fraction, bool initial) {
    std::vector<Flagged> flags;
    for (int level = base; level < p_.finest() && has(level); ++level)
      for (const Placed& placed : now_.level(level))
        for (const Box& row :
             rows_to_refine(surrounded(placed, time, level == base ? fraction : 1), placed.box,
                            {p_.steepness, p_.densest(level), p_.buffer}, p_.heat_ratio))
          flags.push_back({level, row});
    std::vector<Placed> placed;
    for (int level = 0; level <= base; ++level)
      for (const Placed& each : now_.level(level)) placed.push_back(each);
    int level = base;
    for (const Boxes& boxes :
         regridded(now_, base, initial ? base + 1 : p_.finest(), flags, p_.clustering())) {
      ++level;
      for (const Box& box : boxes) placed.push_back({level, box, {level, 0}});
    }
    const Hierarchy before = std::exchange(now_, Hierarchy(p_.domain(), std::move(placed)));
    for (int l = base + 1; l < std::max(before.levels(), now_.levels()); ++l) fill(l, before, initial);
    for (int l = base; l < now_.levels(); ++l) close(l);
  }

  void fill(int level, const Hierarchy& before, bool initial) {
    const Exchange exchange = Exchange::to_fill(now_, before);
    for (const Placed& placed : now_.level(level)) {
      if (!exchange.wants(placed)) continue;
      Field cells = initial ? initial_cells(p_, level, placed.box) : Field(placed.box);
      if (!initial) take_from_others(exchange, before, placed, 1, cells);
      patch_of(placed) = made(level, std::move(cells));
    }
    for (const Placed& placed : before.level(level))
      if (!now_.find(level, placed.box)) patches_.erase({level, placed.box});
  }

  void close(int level) {
    for (const Placed& placed : now_.level(level)) patch_of(placed).close();
  }

  const Parameters p_;
  Hierarchy now_;
  std::map<std::pair<std::int32_t, Box>, Patch> patches_;
  std::uint64_t updates_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  CommandLine line;
  if (const std::optional<int> status = read({argv + 1, argv + argc}, 1, line)) return *status;
  if (line.parameters.gravity > 0 || line.parameters.has_particles()) {
    std::fprintf(stderr, "samr_loop: gas alone, without gravity and particles\n");
    return 1;
  }
  Loop loop(line.parameters);
  const auto start = std::chrono::steady_clock::now();
  loop.run();
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("fingerprint: %016" PRIx64 "\n", loop.result());
  std::printf("cells updated: %" PRIu64 ", %.2f million a second\n", loop.updates(),
              1e-6 * static_cast<double>(loop.updates()) / took);
  std::printf("time loop: %.3f s\n", took);
}
