// SPDX-License-Identifier: Apache-2.0
// Lazy balancing in a simulated job: the state machines of skein/lb/lazy.hpp, as in a run
// (runtime/balance/lazy/lazy_pe.cpp), with messages of the simulated network between them. This is the side
// of the members, the PEs that compute; the deciding side is lazy_deciders.hpp.
//
// In a native program (runtime/chare/balance/lazy_elements.hpp) elements that come to sync points are asked
// there; elements that come to none leave their shares when the first other element on their PE does.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "lb/simulate/balancer.hpp"
#include "lb/simulate/job_state.hpp"
#include "lb/simulate/lazy_deciders.hpp"
#include "lb/simulate/traffic.hpp"
#include "skein/lb/lazy.hpp"

namespace skein::simulate {

class LazyProtocol {
 public:
  using Point = lb::lazy::Point;

  /// `traffic`: the messages of objects, by sender; null if the graph is not used.
  LazyProtocol(const trace::Trace& trace, const Policy& policy, Balancer& balancer, Traffic* traffic);

  /// Declared in Stops.
  Stops::At comes_to(JobState& job, Machine& machine, PeIndex pe, ObjectIndex object, Point n);
  void ends(Machine& machine, PeIndex pe, ObjectIndex object);
  void take(Machine& machine, PeIndex pe, MessageIndex message);
  void wake(Machine& machine) { deciders_.wake(machine); }
  bool passes_at_once(PeIndex pe, Point n) {
    lb::lazy::Member& member = pes_[pe].member;
    if (!member.may_pass(n)) return false;
    member.passes(n);
    return true;
  }
  void release_by(std::function<void(PeIndex, ObjectIndex)> release) { release_ = std::move(release); }
  void pass_unanswered(Machine& machine);

  /// Returns the loads since the last asking, scaled to a whole interval between askings. Called when all
  /// objects stand at the agreed sync point, before the shares of the job begin anew.
  std::vector<ObjectMeasurement> measure(const JobState& job) const;
  Point agreed_stop() const { return deciders_.agreed_stop(); }
  Point asked_at() const { return deciders_.asked_at(); }
  /// Notes that the decision is applied and the objects are in their new places. The job's shares are not
  /// reset yet.
  void applied(const JobState& job);

  std::uint64_t decisions() const { return deciders_.decisions(); }
  /// Returns when the job is over: after the last end of an object and the last decision that it waits for.
  Ns last_end() const { return std::max(last_end_, deciders_.last_end()); }

 private:
  /// The inquiries of an object's load.
  struct LoadInquiry {
    Ns before = 0;  // used from the beginning to the last LB step
    Ns used = 0;    // used up to the last inquiry
    Ns load = 0;    // reported there
    Point point = 0;
  };
  /// A share for a sync point that not all objects of a PE have reached.
  struct OpenShare {
    Point point;
    std::size_t missing;  // objects
    std::uint64_t bytes;
  };
  struct Pe {
    lb::lazy::Member member;
    std::size_t running = 0;      // objects that come to sync points
    std::vector<OpenShare> open;  // rising
    Point newest = 0;             // the newest that was ever open
    std::vector<ObjectIndex> held;
  };

  Ns used_by(const JobState& job, ObjectIndex object) const {
    return asked_[object].before + job.shares[object].busy;
  }
  bool comes_to_points(ObjectIndex object) const { return stays_away_.empty() || !stays_away_[object]; }
  void count_running(const JobState* job, const lb::Assignment& placed);
  std::uint64_t report(const JobState& job, ObjectIndex object, Point n);
  std::uint64_t report_others(const JobState& job, PeIndex pe, Point n);
  void release_held(Machine& machine, PeIndex pe);
  void leave_share(const JobState& job, Machine& machine, PeIndex pe, ObjectIndex object, Point n);
  void send_whole_shares(Machine& machine, PeIndex pe);
  void receive(Machine& machine, PeIndex pe, const LazyMessage& message);
  void send_to_decider(Machine& machine, PeIndex member, LazyMessage::Kind kind, Point point) {
    send(machine, member, deciders_.of(member), {.kind = kind, .member = member, .point = point});
  }

  const Policy& policy_;
  const bool native_;
  Traffic* const traffic_;
  LazyDeciders deciders_;
  std::vector<Pe> pes_;
  std::vector<LoadInquiry> asked_;   // by object
  std::vector<bool> stays_away_;     // by object of a native program: it comes to no sync point
  std::vector<ObjectIndex> others_;  // elements that come to no sync point
  std::function<void(PeIndex, ObjectIndex)> release_;
  std::size_t running_ = 0;  // objects
  std::uint64_t applications_ = 0;
  Ns last_end_ = 0;  // of an object
};

}  // namespace skein::simulate
