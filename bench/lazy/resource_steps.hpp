// SPDX-License-Identifier: Apache-2.0
// The resource model's values (resources.hpp) from the LB steps of a job. Pure.
//
//   f       a step of the application: the computing of all PEs from one sync point to the next, divided by
//           the PEs; from runs on several numbers of PEs how it falls with these, from one run as 1 / n
//   g       the time of the strategy; if several PEs decided together, by their number
//   h       not known from steps, and zero: meeting and gathering take about the same in all modes
//   alpha   see below, and alpha'
//   i       by which part of it imbalance grew from behind one LB step to the next, a sync point
//   t       sync points from one LB step to the next
//   r       the time of moving
//   loads   of the objects, from the last step that reported them
//   length  the length of a step of the application, without those before the first LB step
//
// alpha - 1 is the loss of a step that uses the decision before the one that is to come. Had the last LB step
// moved nothing, the fullest PE would have computed for longer: by so much a decision that is one interval
// older would have lengthened the steps behind it. Imbalance itself says less: it includes what no decision
// can mend, since loads vary from step to step, or objects cannot be divided, and that is there in all modes.
// This holds from the third LB step of a run on: before the first one there was no decision, so the second
// one shows the loss of having none at all. With two steps only that loss is taken, and with one step the
// imbalance that it found.
//
// alpha' - 1 is the loss of a step if no decision comes at all: by how much longer the fullest PE would have
// computed if nothing had ever moved.
#pragma once
#include <vector>

#include "bench/lazy/resources.hpp"

namespace bench_lazy {

// Several runs of a job may be put together. Losses and growth belong to each run; the loads are those of the
// last.

/// An LB step and the interval that it ends.
struct ResourceStep {
  double points = 1;                             // sync points in the interval
  double mean_s = 0;                             // computing of the PEs, on average
  double deciding = 1;                           // PEs that decided together; 1 if each decides alone
  double decide_s = 0;                           // time of the strategy
  double move_s = 0;                             // time of moving
  double before_percent = 0, after_percent = 0;  // measured imbalance, and the one that the step was to leave
  double length_s = 0;                           // from behind the last LB step; 0: not known
  double fullest_s = 0;                    // computing of the fullest PE; 0: not known, nor the next two
  double unmoved_s = 0, unbalanced_s = 0;  // the same if the last LB step had moved nothing; if none had
  std::vector<double> loads = {};          // of the objects, in any unit; empty: not known
};

class ResourceSteps {
 public:
  /// Begins another run: later steps belong to it.
  void begin_run() {
    run_steps_ = 0;
    undecided_.clear();
  }
  /// Adds steps in the order of time. Steps in which nothing was computed or decided are ignored.
  void add(double processes, const ResourceStep& step);

  bool empty() const { return steps_ == 0; }
  const ResourceSamples& samples() const { return samples_; }
  /// Returns the question for `processes`. Precondition: there are steps.
  ResourceQuestion question(double processes) const;

 private:
  ResourceSamples samples_;
  double steps_ = 0, points_ = 0, moving_s_ = 0;
  double runs_ = 0, run_steps_ = 0;  // run_steps_: of the present one
  struct Mean {
    double sum = 0, count = 0;
    void add(double value) { sum += value, ++count; }
    double value() const { return count > 0 ? sum / count : 0; }
  };
  Mean first_loss_, second_loss_, loss_;  // of the first steps of runs, the second ones, the others
  double undecided_loss_ = 0;             // sum over all
  std::vector<double> undecided_;         // by interval of the present run
  double length_s_ = 0, length_points_ = 0, length_on_ = 1;  // sums over the others; on so many processes
  double growth_ = 0, after_ = 1;  // sum over the steps but the first; of the last one, 1 + imbalance
  std::vector<double> loads_;
};

}  // namespace bench_lazy
