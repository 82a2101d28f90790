// SPDX-License-Identifier: Apache-2.0
// Reports of processes, and the snapshot made of them where all are together. Without MPI.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "skein/advisor.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::advisor {

/// The input of one process's program.
struct ProcessInput {
  std::span<const AdvisorElement> elements;
  std::span<const AdvisorEdge> edges;
  std::span<const std::array<float, 3>> positions;
  double seconds = 0;       // that it worked since the last advice
  std::uint64_t steps = 1;  // of the program since the last advice; edges and interactions are of one step
  std::span<const AdvisorInteraction> interactions = {};
};

/// Records that are sent unchanged.
struct Summary {
  double weight, seconds;
  std::uint64_t elements, positions, steps;
  bool positions_finite;
};
struct Record {
  std::uint64_t id, bytes;
  double load;  // seconds
  std::array<float, 3> position;
};

struct Interaction {
  double bytes;
  std::uint64_t elements;
};

/// Reports in order of process.
struct ProcessReport {
  std::vector<Summary> summaries;
  std::vector<int> counts;  // records of each process
  std::vector<Record> records;
  std::vector<AdvisorEdge> edges;
  std::vector<Interaction> interactions;
  std::vector<std::uint64_t> joined;  // elements by id, interaction after interaction

  void append(const ProcessReport& next);
};
/// Makes the report of any input: errors are found when all reports are together.
ProcessReport told_by(const ProcessInput& given);

struct Gathered {
  lb::Snapshot snapshot;  // elements in order of process, loads in seconds
  std::unordered_map<std::uint64_t, lb::ObjectIndex> index_of;
  std::vector<std::size_t> first;          // first element of each process, and one past the last
  std::vector<double> modelled, measured;  // for each process: sum of weights, seconds
};

/// Throw std::invalid_argument for wrong input of a process: the same for the same reports. Reports are of
/// all processes.
void check(const std::vector<Summary>& processes);
Gathered assemble(const ProcessReport& all);

}  // namespace skein::advisor
