// SPDX-License-Identifier: Apache-2.0
// The keys that the strategies on partitioning libraries share.
#pragma once
#include <optional>

#include "lb/libraries/problem.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::lb {

inline constexpr Key kLibraryTolerance = real_key(
    "tolerance", "1.05", 1.001, 10, "largest finish time to aim at, as a multiple of the perfect one");

inline constexpr Key kScotchFlavour =
    choice_key("flavour", "auto", "auto|quality|balance|speed|recursive",
               "Scotch's method; auto: balance, or recursive bisection where PEs are many or objects few");

inline constexpr Key kZoltanApproach = choice_key("approach", "partition", "partition|repartition",
                                                  "afresh, or with regard to where objects are");
inline constexpr Key kZoltanMigration =
    real_key("migration", "1", 0, 1e6,
             "repartition: what moving an object of mean size costs, in multiples of the heaviest edge");
// For make_partition_problem().
inline std::optional<double> zoltan_migration(const Options& options) {
  if (options.choice("approach") != "repartition") return std::nullopt;
  return options.real("migration");
}

// auto: k parts at once is best where parts have many vertices. With a handful of vertices each, recursive
// bisection cuts less (ratio 1.03 against 1.06, 8 objects on each of 8,192 PEs) and is 80 times as fast,
// since the time of the other grows with the square of the parts.
inline Flavour scotch_flavour(const Options& options, std::size_t parts, std::size_t vertices) {
  constexpr std::size_t kManyParts = 2048, kFewVertices = 16;
  const std::string& flavour = options.choice("flavour");
  if (flavour == "quality") return Flavour::quality;
  if (flavour == "balance") return Flavour::balance;
  if (flavour == "speed") return Flavour::speed;
  const bool few = parts > kManyParts || vertices < kFewVertices * parts;
  return flavour == "recursive" || few ? Flavour::recursive : Flavour::balance;
}
inline Flavour scotch_flavour(const Options& options, const PartitionProblem& problem) {
  return scotch_flavour(options, problem.pe_of.size(), problem.object_of.size());
}

}  // namespace skein::lb
