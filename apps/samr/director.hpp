// SPDX-License-Identifier: Apache-2.0
// Leads the blocks from step to step, and tells what becomes of them: one element, which stays on PE 0.
#pragma once

#include <chrono>
#include <deque>
#include <string>
#include <vector>

#include "apps/common/fixed_sum.hpp"
#include "parameters.hpp"
#include "parts.hpp"

namespace samr {

class Block;
class Meshes;

/// Sums over blocks; they are exact, so the same wherever the blocks are.
struct Totals {
  apps::FixedSum mass, energy;
  std::uint64_t fingerprint = 0;  ///< of every digit of all cells
  std::uint64_t blocks = 0;

  friend Totals operator+(const Totals& a, const Totals& b) {
    return {a.mass + b.mass, a.energy + b.energy, a.fingerprint + b.fingerprint, a.blocks + b.blocks};
  }
};

struct FinalCell {
  double x = 0, y = 0, side = 0;
  Gas gas;
};

class Director : public skein::Chare<Director, skein::Index1> {
 public:
  Director(const Parameters& parameters, const std::string& file) : parameters_(parameters), file_(file) {
    pin();
  }

  void run(skein::Array<Block> blocks, skein::Array<Meshes> meshes);
  /// All blocks have done what they were asked for; `dt`: the longest step that they allow.
  void ready(double dt);
  void adapt(const std::vector<BlockWish>& wishes);
  void mesh_is_spread();
  /// Behind a sync point: the parts of all blocks that are divided.
  void divided(const std::vector<Part>& parts);
  /// Goes on with what is to be done next.
  void next();
  void report(const Totals& totals);
  void write(std::vector<FinalCell> cells);

 private:
  enum class Task : std::int32_t { adapt, synchronize, report };
  using Clock = std::chrono::steady_clock;

  bool over() const {
    return time_ >= parameters_.end || (parameters_.steps > 0 && step_ == parameters_.steps);
  }
  void spread_mesh();
  void advance();
  double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

  Parameters parameters_;
  std::string file_;
  skein::Array<Block> blocks_;
  skein::Array<Meshes> meshes_;
  Mesh mesh_;
  Parts parts_;
  std::size_t most_parts_ = 0;
  std::deque<Task> tasks_;  // before the next step
  int initial_left_ = 0;    // times that the mesh adapts before the first step
  bool spread_ = false;     // the first mesh is everywhere
  int step_ = 0, adapted_ = 0;
  double time_ = 0, dt_ = 0;
  Clock::time_point started_;
  double reported_at_ = 0;
  int reported_step_ = 0;
  std::uint64_t updates_ = 0;  // of blocks
  Totals first_;
};

}  // namespace samr
