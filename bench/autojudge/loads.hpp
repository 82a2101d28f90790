// SPDX-License-Identifier: Apache-2.0
// Loads that change, point by point, in ways that --lb auto has to cope with. There are four kinds; a job
// that has several has them at the same time.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace autojudge {

enum class Spot : std::uint8_t {
  none,      // all objects are alike
  constant,  // a hot spot that stays
  drift,     // a hot spot that wanders over the objects, once around in the run
  jump,      // a hot spot that jumps every `every` points
};

struct Job {
  Spot spot = Spot::none;
  std::size_t every = 40;
  bool residue = false;  // one object has more than a PE's share, which cannot be levelled
  bool noise = false;    // each object's load varies by a fifth from point to point
  bool anew = false;  // each object's load is drawn anew in each point, from a quarter of it to seven times
  std::size_t objects = 16, pes = 2, points = 1000;
  double point_s = 0.01;          // mean time of a point on a PE
  std::uint64_t bytes = 100'000;  // size of an object
  std::uint64_t seed = 1;         // for the places of spots
  std::uint64_t noise_seed = 1;   // for noise and loads drawn anew
};

// Returns the job of that name: its parts with a + between them, as in "jump/60+residue+noise". Parts are
// even, constant, drift, jump/N, residue, noise, anew. Throws std::invalid_argument.
Job parse_job(const std::string& name);

// Returns the load of each object in that point, ns; equal on all callers.
std::vector<std::int64_t> loads_at(const Job& job, std::size_t point);

}  // namespace autojudge
