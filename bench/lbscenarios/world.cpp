// SPDX-License-Identifier: Apache-2.0
#include "bench/lbscenarios/world.hpp"

#include <cmath>

#include "lb/kernel/random.hpp"

namespace lbscenarios {
namespace {

using skein::lb::CommEdge;
using skein::lb::ObjectIndex;
using skein::lb::Random;

constexpr double kVertexSeconds = 2e-6;
constexpr std::uint64_t kVertexBytes = 500;
constexpr double kEdgeBytes = 64;
constexpr double kSpotWidth = 0.15;      // standard deviation, in sides of the square
constexpr double kDisturbance = 0.01;    // of a PE's step, at most
constexpr double kMeasuringError = 0.1;  // of each term of the machine, at most
constexpr double kTimingError = 0.05;    // of a decision, at most: two of a kind differ by so much

// 10 GB/s and 1 us in memory-to-memory copies and messages of today's networks; packing a vertex 0.2 us.
constexpr double kByteSeconds = 1e-10;
constexpr double kLatency = 1e-6;
constexpr double kPackSeconds = 2e-7;
constexpr double kRebuildSeconds = 4e-7;  // of a vertex: new neighbour lists and halos after a movement

// A number in [0, 1) that belongs to (seed, a, b).
double unit_of(std::uint64_t seed, std::uint64_t a, std::uint64_t b) {
  return Random(Random(seed * 0x10001 + a).bits() + b).unit();
}

std::size_t block_rows(std::size_t pes) {
  std::size_t rows = 1;
  for (std::size_t d = 1; d * d <= pes; ++d) {
    if (pes % d == 0) rows = d;
  }
  return rows;
}

}  // namespace

std::string Setting::name() const {
  const char* const names[] = {"even", "spot", "ramp", "one-pe", "rough"};
  return names[static_cast<std::size_t>(pattern)];
}

World::World(const Setting& setting) : setting_(setting) {
  const std::size_t pe_rows = block_rows(setting.pes), pe_columns = setting.pes / pe_rows;
  start_.pes = skein::lb::uniform_pes(setting.pes);
  std::vector<CommEdge> edges;
  for (std::size_t v = 0; v < setting.vertices(); ++v) {
    const std::size_t column = v % setting.columns, row = v / setting.columns;
    const std::size_t pe = row * pe_rows / setting.rows * pe_columns + column * pe_columns / setting.columns;
    start_.add_object({.id = v, .pe = static_cast<PeIndex>(pe), .load = 0, .bytes = kVertexBytes});
    start_.objects.position.push_back({static_cast<float>(column), static_cast<float>(row), 0});
    const auto here = static_cast<ObjectIndex>(v);
    const auto link = [&](std::size_t to) {
      edges.push_back({here, static_cast<ObjectIndex>(to), kEdgeBytes, 0});
      edges.push_back({static_cast<ObjectIndex>(to), here, kEdgeBytes, 0});
    };
    if (column + 1 < setting.columns) link(v + 1);
    if (row + 1 < setting.rows) link(v + setting.columns);
  }
  start_.graph = skein::lb::make_comm_graph(setting.vertices(), edges);
  loads_at(0, start_.objects.load);

  machine_.object_s = kPackSeconds;
  machine_.byte_s = kByteSeconds;
  machine_.remote_byte_s = kByteSeconds;
  machine_.remote_message_s = kLatency;
  machine_.rebuild_s =
      kRebuildSeconds * static_cast<double>(setting.vertices()) / static_cast<double>(setting.pes);
  // A global strategy sees all vertices: 16 bytes of each are gathered, and its answer is scattered.
  machine_.meeting_s = 2 * kLatency * std::log2(static_cast<double>(setting.pes)) +
                       20 * static_cast<double>(setting.vertices()) * kByteSeconds;
}

double World::work_at(double x, double y, std::size_t vertex, int step) const {
  switch (setting_.pattern) {
    case Pattern::even:
      return 1;
    case Pattern::spot: {
      // The spot goes round at a distance of 0.25 from the middle.
      const double angle = 6.28318 * unit_of(setting_.seed, 1, 0) + setting_.drift / 0.25 * step;
      const double dx = x - 0.5 - 0.25 * std::cos(angle), dy = y - 0.5 - 0.25 * std::sin(angle);
      return 1 + setting_.strength * std::exp(-(dx * dx + dy * dy) / (2 * kSpotWidth * kSpotWidth));
    }
    case Pattern::ramp:
      return 1 + setting_.strength * x;
    case Pattern::one_pe:
      return start_.objects.pe[vertex] == 0 ? 1 + setting_.strength : 1;
    case Pattern::rough:
      return 1 + setting_.strength * unit_of(setting_.seed, 2, vertex);
  }
  return 1;
}

void World::loads_at(int step, std::vector<double>& loads) const {
  loads.resize(setting_.vertices());
  for (std::size_t v = 0; v < loads.size(); ++v) {
    const double x = static_cast<double>(v % setting_.columns) / static_cast<double>(setting_.columns);
    const double y = static_cast<double>(v / setting_.columns) / static_cast<double>(setting_.rows);
    loads[v] = kVertexSeconds * work_at(x, y, v, step);
  }
}

double World::disturbance(int step, PeIndex pe) const {
  return 1 +
         kDisturbance * (2 * unit_of(setting_.seed, 1000 + static_cast<std::uint64_t>(step + 1000), pe) - 1);
}

CostModel World::measured_machine() const {
  CostModel measured = machine_;
  std::uint64_t term = 0;
  for (double* value : {&measured.object_s, &measured.byte_s, &measured.remote_message_s,
                        &measured.remote_byte_s, &measured.meeting_s, &measured.rebuild_s})
    *value *= 1 + kMeasuringError * (2 * unit_of(setting_.seed, 3, term++) - 1);
  return measured;
}

double World::timing_error(std::string_view strategy) const {
  std::uint64_t name = 0;
  for (const char letter : strategy) name = 31 * name + static_cast<unsigned char>(letter);
  return 1 + kTimingError * (2 * unit_of(setting_.seed, 4, name) - 1);
}

}  // namespace lbscenarios
