// SPDX-License-Identifier: Apache-2.0
// What an assignment is worth: balance, movement, communication.
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

/// finish[p] of each PE (see snapshot.hpp), in seconds.
std::vector<double> finish_times(const Snapshot& snapshot, std::span<const PeIndex> pe_of);
/// The finish times of a decision that puts parts of objects on other PEs.
std::vector<double> finish_times(const Snapshot& snapshot, const Decision& decision);
double largest_finish(const Snapshot& snapshot, std::span<const PeIndex> pe_of);

/// The finish time of all PEs if the work could be divided at will: the mean of the finish times, each
/// weighted by its PE's speed. It does not depend on the assignment, and is the plain mean where all speeds
/// are equal.
double perfect_finish(const Snapshot& snapshot);
/// The perfect finish time, from the finish times of any placement.
double perfect_finish(const Pes& pes, std::span<const double> finish);

/// Equation 1: (max / mean - 1) * 100; 0 for perfect balance, also when all are zero.
double percent_imbalance(std::span<const double> loads);
/// The imbalance of finish times, percent; `perfect` is perfect_finish().
double percent_imbalance(std::span<const double> finish, double perfect);
double percent_imbalance(const Snapshot& snapshot, std::span<const PeIndex> pe_of);

/// Equation 2: square root of the mean squared deviation (divided by n).
double standard_deviation(std::span<const double> loads);
/// Equation 3: third central moment over the cube of the standard deviation; positive when few PEs carry
/// much. 0 if all are equal.
double skewness(std::span<const double> loads);
/// Equation 4: fourth central moment over the squared variance, minus 3 (a normal distribution has 0). 0 if
/// all are equal.
double kurtosis(std::span<const double> loads);

/// How good a model of loads is, against what was measured: both compare element by element and throw
/// std::invalid_argument when the lengths differ.
///
/// Spearman's coefficient: the correlation of the ranks, equal values sharing the mean of their ranks. 1 when
/// the model orders the elements as the measurement does, -1 when the other way round. 0 where no order is to
/// be found: fewer than two elements, or all of one side equal.
double rank_correlation(std::span<const double> model, std::span<const double> measured);
/// The root of the mean squared difference; 0 of nothing. Bring both to one unit first, by dividing each by
/// its mean if need be.
double rmse(std::span<const double> model, std::span<const double> measured);

/// How well PEs were used over a run: Z. Lan, V. E. Taylor, G. Bryan, "A novel dynamic load balancing scheme
/// for parallel systems", Journal of Parallel and Distributed Computing 62 (2002). Each is a mean over all
/// steps of the run in which there was load, and says little of a single one; without any, the PEs count as
/// balanced. The second is the root of
///   sum over PEs i of ((max - L_i) / L_i - (max - L_i) / mean)^2 / (P - 1)
/// with their loads L_i, their number P, and the largest and mean load. Printed is "MaxLoad(i)" in the place
/// of L_i in both numerators; by its definition that would be the largest load of another step. A PE without
/// load, for which the term is infinite, has none: their values of it stay below 0.035 where up to a quarter
/// of the PEs is idle, and the third metric counts them.
struct Utilisation {
  double imbalance_ratio = 1;    // largest load / mean load, equation 1
  double average_deviation = 0;  // avg_std, equation 2
  double idle_percentage = 0;    // PEs without load, equation 3
};
/// steps[s][p]: the load of PE p in step s.
Utilisation utilisation(std::span<const std::vector<double>> steps);

/// held_bytes[p]: the bytes of the objects on PE p.
std::vector<std::uint64_t> held_bytes(const Snapshot& snapshot, std::span<const PeIndex> pe_of);

struct Movement {
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  /// The most that any PE gets from, and gives to, the others.
  std::uint64_t max_in_objects = 0;
  std::uint64_t max_out_objects = 0;
  std::uint64_t max_in_bytes = 0;
  std::uint64_t max_out_bytes = 0;
};
/// What it takes to get from the snapshot's placement to `pe_of`, and to split these parts off; one that goes
/// to another PE counts as an object.
Movement movement(const Snapshot& snapshot, std::span<const PeIndex> pe_of,
                  std::span<const Split> splits = {});

struct Communication {
  double local_bytes = 0;       // between objects of one PE, an object's messages to itself included
  double remote_bytes = 0;      // between PEs: the edge cut, by weight
  std::uint64_t cut_edges = 0;  // rows' entries between PEs: the edge cut, by number
  double max_in_bytes = 0;      // the most that any PE receives from the others
  double max_out_bytes = 0;

  /// remote / local: infinite when all traffic is remote, 0 when there is none.
  double remote_to_local() const;
};
/// All zero without a graph.
Communication communication(const Snapshot& snapshot, std::span<const PeIndex> pe_of);

struct Connectivity {
  double cut_bytes = 0;              // bytes of each hyperedge times (PEs that it reaches - 1), summed
  std::uint64_t cut_hyperedges = 0;  // those that reach more than one PE
};
/// All zero where no hyperedges were told.
Connectivity connectivity(const Snapshot& snapshot, std::span<const PeIndex> pe_of);

}  // namespace skein::lb
