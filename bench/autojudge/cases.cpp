// SPDX-License-Identifier: Apache-2.0
#include "bench/autojudge/cases.hpp"

#include <algorithm>
#include <cstdio>

namespace autojudge {

using skein::simulate::Platform;

namespace {

constexpr const char* kKnown[] = {"even",
                                  "constant",
                                  "drift",
                                  "jump/10",
                                  "jump/60",
                                  "jump/300",
                                  "anew",
                                  "constant+noise",
                                  "residue",
                                  "residue+noise",
                                  "drift+noise",
                                  "jump/60+noise",
                                  "jump/60+residue",
                                  "drift+residue+noise"};
constexpr const char* kHeldOut[] = {"noise",      "jump/25",          "jump/120+noise",       "constant+anew",
                                    "drift+anew", "constant+residue", "jump/40+residue+noise"};

}  // namespace

Platform one_node(std::size_t pes) {
  Platform platform;
  platform.name = "one node";
  platform.pes_per_node = static_cast<std::uint32_t>(pes);
  platform.node.latency_ns = 500;
  platform.moves = {.meeting_ns = 8000, .collect_object_ns = 200, .object_ns = 15000, .node_byte_ns = 0.06};
  return platform;
}

std::string Case::name() const {
  char text[120];
  std::snprintf(text, sizeof text, "%s pes=%zu objects=%zu point=%gms seed=%llu", loads.c_str(), job.pes,
                job.objects, job.point_s * 1e3, static_cast<unsigned long long>(job.seed));
  return text;
}

std::vector<Case> cases_of(bool held_out, std::uint64_t seeds) {
  std::vector<Case> cases;
  const auto shapes = held_out ? std::vector<std::string>(std::begin(kHeldOut), std::end(kHeldOut))
                               : std::vector<std::string>(std::begin(kKnown), std::end(kKnown));
  for (const std::size_t pes : {2, 8, 64})
    for (const std::size_t per_pe : {4, 16})
      for (const double point_s : {0.0005, 0.01, 0.1})
        for (const std::string& loads : shapes) {
          Job job = parse_job(loads);
          job.pes = pes;
          job.objects = pes * per_pe;
          job.point_s = point_s;
          job.points = static_cast<std::size_t>(std::clamp(3 / point_s, 300.0, 1500.0));
          const bool chance = job.spot == Spot::jump || job.noise || job.anew;
          for (std::uint64_t seed = 1; seed <= (chance ? seeds : 1); ++seed) {
            job.seed = job.noise_seed = seed;
            cases.push_back({loads, job});
          }
        }
  return cases;
}

}  // namespace autojudge
