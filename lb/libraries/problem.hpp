// SPDX-License-Identifier: Apache-2.0
// Makes a snapshot a partitioning problem, and the solution an assignment.
//
// Parts are the PEs that should get movable load, with movable_portions() as their weights, which include
// background load, pinned objects and speeds. Vertices are the movable objects, and on request the pinned
// ones as fixed vertices without weight, which draw their partners to them. With fewer movable objects than
// such PEs, only the PEs of the largest portions take part; of equal ones those that have movable objects,
// which then need not leave.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "lb/libraries/partitioner.hpp"
#include "skein/lb/snapshot.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::lb {

enum class Pinned : std::uint8_t { left_out, as_fixed_vertices };

struct PartitionProblem {
  std::vector<ObjectIndex> object_of;    // by vertex
  std::vector<PeIndex> pe_of;            // by part, rising
  std::vector<std::int32_t> part_of_pe;  // -1: not a part
  std::vector<std::int32_t> first, neighbour, edge_weight, vertex_weight, part_weight, fixed;
  std::vector<std::int32_t> first_pin, pin;       // a hypergraph that replaces first and neighbour
  std::vector<std::int32_t> old_part, move_cost;  // empty for a fresh partition
  std::vector<std::array<float, 3>> position;     // empty, or by vertex
  std::vector<std::int32_t> first_of_process;     // for processes that partition together

  /// Returns the request with spans into this problem. The caller or solve() sets the tolerance.
  PartitionRequest request(std::uint64_t seed, Flavour flavour = Flavour::standard) const;
};

/// Makes the problem. `migration`: to repartition, where moving an object of mean size costs this many times
/// the heaviest edge, and others in proportion to their bytes; without a value: a fresh partition. Throws
/// StrategyError if there are more objects or edges than partitioners can count.
PartitionProblem make_partition_problem(const Snapshot& snapshot, Pinned pinned,
                                        std::optional<double> migration = std::nullopt);

/// Makes a problem with hyperedges instead of the graph, and with pinned objects as fixed vertices. It has
/// the hyperedges that join at least two vertices, weighted by their bytes.
PartitionProblem make_partition_problem(const Snapshot& snapshot, const Hypergraph& hypergraph,
                                        std::optional<double> migration = std::nullopt);

/// Chooses the parts: PEs with portions, at most `movable`, the number of movable objects. `gives`: by PE,
/// whether it has one.
void choose_parts(PartitionProblem& problem, const std::vector<double>& portions, std::size_t movable,
                  const std::vector<bool>& gives);

/// The sum of the weights of a kind: partitioners add them up in 32 bits, and some double the sums.
inline constexpr double kWeightSum = 1 << 28;
/// The largest sum of weights of edges (which are in two rows and are cut once) and moves together.
inline constexpr double kEdgeAndMoveSum = 1 << 29;
/// Returns `value` rounded to a whole number of at least `least`.
std::int32_t weight_of(double value, double least = 1);
/// Returns the cost of moving an object of `bytes`, where one of mean size costs 1; 1 without known sizes.
double relative_size(std::uint64_t bytes, double mean);

/// Calls the library, which reads and writes numbers as in the C locale. Throws std::runtime_error if it
/// fails.
std::vector<std::int32_t> partition(Trait library, const PartitionRequest& request);

/// Throws StrategyError if `count` weights of at least 1 may exceed a 32-bit sum. `what` is counted, as in
/// "edges".
void require_countable(std::uint64_t count, const char* what);

/// Solves the request, within `tolerance`, with the library of that trait, and places the movable objects
/// accordingly. Load above `tolerance` (a multiple of the perfect finish time) is then levelled, because
/// partitioners keep a tolerance for many vertices on average, but fail where few heavy ones meet. PEs above
/// it give away the objects that are least tied to them (refine-comm without its sweeps), and if that was not
/// enough, as few as suffice (refine). Throws std::runtime_error if the library fails.
Assignment solve(Trait library, const Snapshot& snapshot, const PartitionProblem& problem,
                 PartitionRequest request, double tolerance);

/// The keys that the strategies on partitioning libraries share.
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
/// Returns the `migration` of make_partition_problem().
inline std::optional<double> zoltan_migration(const Options& options) {
  if (options.choice("approach") != "repartition") return std::nullopt;
  return options.real("migration");
}

/// Returns the flavour of a strategy on Scotch. auto means k parts at once, whose imbalance reduction moves
/// heavy vertices that recursive bisection leaves in overfull parts. With 4 to 8 objects a PE it keeps the
/// tolerance (5.0 %, where bisection ends at 7 to 24 % in spite of the levelling after it) for some 6 % more
/// traffic; steps are from 2 % slower to 13 % faster (bench/papers/bhatele.py). Its time grows with the
/// square of the parts: for 8,192 it takes 80 times as long.
inline Flavour scotch_flavour(const Options& options, const PartitionProblem& problem) {
  constexpr std::size_t kManyParts = 2048;
  const std::string& flavour = options.choice("flavour");
  if (flavour == "quality") return Flavour::quality;
  if (flavour == "balance") return Flavour::balance;
  if (flavour == "speed") return Flavour::speed;
  return flavour == "recursive" || problem.pe_of.size() > kManyParts ? Flavour::recursive : Flavour::balance;
}

}  // namespace skein::lb
