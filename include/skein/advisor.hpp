// SPDX-License-Identifier: Apache-2.0
// Advice on load balance for MPI programs that keep their own decomposition and move their own work, under
// any mpirun: no virtual ranks, no launcher. docs/advisor.md shows it end to end; advisor.h is the interface
// for C.
//
// Algorithm 1 of O. Pearce, T. Gamblin, B. R. de Supinski, M. Schulz, N. M. Amato, "Quantifying the
// effectiveness of load balance algorithms", ICS 2012: the program gives its elements weights by its own
// model; the advisor measures what a step took, couples the two (each element gets its share, by weight, of
// what its process measured), and decides with the model of skein/lb/model.hpp.
//
// Under libskein_mpmd.so (SKEIN_MPMD, docs/advisor.md) processes that the program does not see decide, and
// nothing is gathered on the program's own processes.
//
// Functions marked collective are called by all processes of the communicator, in the same order. They throw
// std::invalid_argument for wrong arguments, on all processes alike, and leave the advisor usable.
#pragma once
#include <mpi.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace skein {

struct AdvisorElement {
  std::uint64_t id = 0;     // unique in the whole program
  double weight = 1;        // work by the program's own model, in any unit; at least 0
  std::uint64_t bytes = 0;  // transferred when the element moves
};

/// Element `from` sends `bytes` to element `to` in a step. The process that has `from` gives the edge.
struct AdvisorEdge {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  double bytes = 0;
};

/// Elements that interact, and the bytes that every process needs in a step which has one of them: what edges
/// between two elements cannot express (hyperedges of skein/lb/snapshot.hpp). Any one process gives it.
struct AdvisorInteraction {
  std::vector<std::uint64_t> elements;  // by id, none twice
  double bytes = 0;
};

/// Moments of the distribution of loads over processes: Pearce et al., equations 1 to 4.
struct LoadMoments {
  double imbalance_percent = 0;
  double standard_deviation = 0;  // of loads divided by their mean
  double skewness = 0;
  double kurtosis = 0;
};

/// The quality of the program's model: its weights against the measurement, per process, both divided by
/// their mean.
struct ModelQuality {
  LoadMoments modelled, measured;
  double rank_correlation = 0;  // 1: the model orders the processes as the measurement does
  double rmse = 0;              // Pearce et al., equation 13
};

/// The changes between a question and a decision that came late (skein/lb/late.hpp).
struct AdviceDrift {
  double work_percent = 0;           // growth of the work of a step
  double changed_percent = 0;        // share of common elements whose load changed by above 5 %
  double change_percent = 0;         // change of the loads of these elements, in total
  double imbalance_percent = 0;      // of the decision, by the present loads
  std::uint64_t gone = 0, come = 0;  // elements
};

struct Advice {
  bool balance = false;
  std::string strategy;                // "none" where it is better not to balance
  double gain_s = 0;                   // expected over the horizon, all costs deducted
  double imbalance_percent = 0;        // measured
  double imbalance_after_percent = 0;  // expected
  std::vector<int> process;            // the new process of each element of this process, in the order given
  ModelQuality model;
  std::string table;  // all choices with their predicted costs, one a line

  /// Set where other processes decide while the program continues (SKEIN_MPMD=lazy).
  bool awaited = false;          // asked, but not answered yet: all other members are meaningless
  std::uint64_t calls_late = 0;  // this answers the question of so many calls of advise() ago
  bool dropped = false;          // the decision was worse than staying by now
  AdviceDrift drift;             // of a late decision to balance
};

struct AdvisorOptions {
  double horizon_steps = 0;  // the steps for which balance is expected to matter; 0: as many as were measured
  std::uint64_t seed = 1;
  /// The strategy that is asked, NAME[:key=value,...], and advised where it gains. Empty: the model's choice.
  /// All processes give an equal one.
  std::string strategy = {};
};

class Advisor {
 public:
  /// Collective. Measures the cost of messages on this machine, in a few milliseconds. Duplicates `comm`.
  /// Throws std::invalid_argument for a strategy that does not exist, or cannot be used here.
  explicit Advisor(MPI_Comm comm, const AdvisorOptions& options = {});
  /// Collective, to be called before MPI_Finalize. Waits for an outstanding answer.
  ~Advisor();
  Advisor(Advisor&&) noexcept;
  Advisor& operator=(Advisor&&) noexcept;

  /// Begin and end the work that this process does in a step, without its waiting for others. Several pairs
  /// add up. Local.
  void begin_work();
  void end_work();
  /// Adds work that the program has measured itself, in seconds. Local.
  void add_work(double seconds);

  /// Gives interactions for the next call of advise() alone. Local; that call reports errors in them.
  void tell_interactions(std::span<const AdvisorInteraction> interactions);

  /// Asks for advice, after one or more steps since the last call. Collective. `positions`: empty on all
  /// processes, or one for each element. With SKEIN_MPMD=lazy the answer may be that to an earlier call,
  /// applied to the present elements, at the same call on all processes; errors in the arguments of an
  /// earlier call are thrown then.
  Advice advise(std::span<const AdvisorElement> elements, std::span<const AdvisorEdge> edges = {},
                std::span<const std::array<float, 3>> positions = {}, std::uint64_t steps = 1);

  /// Reports how long this process took to do what was advised, in seconds. Improves later advice; optional.
  /// Collective.
  void moved(double seconds);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skein
