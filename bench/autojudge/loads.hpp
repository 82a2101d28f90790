// SPDX-License-Identifier: Apache-2.0
// Loads that change in ways that --lb auto has to cope with, point by point: what there is of each of four
// kinds, all at once where it has several.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace autojudge {

enum class Spot : std::uint8_t {
  none,      // all objects are alike
  constant,  // a hot spot that stays
  drift,     // one that wanders over the objects, once around in the run
  jump,      // one that is somewhere else every `every` points
};

struct Job {
  Spot spot = Spot::none;
  std::size_t every = 40;
  bool residue = false;  // one object has more than a PE's share: that cannot be levelled
  bool noise = false;    // each object's load is a fifth more or less in each point
  bool anew = false;     // or anything from a quarter of it to seven
  std::size_t objects = 16, pes = 2, points = 1000;
  double point_s = 0.01;          // of a PE, on average
  std::uint64_t bytes = 100'000;  // of an object
  std::uint64_t seed = 1;         // of where spots jump to
  std::uint64_t noise_seed = 1;   // and of what is drawn anew
};

// The job of that name: parts of it with a + between them, as in "jump/60+residue+noise". Parts are even,
// constant, drift, jump/N, residue, noise, anew. Throws std::invalid_argument.
Job parse_job(const std::string& name);

// ns of each object in that point; the same whoever asks.
std::vector<std::int64_t> loads_at(const Job& job, std::size_t point);

}  // namespace autojudge
