// SPDX-License-Identifier: Apache-2.0
// What LB steps of a job tell the resource model (resources.hpp). Pure.
//
//   f       a step of the application is what all PEs computed from one sync point to the next, divided by
//           the PEs: by runs on several numbers of PEs how it falls with these, by one as 1 / n
//   g       what the strategy took; of those that several PEs decided together, by how many these were
//   h       not known of steps, and zero: what meeting and gathering take is about the same in all modes
//   alpha   see below, and alpha'
//   i       by which part of it imbalance grew from behind one LB step to the next, a sync point
//   t       sync points from one LB step to the next
//   r       what moving took
//   loads   of the objects, as the last step that told them did
//   length  how long a step of the application was, but for those before the first LB step
//
// alpha - 1 is the loss of a step that is made by the decision before in place of the one that is to come.
// Had the last LB step moved nothing, the fullest PE would have computed for longer: by so much the steps
// behind it would have been longer by a decision that is one interval older. Imbalance itself says less: it
// has in it what no decision can mend, since loads vary from step to step, or objects cannot be divided, and
// that is there in all modes. So it is with the third LB step of a run, and later: before the first one there
// was no decision, so that what the second one shows is the loss of none at all. Of two alone that is taken,
// and of one alone the imbalance that it found.
//
// alpha' - 1 is the loss of a step if no decision comes at all: what the fullest PE would have computed for
// longer had nothing ever moved.
#pragma once
#include <vector>

#include "bench/lazy/resources.hpp"

namespace bench_lazy {

// Several runs of a job may be put together. What was lost or grew is of each on its own; the loads are those
// of the last.

/// An LB step and the interval that it ends.
struct ResourceStep {
  double points = 1;                             // sync points in the interval
  double mean_s = 0;                             // what PEs computed, on average
  double deciding = 1;                           // PEs that decided together; 1 where each decides alone
  double decide_s = 0;                           // what the strategy took
  double move_s = 0;                             // what moving took
  double before_percent = 0, after_percent = 0;  // imbalance as it was measured, and as it was to become
  double length_s = 0;                           // from behind the last LB step; 0: not known
  double fullest_s = 0;                    // what the fullest PE computed; 0: not known, nor the next two
  double unmoved_s = 0, unbalanced_s = 0;  // the same had the last LB step moved nothing; had none
  std::vector<double> loads = {};          // of the objects, in any unit; empty: not known
};

class ResourceSteps {
 public:
  /// What is added from here on is of another run.
  void begin_run() {
    run_steps_ = 0;
    undecided_.clear();
  }
  /// In the order of time. Steps in which nothing was computed or decided say nothing and are left out.
  void add(double processes, const ResourceStep& step);

  bool empty() const { return steps_ == 0; }
  const ResourceSamples& samples() const { return samples_; }
  /// The question for so many processes. Precondition: there are steps.
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
