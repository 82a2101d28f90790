// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/rank_images.hpp"

#include <algorithm>
#include <utility>

#include "runtime/arena/arena.hpp"
#include "runtime/balance/lb_step.hpp"
#include "runtime/base/error.hpp"
#include "runtime/image/program.hpp"
#include "runtime/move/mover.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/rank/job_guards.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::checkpoint {
namespace {

struct PackedRanks final : Packed {
  PackedRanks() {
    for_ranks_here([this](Rank& rank) {
      Image image{.saved = {.rank = rank.id, .file = net::world.pe, .ended = rank.done}};
      for (const arena::Range& range : move::pack(rank)) {
        image.runs.push_back({reinterpret_cast<std::uint64_t>(range.begin), range.bytes});
        image.saved.bytes += range.bytes;
      }
      images.push_back(std::move(image));
    });
  }
  ~PackedRanks() override { for_ranks_here(move::stay); }
};

/// Returns the largest number of sync points that a rank has passed. Collective.
std::uint64_t points_passed() {
  double points[] = {static_cast<double>(balance::last_point())};
  for_ranks_here(
      [&](const Rank& rank) { points[0] = std::max(points[0], static_cast<double>(rank.mpi->sync_points)); });
  net::max_of_all(points);
  return static_cast<std::uint64_t>(points[0]);
}

}  // namespace

RankContent::RankContent(int descriptor_limit, int first_process, std::string environment)
    : descriptor_limit_(descriptor_limit),
      first_process_(first_process),
      environment_(std::move(environment)) {}

void RankContent::check() {
  for_ranks_here([](const Rank& rank) {
    if (const char* const because = move::unsaved_because(rank))
      throw Error(format("rank %d cannot be saved while %s", rank.id, because));
  });
}

std::unique_ptr<Packed> RankContent::pack() { return std::make_unique<PackedRanks>(); }

void RankContent::describe(Manifest& manifest) {
  manifest.ranks = static_cast<int>(pe::location->pe_of_rank.size());
  manifest.slots = arena::reserved.layout;
  manifest.code_inside = image::current_program()->has_code_in_slots();
  manifest.canary = job_guards.canary;
  manifest.pointer_guard = job_guards.pointer;
  manifest.descriptor_limit = descriptor_limit_;
  manifest.first_process = first_process_;
  manifest.environment = environment_;
  manifest.generation = pe::location->placement_generation;
  manifest.points = points_passed();
}

}  // namespace skein::checkpoint
