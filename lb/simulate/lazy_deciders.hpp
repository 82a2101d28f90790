// SPDX-License-Identifier: Apache-2.0
// The deciding side of lazy balancing in a simulated job, as in runtime/balance/lazy/decider.cpp. The PEs
// behind those that compute are reserved; the first of them leads: it has the coordinator
// (skein/lb/lazy.hpp), begins to decide, and tells members the result. Each other one passes on messages of
// its members, and decides when the leader tells it to. Deciders answer messages while they decide.
//
// A decision is complete the platform's decision time after the last decider has begun. In a run the leader
// cannot be done earlier, because the strategy exchanges messages with all deciders. The first of these
// messages, which tells the leader when the last one began, is played as a message back from each.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "lb/simulate/balancer.hpp"
#include "lb/simulate/machine.hpp"
#include "skein/lb/lazy.hpp"

namespace skein::simulate {

/// A message between the PEs of a simulated job that balances lazily, as in
/// runtime/balance/lazy/messages.hpp.
struct LazyMessage {
  enum class Kind : std::int32_t {
    /// From a member to its decider, which passes it on to the leader. A share longer than a message is sent
    /// as pieces, followed by the share itself.
    piece,
    share,
    dry,
    promise,
    /// Between the leader and the other deciders: to them, and back.
    begin,
    begun,
    /// From the leader to members.
    answered,
    decided,
    agreed,
    silent
  } kind;
  PeIndex member = 0;         // the member whose message is passed on; begun: the decider
  lb::lazy::Point point = 0;  // begun: the time
};

inline constexpr std::uint64_t kLazyMessageBytes = 32;  // of all kinds but begin and begun
inline constexpr std::uint64_t kLazyBeginBytes = 8, kLazyBegunBytes = 0;
/// The bytes of a share for each object, and for each of its edges (runtime/move/collect.cpp); the bytes that
/// fit into a message beside its head (runtime/net/transport.hpp).
inline constexpr std::uint64_t kLazyRecordBytes = 56, kLazyEdgeBytes = 16;
/// The bytes for each element (runtime/chare/balance/element_snapshot.cpp), whose indices are assumed to have
/// four bytes.
inline constexpr std::uint64_t kLazyElementBytes = 64 + 4, kLazyCallBytes = 24 + 4;
inline constexpr std::uint64_t kLazyPieceBytes = 16 * 1024 - 64 - kLazyMessageBytes;

void send(Machine& machine, PeIndex from, PeIndex to, const LazyMessage& message,
          std::uint64_t bytes = kLazyMessageBytes);
/// Sends a share of `bytes` bytes, in pieces.
void send_share(Machine& machine, PeIndex member, PeIndex decider, lb::lazy::Point point,
                std::uint64_t bytes);
/// Takes the message out of the machine's messages.
LazyMessage take_lazy(Machine& machine, MessageIndex index);

class LazyDeciders {
 public:
  using Point = lb::lazy::Point;

  /// `task`: the task of the leading PE.
  LazyDeciders(const Policy& policy, Balancer& balancer, TaskId task);

  /// Returns the decider that hears this member's messages (runtime/balance/roles.hpp).
  PeIndex of(PeIndex member) const {
    return leader_ + static_cast<PeIndex>(std::uint64_t{member} * deciders_ / leader_);
  }
  bool decides(PeIndex pe) const { return pe >= leader_; }

  /// The reports of all members about one sync point.
  struct PointReport {
    std::vector<ObjectMeasurement> objects;
    std::vector<lb::CommEdge> edges;
  };
  PointReport& told(Point point) { return told_[point]; }

  /// Notes that the member has no objects from the job's `applications`-th application on.
  void dry(PeIndex member, std::uint64_t applications) { coordinator_.dry(member, applications); }
  void take(Machine& machine, PeIndex pe, const LazyMessage& message);
  void wake(Machine& machine);
  /// Notes that the last object ended at `at`: no more decisions begin.
  void end_job(Ns at) { job_over_ = at; }

  Point agreed_stop() const { return coordinator_.agreed_stop(); }
  Point asked_at() const { return coordinator_.about(); }
  void applied() { coordinator_.applied(); }

  std::uint64_t decisions() const { return decisions_; }
  /// Returns the time until which the end of the job waits for a decision: a strategy inside MPI cannot be
  /// left.
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
  std::size_t begin_missing_ = 0;  // deciders that have not begun yet
  Ns began_ = 0;                   // when the leader began
  Ns last_began_ = 0, takes_ = 0;
  Ns decided_at_ = 0;  // known once all have begun
  std::optional<Ns> job_over_;
};

}  // namespace skein::simulate
