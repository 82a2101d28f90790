// SPDX-License-Identifier: Apache-2.0
// The deciding side of lazy balancing in a simulated job, as in runtime/balance/lazy/decider.cpp. Reserved
// are the PEs behind those that compute; the first one leads: it has the coordinator (skein/lb/lazy.hpp),
// begins to decide, and tells members what comes of it. Each of the others passes on what its members say,
// and decides when it is told to. They answer meanwhile.
//
// A decision is there as long after the last of them has begun as the platform says that they take. In a run
// the leading one cannot be done before: the strategy's exchanges keep it. The first of these, by which it
// gets to know when that was, is played as a message back from each.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "lb/simulate/balancer.hpp"
#include "lb/simulate/lazy_messages.hpp"
#include "skein/lb/lazy.hpp"

namespace skein::simulate {

class LazyDeciders {
 public:
  using Point = lb::lazy::Point;

  /// `task`: of the leading PE.
  LazyDeciders(const Policy& policy, Balancer& balancer, TaskId task);

  /// Who hears what this member says (runtime/balance/roles.hpp).
  PeIndex of(PeIndex member) const {
    return leader_ + static_cast<PeIndex>(std::uint64_t{member} * deciders_ / leader_);
  }
  bool decides(PeIndex pe) const { return pe >= leader_; }

  /// What all members told of one sync point.
  struct Told {
    std::vector<Measured> objects;
    std::vector<lb::CommEdge> edges;
  };
  Told& told(Point point) { return told_[point]; }

  /// The member has no objects, from the job's so manieth application on.
  void dry(PeIndex member, std::uint64_t applications) { coordinator_.dry(member, applications); }
  void take(Machine& machine, PeIndex pe, const LazyMessage& message);
  void wake(Machine& machine);
  /// All objects have ended, the last one then: nothing more is begun.
  void end_job(Ns at) { job_over_ = at; }

  Point agreed_stop() const { return coordinator_.agreed_stop(); }
  Point asked_at() const { return coordinator_.about(); }
  void applied() { coordinator_.applied(); }

  std::uint64_t decisions() const { return decisions_; }
  /// Until when the end of the job waits for what is decided: what is inside MPI cannot be left.
  Ns last_end() const { return calls_mpi_ ? decided_at_ : 0; }

 private:
  using Kind = LazyMessage::Kind;

  void hear(Machine& machine, const LazyMessage& message);
  void hear_begun(Machine& machine, Ns at);
  void tell_members(Machine& machine, Kind kind, Point point);
  void decide_if_due(Machine& machine);
  void await_decision(Machine& machine);
  void tell_decision(Machine& machine);
  bool is_job_over(Machine& machine) const { return job_over_ && machine.clock(leader_) >= *job_over_; }

  const Policy& policy_;
  Balancer& balancer_;
  const PeIndex leader_, deciders_;
  const TaskId task_;
  const bool calls_mpi_;
  std::map<Point, Told> told_;
  lb::lazy::Coordinator coordinator_;
  std::uint64_t decisions_ = 0;
  Point last_point_ = 0;
  /// The decision that is being made.
  std::size_t begin_missing_ = 0;  // deciders that have not said that they have begun
  Ns began_ = 0;                   // the leading one
  Ns last_began_ = 0, takes_ = 0;
  Ns decided_at_ = 0;  // once all have begun
  std::optional<Ns> job_over_;
};

}  // namespace skein::simulate
