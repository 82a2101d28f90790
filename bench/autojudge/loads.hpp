// SPDX-License-Identifier: Apache-2.0
// Loads that change in ways that --lb auto has to cope with, point by point.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace autojudge {

enum class Change : std::uint8_t {
  even,      // all alike
  constant,  // uneven, and stays so
  drift,     // a hot spot wanders over the objects, once around in the run
  jump,      // a hot spot is somewhere else every `every` points
  anew,      // drawn anew in each point
  noisy,     // constant, and a fifth more or less in each point
};

struct Job {
  Change change = Change::even;
  std::size_t objects = 16, pes = 2, points = 1000;
  double point_s = 0.01;  // of a PE, on average
  std::size_t every = 40;
  std::uint64_t bytes = 100'000;  // of an object
  std::uint64_t seed = 1;

  std::string name() const;
};

// The job of that name, "jump/60"; throws std::invalid_argument.
Job parse_job(const std::string& name);

// ns of each object in that point; the same whoever asks.
std::vector<std::int64_t> loads_at(const Job& job, std::size_t point);

}  // namespace autojudge
