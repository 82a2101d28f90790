// SPDX-License-Identifier: Apache-2.0
// What every part of a simulation shares: its input, where objects are, and what was measured of them.
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

/// The intervals of a run in which nobody stops: between the sync points that objects pass, each when it
/// comes there. What an object computes from one to the next is of the interval between these two, so
/// intervals of PEs that are ahead of others begin and end before them; an interval is over when the last
/// object has passed its end.
class PassedPoints {
 public:
  /// Every so many points end an interval; 0: each. If that are more than `most` intervals, two become one.
  PassedPoints(std::uint64_t period, std::size_t objects, std::size_t pes)
      : every_(period == 0 ? 1 : period), pes_(pes), marks_(objects) {}

  static constexpr std::size_t most = 512;

  /// The object, which has passed `points` by now and computed `busy` in all, on its PE, whose clock this is.
  void pass(ObjectIndex object, PeIndex pe, std::uint64_t points, Ns busy, Ns clock);
  /// At the end of the job: sets `busy` and `interval_end`, with the interval after the last point.
  void close(const JobState& job, Ns end, Timeline& timeline);

 private:
  struct Mark {  // of an object, where it ended an interval last
    Ns busy = 0;
    std::uint64_t points = 0;
  };
  void put(std::size_t interval, PeIndex pe, Ns busy);
  void join_pairs();

  std::uint64_t every_;
  std::size_t pes_;
  std::vector<Mark> marks_;
  std::vector<Ns> ends_;
  std::vector<Ns> busy_;  // interval by interval, PE by PE
};

/// What objects do at sync points.
class Stops {
 public:
  enum class At : std::uint8_t {
    passes,
    gives_way,  // passes, and lets others of its PE go on first
    stops,      // where all do, for an LB step
    meets,      // likewise, and comes there anew after the step
    holds       // it gives way, and comes there anew once it is made ready
  };
  virtual ~Stops() = default;
  /// The object, on its PE, has passed n - 1 sync points and stands at the n-th.
  virtual At comes_to(JobState& job, Machine& machine, PeIndex pe, ObjectIndex object, std::uint64_t n) = 0;
  /// The number of the sync point at which all stop next.
  virtual std::uint64_t next_step() const { return no_step; }
  static constexpr std::uint64_t no_step = ~std::uint64_t{0};
  virtual void ends(Machine& /*machine*/, PeIndex /*pe*/, ObjectIndex /*object*/) {}
  /// A message of theirs (MessageKind::lazy) is taken from an inbox.
  virtual void take(Machine& /*machine*/, PeIndex /*pe*/, MessageIndex /*message*/) {}
  /// The task that Machine::wake_at() was told of, which is no object's.
  virtual void wake(Machine& /*machine*/) {}
  /// Whether there is such a task: its number is that of objects.
  virtual bool has_task() const { return false; }
  /// Whether the sync point of the next step is known only when it comes, so that objects are held at any.
  virtual bool is_lazy() const { return false; }
  /// Where it is lazy: whether objects of the PE have nothing to look at before they pass the n-th; if so,
  /// one has.
  virtual bool passes_at_once(PeIndex /*pe*/, std::uint64_t /*n*/) { return false; }
  /// Who is held is told to this in place of being made ready: an object may have other things to do there.
  virtual void release_by(std::function<void(PeIndex, ObjectIndex)> /*release*/) {}
  /// Nothing is left to do, and objects are held: they need not wait for an answer any more.
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
  std::uint64_t generation = 0;  // of pe_of: changes whenever objects have moved

  /// Since the last LB step, by object.
  struct Share {
    Ns busy = 0;                // processor time on the PE where it is
    std::uint64_t work_ns = 0;  // the same on a PE of speed 1
    std::uint64_t bytes = 0;    // in use at its last sync point
    bool ended = false;
  };
  LargeVector<Share> shares;
  /// What an element said at its last sync point.
  struct Told {
    std::optional<double> load;  // s, on a PE of speed 1
    std::int32_t level = lb::kNoLevel;
    bool divisible = false;
  };
  std::vector<Told> told = {};            // by object; empty: ranks
  std::vector<ObjectIndex> part_of = {};  // by part, from the first object behind the recorded ones on
  std::vector<BurstRecord> bursts = {};
  PassedPoints* passed = nullptr;  // where nobody stops: is told of sync points

  /// The recorded object that it is, or is a part of.
  ObjectIndex whole_of(ObjectIndex object) const {
    const std::size_t recorded = trace.object_count();
    return object < recorded ? object : part_of[object - recorded];
  }
  /// At the n-th sync point of the object, which has so many bytes in use there.
  Stops::At comes_to_point(Machine& machine, PeIndex pe, ObjectIndex object, std::uint64_t n,
                           std::uint64_t bytes);
  /// The object has ended.
  void end(Machine& machine, PeIndex pe, ObjectIndex object);

  /// The object, on its PE, computes for so long, from the PE's clock on, which goes on by that. `number`: of
  /// the event in the object's stream that the burst is before. False: it is not over, and the task is to
  /// give way as Workload::run() does that waits for other PEs; when it runs again it asks go_on_computing().
  bool compute(Machine& machine, PeIndex pe, ObjectIndex object, std::uint64_t burst_ns,
               std::uint64_t number) {
    if (burst_ns == 0) return true;
    const std::uint64_t work = work_of(object, burst_ns, number);
    const Machine::Burst burst =
        machine.compute(pe, std::min(work, static_cast<std::uint64_t>(kLongestBurstNs)));
    record_burst(pe, object, work, number, burst);
    return burst.over;
  }
  /// Whether that burst, of so many recorded ns, is over now.
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
  /// A burst has no end, or one that no time tells. Throws SimulationError.
  [[noreturn]] void report_endless(PeIndex pe, ObjectIndex object, std::uint64_t work, Ns clock,
                                   Ns end) const;
  /// In event `number` of its stream it keeps its PE for so long, whatever its speed.
  void occupy(Machine& machine, PeIndex pe, ObjectIndex object, std::uint64_t ns, std::uint64_t number);
};

/// What plays the objects of a program on the PEs.
class Player : public Machine::Workload {
 public:
  virtual Machine& machine() = 0;
  /// Makes all objects ready.
  virtual void begin() = 0;
  virtual bool all_ended() const = 0;
  /// All that have not ended are at a sync point at which they stop.
  virtual bool all_stopped() const = 0;
  /// When all others have stopped: who has not, and is to come to a sync point.
  virtual std::uint64_t behind() const { return 0; }
  /// After an LB step.
  virtual void resume() = 0;
  /// In an LB step, when all objects are where they go: parts are split off, each the next object of the job,
  /// which is on its PE already; then the second of each pair is merged into the first.
  virtual void divide(std::span<const lb::Split> /*splits*/, std::span<const Merge> /*merges*/) {}
  /// When nothing is left to do: whether somebody waits for that, and goes on.
  virtual bool go_on_when_quiet() { return false; }
  /// Where messages are noted from now on; null: nowhere.
  virtual void log_to(Traffic* traffic) = 0;
  virtual PointToPoint::Counts counts() const = 0;
  /// Nothing goes on, and objects have neither ended nor stopped: throws SimulationError that says who waits
  /// for what.
  [[noreturn]] virtual void report_waiting() const = 0;
  /// Streams may end before their objects do, if all do so at one place; else throws SimulationError.
  virtual void check_ends() const = 0;
};

}  // namespace skein::simulate
