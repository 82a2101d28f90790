// SPDX-License-Identifier: Apache-2.0
// The simulator plays a trace on a platform under a policy and returns a timeline. It is pure: the same input
// gives the same timeline, to the nanosecond, on every machine; decision times come from the platform, never
// from a clock.
#pragma once
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "skein/lb/late.hpp"
#include "skein/lb/mode.hpp"
#include "skein/lb/platform.hpp"
#include "skein/lb/strategy.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

using Ns = std::int64_t;

enum class NetworkEngine : std::uint8_t { fast, simgrid };
/// The values of --engine, in the order of NetworkEngine.
inline constexpr const char* kEngineNames[] = {"fast", "simgrid"};
inline const char* name_of(NetworkEngine engine) { return kEngineNames[static_cast<std::size_t>(engine)]; }
enum class Placement : std::uint8_t { block, round_robin, recorded };

/// The additional work and messages of an element's parts. An element of B bytes is taken to be a cube of
/// c = B / cell_bytes cells, and each cut to go across c^(2/3) cells. Each side of a cut computes
/// layers * c^(2/3) cells more. In each execution the two sides send each other face_bytes * c^(2/3) bytes,
/// at most what the whole element sends in it; no execution waits for these. 0 cell_bytes: no ghost zones.
struct GhostZones {
  double cell_bytes = 0, face_bytes = 0, layers = 0;
};

/// The settings of the simulated run.
struct Policy {
  std::string strategy = "none";             // in the form of --lb, "auto" included
  std::uint64_t period = 1;                  // sync points; 0: automatic
  std::vector<std::uint64_t> steps_at = {};  // instead: the sync points that are LB steps, rising from 1
  std::string load_model;                    // in the form of --lb-model; empty: the last interval
  Placement placement = Placement::block;
  NetworkEngine engine = NetworkEngine::fast;
  bool wildcards_as_recorded = true;  // false: a wildcard takes the first message to arrive
  std::uint64_t seed = 1;
  bool keep_bursts = false;  // for pictures: Timeline::bursts
  lb::Mode mode = {};        // reserved PEs are the last ones of the platform
  /// The speeds of PEs that strategies see, by PE; PEs beyond the last have 1, so with an empty list all are
  /// alike. Not given: as a run measures them (--pe-speed measured).
  std::optional<std::vector<double>> pe_speeds = {};
  bool steps_as_recorded = false;  // LB steps make the moves of the recorded run, and take no time
  GhostZones ghosts = {};          // of the elements that a strategy divides
};

/// The outcome of a decision that is applied later than it was asked for.
struct LateRecord {
  std::uint64_t asked_at = 0, applied_at = 0;  // sync points
  Ns decide = 0;                               // time of the strategy, while the objects went on
  bool dropped = false;                        // because it had become worse than staying
  lb::LateDrift drift;
};

struct StepRecord {
  Ns at = 0;                 // time at which the last PE had come
  std::uint64_t points = 0;  // sync points since the last step
  std::string strategy;
  double imbalance_before = 0;  // percent, of the interval's loads
  double imbalance_after = 0;   // of the same loads at their new places
  std::uint64_t moved = 0;
  std::uint64_t moved_bytes = 0;
  std::uint64_t split = 0, merged = 0;  // parts of elements
  Ns meet = 0, collect = 0, decide = 0, move = 0;
  std::string why;  // a sentence; with --lb auto followed by lines with the predicted time of each choice
  /// The number of a native program's elements that had not come yet and waited for stopped ones: in the
  /// recorded run the stopped ones had gone on and sent messages to the others before these came.
  std::uint64_t behind = 0;
  std::optional<LateRecord> late;  // in lazy mode, where `decide` is 0, since no PE waits for it
};

struct BurstRecord {
  trace::ObjectIndex object;
  lb::PeIndex pe;
  Ns begin, end;
  std::uint64_t event = 0;  // the event after it, counted in the object's stream; of a file: the call
};

struct Timeline {
  Ns makespan = 0;
  std::vector<StepRecord> steps;
  /// Processor time of objects, ns, by interval and PE, row-major. Intervals end with the steps and the job:
  /// there are steps.size() + 1. Without a strategy they end with every Policy::period-th sync point (0:
  /// every one), or with fewer where that would give more than some hundreds. An interval of an object then
  /// lasts from its own passing of one such point to that of the next; the interval ends when the last object
  /// has passed.
  std::vector<Ns> busy;
  /// The table `busy` as if no object had moved from its first PE.
  std::vector<Ns> unbalanced;
  /// By interval: the time that the fullest PE would have taken had the step before moved nothing. Its
  /// difference to the fullest PE's real time is the gain of that step.
  std::vector<Ns> fullest_unmoved;
  std::vector<Ns> interval_end;  // including the step that ends it
  /// PEs of objects by interval; without a strategy one row for all. Parts that are split off follow the
  /// recorded objects.
  std::vector<std::vector<lb::PeIndex>> placement;
  std::vector<Ns> pe_busy;  // over the job
  std::uint64_t messages = 0, remote_messages = 0, bytes = 0, remote_bytes = 0;
  std::vector<BurstRecord> bursts;
  std::size_t pes = 0;           // computing PEs, which all rows are of
  std::size_t reserved_pes = 0;  // PEs that only decide
  std::uint64_t decisions = 0;   // in lazy mode: all decisions, even those that moved nothing
  /// The sync point after which the simulation was given up, since it was sure to exceed the limit; 0: it was
  /// played to its end. If it was given up, makespan, steps and busy times are of the part until this point,
  /// and the other members are not set.
  std::uint64_t given_up_at = 0;
};

/// The work that is left in a job of ranks after each sync point (0: the start): of all ranks together, and
/// of the rank with most.
struct Remaining {
  std::vector<std::uint64_t> all_ns, most_ns;
};
Remaining remaining_work(const trace::Trace& trace);

/// The makespan at which a simulation is given up: it ends once it is sure to take longer. At LB steps all
/// ranks stand at one sync point. The remaining work takes at least as long as if it were level from there
/// on, and at least as long as the work of one rank takes on the fastest PE.
struct Limit {
  Ns makespan = 0;
  const Remaining& remaining;  // of the trace that is played
};

/// The reason why a simulation cannot be done: a strategy that needs data which the trace lacks, a memory
/// limit that no placement keeps, or a job that waits for ever (the text names the waiting objects).
struct SimulationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Plays the trace and returns the timeline. Throws SimulationError, trace::TraceError, PlatformError,
/// lb::StrategyError. `stop`, if given, is read now and then: once it is true, the simulation ends with
/// SimulationError. `limit`: not for native programs.
Timeline simulate(const trace::Trace& trace, const Platform& platform, const Policy& policy,
                  const std::atomic<bool>* stop = nullptr, const Limit* limit = nullptr);

struct CriticalPath;  // critical_path.hpp

/// The makespan if something were faster.
struct WhatIf {
  std::string what;
  double factor = 1;
  Ns makespan = 0;
};

/// Further results beside a timeline.
struct TimelineNotes {
  std::optional<Ns> unmoved = {};         // the makespan without moves, if that was simulated
  std::vector<std::string> remarks = {};  // on the recorded run, for readers of the times
  const CriticalPath* path = nullptr;
  std::vector<WhatIf> what_if = {};
};

/// Returns the speeds of computing PEs that strategies see; empty: all alike. A run measures the processors
/// at the start, relative to the fastest, times the share that other processes leave of each.
std::vector<double> speeds_seen(const Platform& platform, const Policy& policy);

/// Returns the given numbers of the platform's levels that the engine does not read, as in "pe.latency_ns,
/// pe.gap_ns".
std::string unread_members(const Platform& platform, NetworkEngine engine);

std::string to_json(const Timeline& timeline, const trace::Trace& trace, const Platform& platform,
                    const Policy& policy, const TimelineNotes& told = {});

}  // namespace skein::simulate
