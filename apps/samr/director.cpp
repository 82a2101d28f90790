// SPDX-License-Identifier: Apache-2.0
#include "director.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "block.hpp"
#include "meshes.hpp"
#include "write_cells.hpp"

namespace samr {

void Director::run(skein::Array<Block> blocks, skein::Array<Meshes> meshes) {
  blocks_ = blocks, meshes_ = meshes;
  mesh_ = Mesh(parameters_.roots_x, parameters_.roots_y);
  initial_left_ = parameters_.finest();
  spread_mesh();
}

void Director::spread_mesh() {
  meshes_.broadcast<&Meshes::take>(mesh_, parts_, skein::to<&Director::mesh_is_spread>(self()));
}

void Director::mesh_is_spread() {
  if (std::exchange(spread_, true)) return blocks_.broadcast<&Block::remesh>(step_ == 0);
  // Stripes of the domain, from left to right.
  for (const BlockIndex& root : mesh_.leaves()) {
    blocks_[root].insert_on(root[1] * skein::pe_count() / parameters_.roots_x, parameters_, meshes_, array());
    blocks_[root].send<&Block::begin>();
  }
}

void Director::ready(double dt) {
  dt_ = dt;
  next();
}

void Director::next() {
  if (initial_left_ > 0) {
    --initial_left_;
    tasks_.push_front(Task::adapt);
  } else if (step_ == 0 && first_.blocks == 0) {
    started_ = Clock::now();
    std::printf("%8s %10s %7s %16s %16s %9s\n", "step", "time", "blocks", "mass", "energy", "ms/step");
    tasks_.push_front(Task::report);
  }
  if (tasks_.empty()) return over() ? void() : advance();
  const Task task = tasks_.front();
  tasks_.pop_front();
  switch (task) {
    case Task::adapt:
      return blocks_.broadcast<&Block::tell_wish>();
    case Task::synchronize:
      return blocks_.broadcast<&Block::synchronize>();
    case Task::report:
      return blocks_.broadcast<&Block::report>();
  }
}

void Director::advance() {
  const double dt = std::min(dt_, parameters_.end - time_);
  time_ = dt < dt_ ? parameters_.end : time_ + dt;
  ++step_;
  updates_ += mesh_.leaves().size();
  if (!over() && step_ % parameters_.adapt == 0) {
    tasks_.push_back(Task::adapt);
    if (++adapted_ % parameters_.sync == 0) tasks_.push_back(Task::synchronize);
  }
  if (over() || step_ % parameters_.report == 0) tasks_.push_back(Task::report);
  blocks_.broadcast<&Block::advance>(dt, step_ % 2);
}

void Director::adapt(const std::vector<BlockWish>& wishes) {
  mesh_ = mesh_.adapted(wishes, parameters_.finest());
  parts_.keep_leaves(mesh_);
  spread_mesh();
}

void Director::divided(const std::vector<Part>& parts) {
  Parts now(parts);
  if (now == parts_) return next();
  parts_ = std::move(now);
  most_parts_ = std::max(most_parts_, parts_.count());
  meshes_.broadcast<&Meshes::take>(mesh_, parts_, skein::to<&Director::next>(self()));
}

void Director::report(const Totals& totals) {
  if (first_.blocks == 0) first_ = totals;
  const int steps = step_ - std::exchange(reported_step_, step_);
  const double now = seconds(), took = now - std::exchange(reported_at_, now);
  std::printf("%8d %10.6f %7" PRIu64 " %16.12f %16.10f", step_, time_, totals.blocks, totals.mass.value(),
              totals.energy.value());
  if (steps > 0) std::printf(" %9.3f", 1e3 * took / steps);
  std::printf("\n");
  std::fflush(stdout);
  if (!over()) return next();
  const double cells = static_cast<double>(updates_) * parameters_.cells * parameters_.cells;
  std::printf("change of the mass: %.1e\n", totals.mass.value() / first_.mass.value() - 1);
  std::printf("change of the energy: %.1e\n", totals.energy.value() / first_.energy.value() - 1);
  std::printf("fingerprint: %016" PRIx64 "\n", totals.fingerprint);
  std::printf("cells updated: %.0f, %.2f million a second\n", cells, 1e-6 * cells / now);
  std::printf("parts of divided blocks, at most: %zu\n", most_parts_);
  std::printf("time loop: %.3f s\n", now);
  if (!file_.empty()) blocks_.broadcast<&Block::give_cells>();
}

void Director::write(std::vector<FinalCell> cells) {
  std::ranges::sort(cells, {}, [](const FinalCell& c) { return std::pair(c.x, c.y); });
  write_cells(file_, time_, cells);
}

}  // namespace samr
