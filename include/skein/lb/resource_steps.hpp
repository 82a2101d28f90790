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
//
// alpha - 1 is the loss of a step that is made before a decision comes, against one that is made by it.
// Before the first decision nothing is balanced: it is the imbalance that the first step found. Later the
// decision before is still there, and what it has lost is what imbalance grew by from behind that step to the
// next: where loads stay as they are, nothing, however uneven they must lie. Of D steps, alpha is the mean of
// the first and D - 1 times the other.
//
// alpha' - 1 is the loss of a step if no decision comes at all: what imbalance would have been had nothing
// ever moved, less what it was, likewise the mean over D steps.
#pragma once
#include <vector>

#include "skein/lb/resources.hpp"

namespace skein::lb {

// Several runs of a job may be put together. What was lost or grew is of each on its own; the loads are those
// of the last.

// An LB step and the interval that it ends.
struct ResourceStep {
  double points = 1;                             // sync points in the interval
  double mean_s = 0;                             // what PEs computed, on average
  double deciding = 1;                           // PEs that decided together; 1 where each decides alone
  double decide_s = 0;                           // what the strategy took
  double move_s = 0;                             // what moving took
  double before_percent = 0, after_percent = 0;  // imbalance as it was measured, and as it was to become
  double unmoved_s = 0;            // what the fullest PE had computed had no object ever moved; 0: not known
  std::vector<double> loads = {};  // of the objects, in any unit; empty: not known
};

class ResourceSteps {
 public:
  // What is added from here on is of another run.
  void begin_run() { run_steps_ = 0; }
  // In the order of time. Steps in which nothing was computed or decided say nothing and are left out.
  void add(double processes, const ResourceStep& step);

  bool empty() const { return steps_ == 0; }
  const ResourceSamples& samples() const { return samples_; }
  // Of so many processes; there must be steps.
  ResourceQuestion question(double processes) const;

 private:
  ResourceSamples samples_;
  double steps_ = 0, points_ = 0, moving_s_ = 0;
  double runs_ = 0, run_steps_ = 0;   // run_steps_: of the present one
  double first_loss_ = 0, loss_ = 0;  // sums over the first steps of runs; over the others
  double undecided_loss_ = 0;         // sum over all
  double growth_ = 0, after_ = 1;     // sum over the steps but the first; of the last one, 1 + imbalance
  std::vector<double> loads_;
};

}  // namespace skein::lb
