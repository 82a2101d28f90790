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
#include "lb/simulate/machine.hpp"
#include "skein/lb/lazy.hpp"

namespace skein::simulate {

/// What the PEs of a simulated job that balances lazily send each other, as in
/// runtime/balance/lazy/messages.hpp.
struct LazyMessage {
  enum class Kind : std::int32_t {
    /// From a member to its decider, which passes them on to the one that leads. A share that is longer than
    /// a message comes as pieces and, at last, as the share.
    piece,
    share,
    dry,
    promise,
    /// From the leading decider to the others, and back.
    begin,
    begun,
    /// From the leading decider to members.
    answered,
    decided,
    agreed,
    silent
  } kind;
  PeIndex member = 0;         // of which it is passed on; of begun: the decider
  lb::lazy::Point point = 0;  // of begun: when
};

inline constexpr std::uint64_t kLazyMessageBytes = 32;  // of all but these two
inline constexpr std::uint64_t kLazyBeginBytes = 8, kLazyBegunBytes = 0;
/// The bytes of a share for each object, and for each of its edges (runtime/move/collect.cpp); what fits into
/// a message beside its head (runtime/net/transport.hpp).
inline constexpr std::uint64_t kLazyRecordBytes = 56, kLazyEdgeBytes = 16;
/// The bytes for each element (runtime/chare/balance/element_snapshot.cpp), whose indices are taken to have
/// four bytes.
inline constexpr std::uint64_t kLazyElementBytes = 64 + 4, kLazyCallBytes = 24 + 4;
inline constexpr std::uint64_t kLazyPieceBytes = 16 * 1024 - 64 - kLazyMessageBytes;

void send(Machine& machine, PeIndex from, PeIndex to, const LazyMessage& message,
          std::uint64_t bytes = kLazyMessageBytes);
/// A share of so many bytes, in pieces.
void send_share(Machine& machine, PeIndex member, PeIndex decider, lb::lazy::Point point,
                std::uint64_t bytes);
/// Removes it from the machine's.
LazyMessage take_lazy(Machine& machine, MessageIndex index);

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
  struct PointReport {
    std::vector<ObjectMeasurement> objects;
    std::vector<lb::CommEdge> edges;
  };
  PointReport& told(Point point) { return told_[point]; }

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

  void receive(Machine& machine, const LazyMessage& message);
  void receive_begun(Machine& machine, Ns at);
  void notify_members(Machine& machine, Kind kind, Point point);
  void decide_if_due(Machine& machine);
  void await_decision(Machine& machine);
  void send_decision(Machine& machine);
  bool is_job_over(Machine& machine) const { return job_over_ && machine.clock(leader_) >= *job_over_; }

  const Policy& policy_;
  Balancer& balancer_;
  const PeIndex leader_, deciders_;
  const TaskId task_;
  const bool calls_mpi_;
  std::map<Point, PointReport> told_;
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
