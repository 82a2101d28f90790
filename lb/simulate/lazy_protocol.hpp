// SPDX-License-Identifier: Apache-2.0
// Lazy balancing in a simulated job: the state machines of skein/lb/lazy.hpp, as in a run (runtime/balance/
// lazy.cpp, lazy_decider.cpp), with messages of the simulated network between them. The deciding PE is the
// first one behind those that compute; it decides as long as the platform says, and answers meanwhile.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "lb/simulate/balancer.hpp"
#include "lb/simulate/job_state.hpp"
#include "lb/simulate/traffic.hpp"
#include "skein/lb/auto_wait.hpp"
#include "skein/lb/lazy.hpp"

namespace skein::simulate {

class LazyProtocol {
 public:
  using Point = lb::lazy::Point;

  // `traffic`: what objects send, by sender; null: nobody looks at it.
  LazyProtocol(const Policy& policy, Balancer& balancer, std::size_t objects, Traffic* traffic);

  // As of Stops.
  Stops::At comes_to(JobState& job, Machine& machine, PeIndex pe, ObjectIndex object, Point n);
  void ends(Machine& machine, PeIndex pe, ObjectIndex object);
  void take(Machine& machine, PeIndex pe, MessageIndex message);
  void wake(Machine& machine);

  // When all stand at the agreed sync point, before the shares of the job begin anew: their loads since they
  // were asked, as of a whole interval between askings.
  std::vector<Measured> measure(const JobState& job) const;
  Point agreed_stop() const { return coordinator_.agreed_stop(); }
  Point asked_at() const { return coordinator_.about(); }
  // The decision is applied, and the objects are where it put them; the shares of the job still hold what was
  // measured up to now.
  void applied(const JobState& job);

  std::uint64_t decisions() const { return decisions_; }
  Ns last_end() const { return last_end_; }  // of an object

 private:
  enum class Kind : std::int32_t { share, dry, promise, answered, decided, agreed, silent };

  // Of an object.
  struct Asked {
    Ns before = 0;  // what it has used since the beginning, up to the last LB step
    Ns used = 0;    // up to where it was asked last
    Ns load = 0;    // that it told there
    Point point = 0;
  };
  // For a sync point that not all objects of a PE have come to.
  struct OpenShare {
    Point point;
    std::size_t missing;  // objects
    std::uint64_t bytes;  // on the wire
  };
  struct Pe {
    lb::lazy::Member member;
    std::size_t running = 0;      // objects
    std::vector<OpenShare> open;  // rising
    std::vector<ObjectIndex> held;
  };
  // What all PEs told of one sync point.
  struct Told {
    std::vector<Measured> objects;
    std::vector<lb::CommEdge> edges;
  };

  Ns used_by(const JobState& job, ObjectIndex object) const {
    return asked_[object].before + job.shares[object].busy;
  }
  void leave_share(const JobState& job, Machine& machine, PeIndex pe, ObjectIndex object, Point n);
  void send_whole_shares(Machine& machine, PeIndex pe);
  void say(Machine& machine, PeIndex from, PeIndex to, Kind kind, Point point, std::uint64_t bytes);
  void tell_members(Machine& machine, Kind kind, Point point);
  void hear_member(Machine& machine, PeIndex from, Kind kind, Point point);
  void hear_coordinator(Machine& machine, PeIndex pe, Kind kind, Point point, Point wait);
  void decide_if_due(Machine& machine);
  void tell_decision(Machine& machine);

  const Policy& policy_;
  Balancer& balancer_;
  Traffic* const traffic_;
  const PeIndex decider_;
  const TaskId task_;
  std::vector<Pe> pes_;
  std::vector<Asked> asked_;  // by object
  std::map<Point, Told> told_;
  lb::lazy::Coordinator coordinator_;
  std::uint64_t applications_ = 0, decisions_ = 0;
  Point last_point_ = 0;
  lb::lazy::AutoWait auto_wait_;
  Point wait_ = lb::lazy::kNever;  // with wait=auto: what members are told with answers
  Ns decided_at_ = 0;              // when the decision is there that is being made
  Ns last_end_ = 0;
};

}  // namespace skein::simulate
