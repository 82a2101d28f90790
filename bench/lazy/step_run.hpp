// SPDX-License-Identifier: Apache-2.0
// A job that makes step after step, each ended by a sync point of all, played by the loads of its steps
// alone: no message is played, so that 65,536 PEs take seconds.
//
//   step      takes as long as the objects of the fullest PE
//   inline    at every K-th point all wait for exchange, decision, meeting and moves
//   decoupled the same, with other times for deciding and exchanging
//   lazy      at a K-th point the job asks, if no question is open; at the first point after the answer the
//             answer is applied: meeting and moves. It was made by the loads of the step of the asking
//
// All objects may move. An object that is cut off another one begins beside it; a late decision sends it
// where that one goes, and is dropped if the fullest PE would be done later than if nothing were moved (the
// rules of skein/lb/late.hpp for objects that know where they come from).
#pragma once
#include <cstdint>
#include <vector>

#include "bench/lazy/changing_load.hpp"
#include "bench/lazy/resource_steps.hpp"
#include "skein/lb/mode.hpp"
#include "skein/lb/snapshot.hpp"
#include "skein/lb/strategy.hpp"

namespace bench_lazy {

struct StepJob {
  skein::lb::Mode::Kind mode = skein::lb::Mode::Kind::inline_all;
  std::uint32_t computing = 1, deciding = 1;    // PEs
  std::uint64_t period = 1;                     // K
  std::uint64_t decisions = ~std::uint64_t{0};  // at most; after them the job asks no more
  double decide_s = 0;
  double exchange_s = 0;  // the question to the deciders, and the decision back
  double meeting_s = 0;
  double move_object_s = 0;  // on the PE that loses it, and on the one that gets it
};

class StepRun {
 public:
  // The strategy must outlive this object. At first each PE has as many neighbours in the list.
  StepRun(const StepJob& job, const skein::lb::Selection& strategy, const std::vector<Object>& objects);

  // Plays a step that takes these loads, in seconds, and the sync point behind it. `hypergraph`: for a
  // strategy that looks at one, of the objects by their places there; it need not outlive the call.
  void step(const std::vector<Object>& objects, const skein::lb::Hypergraph& hypergraph = {});

  const StepJob& job() const { return job_; }
  double seconds() const { return seconds_; }
  // Returns the seconds if deciding and exchanging had taken so long. For inline and decoupled, which make
  // the same steps by the same decisions.
  double seconds_with(double decide_s, double exchange_s) const {
    return seconds_ +
           static_cast<double>(applied_) * (decide_s - job_.decide_s + exchange_s - job_.exchange_s);
  }
  double loss_s() const { return loss_s_; }  // by how much steps were longer than balanced, within seconds()
  std::uint64_t applied() const { return applied_; }
  std::uint64_t dropped() const { return dropped_; }
  // The values of an inline run from which the resource model may learn.
  const ResourceSteps& learned() const { return learned_; }

 private:
  void admit(const std::vector<Object>& objects);
  std::vector<double> loads_of_pes(const std::vector<Object>& objects,
                                   const skein::lb::Assignment& pe_of) const;
  void decide(const std::vector<Object>& objects, const skein::lb::Hypergraph& hypergraph);
  void decide_at_once(const std::vector<Object>& objects, const skein::lb::Hypergraph& hypergraph);
  double move(const std::vector<Object>& objects);

  StepJob job_;
  const skein::lb::Selection& strategy_;
  skein::lb::Assignment first_;               // by id: where it, or what it was cut off, was at first
  skein::lb::Assignment pe_of_;               // by id
  skein::lb::Assignment was_;                 // by id: the same before the last decision
  skein::lb::Assignment decided_;             // by id; empty: nothing is asked
  std::vector<double> interval_;              // by PE: since the last decision
  std::vector<double> unmoved_, unbalanced_;  // the same, had that moved nothing; had none. Not of lazy
  double began_ = 0;                          // behind the last decision
  double seconds_ = 0, loss_s_ = 0, answer_at_ = 0;
  std::uint64_t points_ = 0, asked_ = 0, applied_ = 0, dropped_ = 0;
  ResourceSteps learned_;
};

}  // namespace bench_lazy
