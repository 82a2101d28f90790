// SPDX-License-Identifier: Apache-2.0
// What processes tell, and the snapshot that comes of it wherever it is all together. Without MPI.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "skein/advisor.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::advisor {

/// What the program of one process gives.
struct ProcessInput {
  std::span<const AdvisorElement> elements;
  std::span<const AdvisorEdge> edges;
  std::span<const std::array<float, 3>> positions;
  double seconds = 0;       // that it worked since the last advice
  std::uint64_t steps = 1;  // of the program since then; edges and interactions tell of one
  std::span<const AdvisorInteraction> interactions = {};
};

/// These travel as they are.
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

/// In order of process.
struct ProcessReport {
  std::vector<Summary> summaries;
  std::vector<int> counts;  // records of each process
  std::vector<Record> records;
  std::vector<AdvisorEdge> edges;
  std::vector<Interaction> interactions;
  std::vector<std::uint64_t> joined;  // elements by id, those of one interaction after those of another

  void append(const ProcessReport& next);
};
/// Whatever was given: what is wrong with it is found when all is together.
ProcessReport told_by(const ProcessInput& given);

struct Gathered {
  lb::Snapshot snapshot;  // elements in order of process, loads in seconds
  std::unordered_map<std::uint64_t, lb::ObjectIndex> index_of;
  std::vector<std::size_t> first;          // element of each process, and one past the last
  std::vector<double> modelled, measured;  // of each process: sum of weights, seconds
};

/// Both throw std::invalid_argument for what a process gave wrong: the same wherever they are called with the
/// same. Of all processes.
void check(const std::vector<Summary>& processes);
Gathered assemble(const ProcessReport& all);

}  // namespace skein::advisor
