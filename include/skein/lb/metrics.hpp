// SPDX-License-Identifier: Apache-2.0
// Metrics of an assignment: balance, movement, communication.
//
// Balance follows O. Pearce, T. Gamblin, B. R. de Supinski, M. Schulz, N. M. Amato, "Quantifying the
// effectiveness of load balance algorithms", ICS 2012, equations 1 to 4. Functions of a snapshot and an
// assignment expect a valid snapshot and one existing PE for each object.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// Returns finish[p] of each PE (see snapshot.hpp), in seconds.
std::vector<double> finish_times(const Snapshot& snapshot, std::span<const PeIndex> pe_of);
/// Returns the finish times under a decision that may put parts of objects on other PEs.
std::vector<double> finish_times(const Snapshot& snapshot, const Decision& decision);
double largest_finish(const Snapshot& snapshot, std::span<const PeIndex> pe_of);

/// Returns the finish time of all PEs if the work were divisible: the mean of the finish times, each weighted
/// by its PE's speed. It does not depend on the assignment, and is the plain mean if all speeds are equal.
double perfect_finish(const Snapshot& snapshot);
/// Returns the perfect finish time, computed from the finish times of any placement.
double perfect_finish(const Pes& pes, std::span<const double> finish);

/// Equation 1: returns (max / mean - 1) * 100; 0 for perfect balance, also if all loads are zero.
double percent_imbalance(std::span<const double> loads);
/// Returns the imbalance of finish times, percent; `perfect` is perfect_finish().
double percent_imbalance(std::span<const double> finish, double perfect);
double percent_imbalance(const Snapshot& snapshot, std::span<const PeIndex> pe_of);

/// Equation 2: returns the square root of the mean squared deviation (divided by n).
double standard_deviation(std::span<const double> loads);
/// Equation 3: returns the third central moment over the cube of the standard deviation; positive if few PEs
/// carry much, 0 if all loads are equal.
double skewness(std::span<const double> loads);
/// Equation 4: returns the fourth central moment over the squared variance, minus 3 (a normal distribution
/// has 0). 0 if all loads are equal.
double kurtosis(std::span<const double> loads);

/// Two measures of a load model against measurements: both compare element by element and throw
/// std::invalid_argument if the lengths differ.
///
/// Returns Spearman's coefficient: the correlation of the ranks, equal values sharing the mean of their
/// ranks. It is 1 if the model orders the elements as the measurement does, -1 for the opposite order, and 0
/// if there is no order: fewer than two elements, or all elements of one side equal.
double rank_correlation(std::span<const double> model, std::span<const double> measured);
/// Returns the root of the mean squared difference; 0 for empty input. Bring both to one unit first, for
/// instance by dividing each by its mean.
double rmse(std::span<const double> model, std::span<const double> measured);

/// The utilisation of PEs over a run: Z. Lan, V. E. Taylor, G. Bryan, "A novel dynamic load balancing scheme
/// for parallel systems", Journal of Parallel and Distributed Computing 62 (2002). Each metric is a mean over
/// all steps of the run with load, and says little of a single step; without such steps the PEs count as
/// balanced. The second metric is the root of
///   sum over PEs i of ((max - L_i) / L_i - (max - L_i) / mean)^2 / (P - 1)
/// with loads L_i of the P PEs, and the largest and mean load. The paper prints "MaxLoad(i)" in place of L_i
/// in both numerators; by its definition that would be the largest load of another step. A PE without load,
/// whose term is infinite, is left out: the paper's values stay below 0.035 with up to a quarter of the PEs
/// idle, and the third metric counts idle PEs.
struct Utilisation {
  double imbalance_ratio = 1;    // largest load / mean load, equation 1
  double average_deviation = 0;  // avg_std, equation 2
  double idle_percentage = 0;    // PEs without load, equation 3
};
/// Returns the metrics of a run. steps[s][p]: the load of PE p in step s.
Utilisation utilisation(std::span<const std::vector<double>> steps);

/// Returns by PE the bytes of the objects on it and of the shared blocks that these objects read.
std::vector<std::uint64_t> held_bytes(const Snapshot& snapshot, std::span<const PeIndex> pe_of);

/// Returns the bytes of shared blocks on PEs that are not their home; a block counts once for each such PE.
double away_bytes(const Snapshot& snapshot, std::span<const PeIndex> pe_of);

struct Movement {
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  /// The most that any single PE receives from, and sends to, the others.
  std::uint64_t max_in_objects = 0;
  std::uint64_t max_out_objects = 0;
  std::uint64_t max_in_bytes = 0;
  std::uint64_t max_out_bytes = 0;
};
/// Returns the movement from the snapshot's placement to `pe_of` and to the split-off parts; a part that goes
/// to another PE counts as an object.
Movement movement(const Snapshot& snapshot, std::span<const PeIndex> pe_of,
                  std::span<const Split> splits = {});

struct Communication {
  double local_bytes = 0;       // between objects of one PE, and from an object to itself
  double remote_bytes = 0;      // between PEs: the edge cut, by weight
  std::uint64_t cut_edges = 0;  // graph edges between PEs: the edge cut, by number
  double max_in_bytes = 0;      // the most that any single PE receives from the others
  double max_out_bytes = 0;

  /// Returns remote / local: infinite if all traffic is remote, 0 if there is none.
  double remote_to_local() const;
};
/// Returns the communication under `pe_of`; all zero without a graph.
Communication communication(const Snapshot& snapshot, std::span<const PeIndex> pe_of);

struct Connectivity {
  double cut_bytes = 0;              // sum over hyperedges of bytes * (PEs reached - 1)
  std::uint64_t cut_hyperedges = 0;  // hyperedges that reach more than one PE
};
/// Returns the connectivity under `pe_of`; all zero without hyperedges.
Connectivity connectivity(const Snapshot& snapshot, std::span<const PeIndex> pe_of);

}  // namespace skein::lb
