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
               "Scotch's method; auto: balance, or recursive bisection beyond 2048 PEs");

inline constexpr Key kZoltanApproach = choice_key("approach", "partition", "partition|repartition",
                                                  "afresh, or with regard to where objects are");
inline constexpr Key kZoltanMigration =
    real_key("migration", "1", 0, 1e6,
             "repartition: what moving an object of mean size costs, in multiples of the heaviest edge");
/// For make_partition_problem().
inline std::optional<double> zoltan_migration(const Options& options) {
  if (options.choice("approach") != "repartition") return std::nullopt;
  return options.real("migration");
}

/// auto: k parts at once, whose imbalance reduction moves heavy vertices that recursive bisection leaves
/// where they are too many. With 4 to 8 objects a PE it keeps to the tolerance (5.0 %, where bisection ends
/// at 7 to 24 % in spite of the levelling after it) for some 6 % more traffic; steps are from 2 % slower to
/// 13 % faster (bench/papers/bhatele.py). Its time grows with the square of the parts: at 8,192 it takes 80
/// times as long.
inline Flavour scotch_flavour(const Options& options, std::size_t parts) {
  constexpr std::size_t kManyParts = 2048;
  const std::string& flavour = options.choice("flavour");
  if (flavour == "quality") return Flavour::quality;
  if (flavour == "balance") return Flavour::balance;
  if (flavour == "speed") return Flavour::speed;
  return flavour == "recursive" || parts > kManyParts ? Flavour::recursive : Flavour::balance;
}
inline Flavour scotch_flavour(const Options& options, const PartitionProblem& problem) {
  return scotch_flavour(options, problem.pe_of.size());
}

}  // namespace skein::lb
