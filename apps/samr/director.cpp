// SPDX-License-Identifier: Apache-2.0
#include "director.hpp"

#include <cinttypes>
#include <cstdio>
#include <ctime>
#include <stdexcept>

#include "grid.hpp"
#include "write_cells.hpp"

namespace samr {

skein::Flow Director::run(skein::Array<Grid> grids, skein::Array<Hierarchies> hierarchies) {
  grids_ = grids;
  hierarchies_ = hierarchies;
  co_await begin();
  while (!over()) {
    const auto fastest = skein::Future<double>::make();
    grids_.broadcast<&Grid::measure>(fastest);
    double speed = co_await fastest;
    for (const double each : pull_speed_) speed = std::max(speed, each);
    const double longest = parameters_.courant * parameters_.spacing(0) / speed;
    const bool last = time_ + longest >= parameters_.end;
    const double dt = last ? parameters_.end - time_ : longest;
    co_await evolve(0, time_, dt);
    time_ = last ? parameters_.end : time_ + dt;
    ++step_;
    if (over() || step_ % parameters_.report == 0) co_await report();
  }
  co_await end();
}

// ---- time

skein::Flow Director::evolve(int level, double time, double dt) {
  const int parts = level == 0 ? 1 : refinement;
  for (int part = 0; part < parts; ++part) {
    Turn step = turn(level);
    step.part = part;
    step.dt = dt / parts;
    step.time = time + part * step.dt;
    step.fraction = static_cast<double>(part) / parts;
    for (const Box& box : hierarchy_.boxes(level)) updates_ += static_cast<std::uint64_t>(box.cells());
    co_await attract(step);
    step.number = ++turns_;
    const auto advanced = skein::Future<void>::make();
    grids_.broadcast<&Grid::advance>(step, advanced);
    co_await advanced;
    co_await settle(level, false);
    last_dt_[static_cast<std::size_t>(level)] = step.dt;
    if (has(level + 1)) {
      co_await evolve(level + 1, step.time, step.dt);
      co_await correct(step);
    }
    // If the level below adapts next, this one adapts with it.
    if (level < parameters_.finest() && (level == 0 || part + 1 < parts))
      co_await adapt(level, step.time + step.dt, static_cast<double>(part + 1) / parts, false);
    else if (parameters_.finest() == 0)
      co_await synchronize(level);
  }
}

skein::Flow Director::correct(Turn step) {
  step.number = ++turns_;
  const auto corrected = skein::Future<void>::make();
  grids_.broadcast<&Grid::correct>(step, corrected);
  co_await corrected;
}

// ---- the hierarchy

skein::Flow Director::begin() {
  const Boxes roots = roots_of(parameters_.domain(), parameters_.least, parameters_.greatest,
                               static_cast<std::size_t>(std::max(parameters_.roots, skein::pe_count())));
  std::vector<Placed> placed;
  for (const Box& root : roots) placed.push_back({0, root, {0, ++grids_made_}});
  co_await spread(Hierarchy(parameters_.domain(), placed));
  // Each PE gets a stripe of the domain.
  const std::span<const Placed> sorted = hierarchy_.level(0);
  for (std::size_t i = 0; i < sorted.size(); ++i)
    grids_[sorted[i].grid].insert_on(
        static_cast<int>(i * static_cast<std::size_t>(skein::pe_count()) / sorted.size()), 0, sorted[i].box,
        true, hierarchies_, array());
  for (int level = 0; level < parameters_.finest() && has(level); ++level) co_await adapt(level, 0, 1, true);
  for (int level = hierarchy_.levels() - 2; level >= 0; --level) co_await correct(turn(level));
  std::printf("%6s %10s %7s %9s %18s %16s\n", "step", "time", "grids", "cells", "mass", "energy");
  if (!files_.write_slices.empty())
    begin_slices(files_.write_slices, parameters_, files_.problem, skein::pe_count());
  started_ = Clock::now();
  co_await report();
  first_ = last_;
  const double h = parameters_.spacing(0);
  mean_density_ = first_.mass.value() / (h * h * h * static_cast<double>(parameters_.domain().cells()));
  last_dt_.assign(static_cast<std::size_t>(parameters_.levels), 0);
  pull_speed_ = last_dt_;
  // The gravity at the start limits the first step.
  for (int level = 0; has(level); ++level) co_await attract(turn(level));
}

skein::Flow Director::spread(Hierarchy hierarchy) {
  hierarchy_ = std::move(hierarchy);
  most_grids_ = std::max(most_grids_, hierarchy_.patches().size());
  const auto everywhere = skein::Future<void>::make();
  hierarchies_.broadcast<&Hierarchies::take>(hierarchy_, everywhere);
  co_await everywhere;
}

/// Returns the patch that was there, or one of a new grid.
Placed Director::made(int level, const Box& box) {
  if (const Placed* const known = hierarchy_.find(level, box)) return *known;
  return {level, box, {level, ++grids_made_}};
}

void Director::check_memory(int level, std::int64_t cells) const {
  const double needed = Parameters::memory_of(cells);
  if (needed > parameters_.memory)
    throw std::runtime_error("level " + std::to_string(level) + " would take " + std::to_string(needed) +
                             " GiB with those below, and there are " + std::to_string(parameters_.memory) +
                             ": refine less, by --levels, --steepness or --overdensity, or say --memory");
}

skein::Flow Director::adapt(int base, double time, double fraction, bool initial) {
  const auto began = Clock::now();
  const std::clock_t began_computing = std::clock();
  std::vector<Flagged> flags;
  for (int level = base; level < parameters_.finest() && has(level); ++level) {
    Turn flag = turn(level);
    flag.time = time;
    if (level == base) flag.fraction = fraction;
    const auto flagged = skein::Future<std::vector<Flagged>>::make();
    grids_.broadcast<&Grid::flag>(flag, flagged);
    for (const Flagged& each : co_await flagged) flags.push_back(each);
  }
  std::vector<Placed> patches;
  for (int level = 0; level <= base; ++level)
    for (const Placed& patch : hierarchy_.level(level)) patches.push_back(patch);
  const Hierarchy before = hierarchy_;
  const int finest = initial ? base + 1 : parameters_.finest();
  int level = base;
  std::int64_t cells = 0;
  for (const Placed& patch : patches) cells += patch.box.cells();
  for (const Boxes& boxes : regridded(before, base, finest, flags, parameters_.clustering())) {
    ++level;
    check_memory(level, cells += cells_of(boxes));
    for (const Box& box : boxes) patches.push_back(made(level, box));
  }
  co_await spread(Hierarchy(parameters_.domain(), std::move(patches)));
  const auto refined = skein::Future<void>::make();
  grids_.broadcast<&Grid::refine>(initial, refined);
  co_await refined;
  co_await settle(base, true);
  for (int l = base + 1; !initial && l < std::max(before.levels(), hierarchy_.levels()); ++l) {
    const auto filled = skein::Future<void>::make();
    grids_.broadcast<&Grid::fill>(turn(l), filled);
    co_await filled;
  }
  ++adapted_;
  co_await synchronize(base);
  if (initial) co_return;
  ++adapted_in_loop_;
  adapting_s_ += seconds_since(began);
  adapting_computed_s_ += static_cast<double>(std::clock() - began_computing) / CLOCKS_PER_SEC;
}

skein::Flow Director::synchronize(int base) {
  grids_.broadcast<&Grid::synchronize>(base);
  Hierarchy now(parameters_.domain(), co_await when<&Director::placed>());
  std::size_t parts = 0;
  for (const Placed& patch : now.patches()) parts += patch.grid[0] < 0;
  most_parts_ = std::max(most_parts_, parts);
  if (now != hierarchy_) co_await spread(std::move(now));
}

// ---- results

skein::Flow Director::report() {
  const auto totals = skein::Future<Totals>::make();
  grids_.broadcast<&Grid::total>(totals);
  last_ = co_await totals;
  std::printf("%6d %10.6f %7zu %9" PRIu64 " %18.14f %16.12f\n", step_, time_, hierarchy_.patches().size(),
              last_.cells, last_.mass.value(), last_.energy.value());
  std::fflush(stdout);
  if (!files_.write_slices.empty()) {
    const auto slices = skein::Future<std::vector<PatchSlice>>::make();
    grids_.broadcast<&Grid::give_slice>(slices);
    write_slice(files_.write_slices, parameters_, time_, co_await slices);
  }
}

skein::Flow Director::end() {
  const double took = seconds_since(started_);
  std::printf("change of the mass: %.1e\n", last_.mass.value() / first_.mass.value() - 1);
  if (last_.particles > 0) std::printf("particles: %" PRIu64 "\n", last_.particles);
  if (solved_ > 0)
    std::printf("cycles of multigrid: %.1f, at most %d\n", static_cast<double>(cycles_) / solved_,
                most_cycles_);
  std::printf("change of the energy: %.1e\n", last_.energy.value() / first_.energy.value() - 1);
  std::printf("fingerprint: %016" PRIx64 "\n", last_.fingerprint);
  std::printf("adaptations: %d, grids at most: %zu, parts of divided ones: %zu\n", adapted_, most_grids_,
              most_parts_);
  if (adapted_in_loop_ > 0)
    std::printf("adapting and balancing: %d times, %.4f s each, %.4f s of it on the processor of PE 0\n",
                adapted_in_loop_, adapting_s_ / adapted_in_loop_, adapting_computed_s_ / adapted_in_loop_);
  std::printf("cells updated: %" PRIu64 ", %.2f million a second\n", updates_,
              1e-6 * static_cast<double>(updates_) / took);
  std::printf("time loop: %.3f s\n", took);
  if (!files_.write.empty()) {
    const auto cells = skein::Future<std::vector<FinalCell>>::make();
    grids_.broadcast<&Grid::give_cells>(cells);
    write_cells(files_.write, parameters_, time_, co_await cells);
  }
  if (!files_.write_particles.empty()) {
    const auto particles = skein::Future<Particles>::make();
    grids_.broadcast<&Grid::give_particles>(particles);
    write_particles(files_.write_particles, time_, co_await particles);
  }
}

}  // namespace samr
