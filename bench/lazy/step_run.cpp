// SPDX-License-Identifier: Apache-2.0
#include "bench/lazy/step_run.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "skein/lb/metrics.hpp"

namespace bench_lazy {

using namespace skein;

StepRun::StepRun(const StepJob& job, const lb::Selection& strategy, const std::vector<Object>& objects)
    : job_(job),
      strategy_(strategy),
      interval_(job.computing, 0.0),
      unmoved_(job.computing, 0.0),
      unbalanced_(job.computing, 0.0) {
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (objects[i].id >= pe_of_.size()) pe_of_.resize(objects[i].id + 1);
    pe_of_[objects[i].id] = static_cast<lb::PeIndex>(i * job.computing / objects.size());
  }
  first_ = was_ = pe_of_;
}

void StepRun::step(const std::vector<Object>& objects, const lb::Hypergraph& hypergraph) {
  admit(objects);
  const std::vector<double> loads = loads_of_pes(objects, pe_of_);
  const double longest = std::ranges::max(loads);
  seconds_ += longest;
  loss_s_ += longest - std::accumulate(loads.begin(), loads.end(), 0.0) / job_.computing;
  for (std::size_t pe = 0; pe < loads.size(); ++pe) interval_[pe] += loads[pe];
  if (job_.mode != lb::Mode::Kind::lazy)
    for (const Object& object : objects) {
      unmoved_[was_[object.id]] += object.load;
      unbalanced_[first_[object.id]] += object.load;
    }
  ++points_;

  const bool asks = points_ % job_.period == 0 && asked_ < job_.decisions;
  if (job_.mode != lb::Mode::Kind::lazy) {
    if (asks) decide_at_once(objects, hypergraph);
    return;
  }
  if (!decided_.empty() && seconds_ >= answer_at_) seconds_ += job_.meeting_s + move(objects);
  if (asks && decided_.empty()) {
    decide(objects, hypergraph);
    answer_at_ = seconds_ + job_.exchange_s + job_.decide_s;
  }
}

// Places each new object beside the one that it was cut off; objects come in the order of ids.
void StepRun::admit(const std::vector<Object>& objects) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> come;  // id, from
  for (const Object& object : objects)
    if (object.id >= pe_of_.size()) come.emplace_back(object.id, object.from);
  std::ranges::sort(come);
  for (const auto& [id, from] : come) {
    pe_of_.resize(id + 1);
    pe_of_[id] = pe_of_[from];
    first_.resize(id + 1);
    first_[id] = first_[from];
    was_.resize(id + 1);
    was_[id] = was_[from];
    if (decided_.empty()) continue;
    decided_.resize(id + 1);
    decided_[id] = decided_[from];
  }
}

std::vector<double> StepRun::loads_of_pes(const std::vector<Object>& objects,
                                          const lb::Assignment& pe_of) const {
  std::vector<double> loads(job_.computing, 0.0);
  for (const Object& object : objects) loads[pe_of[object.id]] += object.load;
  return loads;
}

void StepRun::decide(const std::vector<Object>& objects, const lb::Hypergraph& hypergraph) {
  ++asked_;
  lb::Snapshot snapshot;
  snapshot.hypergraph = hypergraph;
  snapshot.pes = lb::uniform_pes(job_.computing);
  for (const Object& object : objects) {
    snapshot.add_object({.id = object.id, .pe = pe_of_[object.id], .load = object.load});
    snapshot.objects.position.push_back(object.place);
  }
  const lb::Assignment to = strategy_.assign(snapshot, 1);
  decided_ = pe_of_;
  for (std::size_t i = 0; i < objects.size(); ++i) decided_[objects[i].id] = to[i];
}

void StepRun::decide_at_once(const std::vector<Object>& objects, const lb::Hypergraph& hypergraph) {
  ResourceStep told{.points = static_cast<double>(job_.period),
                    .mean_s = std::accumulate(interval_.begin(), interval_.end(), 0.0) / job_.computing,
                    .deciding = static_cast<double>(job_.deciding),
                    .decide_s = job_.decide_s,
                    .before_percent = lb::percent_imbalance(interval_),
                    .length_s = seconds_ - began_,
                    .fullest_s = std::ranges::max(interval_),
                    .unmoved_s = std::ranges::max(unmoved_),
                    .unbalanced_s = std::ranges::max(unbalanced_)};
  was_ = pe_of_;
  decide(objects, hypergraph);
  told.move_s = job_.meeting_s + move(objects);
  seconds_ += job_.exchange_s + job_.decide_s + told.move_s;
  told.after_percent = lb::percent_imbalance(loads_of_pes(objects, pe_of_));
  learned_.add(job_.computing, told);
  std::ranges::fill(interval_, 0.0);
  std::ranges::fill(unmoved_, 0.0);
  std::ranges::fill(unbalanced_, 0.0);
  began_ = seconds_;
}

// Applies the decision, unless it is late and worse than staying; returns the time on the PE with most moves.
double StepRun::move(const std::vector<Object>& objects) {
  const lb::Assignment to = std::exchange(decided_, {});
  if (job_.mode == lb::Mode::Kind::lazy &&
      std::ranges::max(loads_of_pes(objects, to)) > std::ranges::max(loads_of_pes(objects, pe_of_))) {
    ++dropped_;
    return 0;
  }
  std::vector<std::uint64_t> moves(job_.computing, 0);
  for (const Object& object : objects) {
    if (pe_of_[object.id] == to[object.id]) continue;
    ++moves[pe_of_[object.id]];
    ++moves[to[object.id]];
  }
  pe_of_ = to;
  ++applied_;
  return job_.move_object_s * static_cast<double>(std::ranges::max(moves));
}

}  // namespace bench_lazy
