// SPDX-License-Identifier: Apache-2.0
// The state that all parts of a simulation share: its input, the places of objects, and their measurements.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "lb/simulate/balancer.hpp"
#include "lb/simulate/machine.hpp"
#include "lb/simulate/pe_speed.hpp"
#include "lb/simulate/point_to_point.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::simulate {

struct JobState;

/// The intervals of a run in which no object stops: between the sync points, which each object passes when it
/// comes there. The computing of an object between two such points belongs to the interval between them, so a
/// PE that is ahead of others begins and ends intervals earlier. An interval is over when the last object has
/// passed its end.
class PassedPoints {
 public:
  /// `period`: an interval ends after so many points; 0: after each. If that gives more than `most`
  /// intervals, each two are joined.
  PassedPoints(std::uint64_t period, std::size_t objects, std::size_t pes)
      : every_(period == 0 ? 1 : period), pes_(pes), marks_(objects) {}

  static constexpr std::size_t most = 512;

  /// Notes that the object on PE `pe` has passed `points` sync points and computed `busy` in all.
  void pass(ObjectIndex object, PeIndex pe, std::uint64_t points, Ns busy, Ns clock);
  /// Sets Timeline::busy and interval_end at the end of the job, with the interval after the last point.
  void close(const JobState& job, Ns end, Timeline& timeline);

 private:
  struct Mark {  // an object's state at its last end of an interval
    Ns busy = 0;
    std::uint64_t points = 0;
  };
  void put(std::size_t interval, PeIndex pe, Ns busy);
  void join_pairs();

  std::uint64_t every_;
  std::size_t pes_;
  std::vector<Mark> marks_;
  std::vector<Ns> ends_;
  std::vector<Ns> busy_;  // by interval and PE, row-major
};

/// Decides what objects do at sync points.
class Stops {
 public:
  enum class At : std::uint8_t {
    passes,
    gives_way,  // passes, and lets other objects of its PE go on first
    stops,      // for an LB step, as all objects do at this point
    meets,      // stops for an LB step, and comes to the point again after it
    holds       // gives way, and comes to the point again once it is made ready
  };
  virtual ~Stops() = default;
  /// Returns what the object does at its n-th sync point, on its PE.
  virtual At comes_to(JobState& job, Machine& machine, PeIndex pe, ObjectIndex object, std::uint64_t n) = 0;
  /// Returns the number of the sync point at which all objects stop next.
  virtual std::uint64_t next_step() const { return no_step; }
  static constexpr std::uint64_t no_step = ~std::uint64_t{0};
  virtual void ends(Machine& /*machine*/, PeIndex /*pe*/, ObjectIndex /*object*/) {}
  /// Handles a message of the lazy protocol (MessageKind::lazy) that a PE has taken from its inbox.
  virtual void take(Machine& /*machine*/, PeIndex /*pe*/, MessageIndex /*message*/) {}
  /// Runs the task that Machine::wake_at() was told of, which belongs to no object.
  virtual void wake(Machine& /*machine*/) {}
  /// Returns true if wake() has a task. The task's number is the number of objects.
  virtual bool has_task() const { return false; }
  /// Returns true if the sync point of the next step is known only when it comes, so that objects may be held
  /// at any point.
  virtual bool is_lazy() const { return false; }
  /// Returns true, in lazy mode, if an object of the PE may pass the n-th point without a look, and counts
  /// the object as passed.
  virtual bool passes_at_once(PeIndex /*pe*/, std::uint64_t /*n*/) { return false; }
  /// Sets a function that is called for a held object instead of making it ready, since the object may have
  /// other executions to play there.
  virtual void release_by(std::function<void(PeIndex, ObjectIndex)> /*release*/) {}
  /// Lets held objects pass without an answer. Called when nothing else is left to do.
  virtual void pass_unanswered(Machine& /*machine*/) {}
};

class PassedPoints;

struct JobState {
  const trace::Trace& trace;
  const Platform& platform;
  const Policy& policy;
  Stops& stops;
  PeSpeed speed;
  std::vector<PeIndex> pe_of;    // by object
  std::uint64_t generation = 0;  // changes whenever objects have moved

  /// The measurements of an object since the last LB step.
  struct Share {
    Ns busy = 0;                // processor time on the PE where it is
    std::uint64_t work_ns = 0;  // processor time on a PE of speed 1
    std::uint64_t bytes = 0;    // in use at its last sync point
    bool ended = false;
  };
  LargeVector<Share> shares;  // by object
  /// What an element told strategies at its last sync point.
  struct Told {
    std::optional<double> load;  // that it declares: s, on a PE of speed 1
    std::int32_t level = lb::kNoLevel;
    bool divisible = false;
  };
  std::vector<Told> told = {};            // by object; empty for ranks
  std::vector<ObjectIndex> part_of = {};  // by part, which follow the recorded objects: the whole
  std::vector<BurstRecord> bursts = {};
  PassedPoints* passed = nullptr;  // where no object stops: the sync points that objects pass

  /// Returns the recorded object that `object` is, or is a part of.
  ObjectIndex whole_of(ObjectIndex object) const {
    const std::size_t recorded = trace.object_count();
    return object < recorded ? object : part_of[object - recorded];
  }
  /// Returns what the object does at its n-th sync point, where it has `bytes` in use.
  Stops::At comes_to_point(Machine& machine, PeIndex pe, ObjectIndex object, std::uint64_t n,
                           std::uint64_t bytes);
  /// Notes that the object has ended.
  void end(Machine& machine, PeIndex pe, ObjectIndex object);

  /// Lets the object compute `burst_ns` on its PE, whose clock goes on accordingly. `number`: the event after
  /// the burst, in the object's stream. Returns false if the burst is not over: then the task gives way, as a
  /// Workload::run() does that waits for other PEs, and calls go_on_computing() when it runs again.
  bool compute(Machine& machine, PeIndex pe, ObjectIndex object, std::uint64_t burst_ns,
               std::uint64_t number) {
    if (burst_ns == 0) return true;
    const std::uint64_t work = work_of(object, burst_ns, number);
    const Machine::Burst burst =
        machine.compute(pe, std::min(work, static_cast<std::uint64_t>(kLongestBurstNs)));
    record_burst(pe, object, work, number, burst);
    return burst.over;
  }
  /// Continues a burst of `burst_ns` recorded ns. Returns true if it is over now.
  bool go_on_computing(Machine& machine, PeIndex pe, ObjectIndex object, std::uint64_t burst_ns,
                       std::uint64_t number);
  std::uint64_t work_of(ObjectIndex object, std::uint64_t burst_ns, std::uint64_t number) const {
    return platform.noise == 0 ? burst_ns : with_noise(burst_ns, platform.noise, policy.seed, object, number);
  }
  void record_burst(PeIndex pe, ObjectIndex object, std::uint64_t work, std::uint64_t number,
                    const Machine::Burst& burst) {
    if (burst.end >= kHorizonNs || burst.end - burst.begin >= kLongestBurstNs) [[unlikely]]
      report_endless(pe, object, work, burst.begin, burst.end);
    if (!burst.over) [[unlikely]]
      return;
    shares[object].busy += burst.busy;
    shares[object].work_ns += work;
    if (policy.keep_bursts) [[unlikely]]
      bursts.push_back({object, pe, burst.begin, burst.end, number});
  }
  /// Throws SimulationError for a burst without an end, or with one beyond the largest time.
  [[noreturn]] void report_endless(PeIndex pe, ObjectIndex object, std::uint64_t work, Ns clock,
                                   Ns end) const;
  /// Lets the object occupy its PE for `ns` at event `number` of its stream, whatever the PE's speed.
  void occupy(Machine& machine, PeIndex pe, ObjectIndex object, std::uint64_t ns, std::uint64_t number);
};

/// Plays the objects of a program on the PEs.
class Player : public Machine::Workload {
 public:
  virtual Machine& machine() = 0;
  /// Makes all objects ready.
  virtual void begin() = 0;
  virtual bool all_ended() const = 0;
  /// Returns true if all objects that have not ended have stopped at a sync point.
  virtual bool all_stopped() const = 0;
  /// Returns the number of objects that have not stopped, though all others have, and will come to a sync
  /// point.
  virtual std::uint64_t behind() const { return 0; }
  /// Lets the objects go on after an LB step.
  virtual void resume() = 0;
  /// Splits parts off in an LB step, after objects have moved: each part becomes the next object of the job,
  /// and is on its PE already. Then merges the second part of each pair into the first.
  virtual void divide(std::span<const lb::Split> /*splits*/, std::span<const Merge> /*merges*/) {}
  /// Resumes the objects that wait until nothing is left to do. Returns true if any object goes on.
  virtual bool go_on_when_quiet() { return false; }
  /// Sets where messages are noted from now on; null: nowhere.
  virtual void log_to(Traffic* traffic) = 0;
  virtual PointToPoint::Counts counts() const = 0;
  /// Throws SimulationError that names the waiting objects and their causes. Called when nothing goes on and
  /// objects have neither ended nor stopped.
  [[noreturn]] virtual void report_waiting() const = 0;
  /// Throws SimulationError if streams end before their objects do, unless all end at one place.
  virtual void check_ends() const = 0;
};

}  // namespace skein::simulate
