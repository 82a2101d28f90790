// SPDX-License-Identifier: Apache-2.0
// The simulator: a trace on a platform under a policy gives a timeline. Pure: the same input gives the same
// timeline, to the nanosecond, on every machine; decision times come from the platform, never from a clock.
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
/// As --engine takes them, in the order of NetworkEngine.
inline constexpr const char* kEngineNames[] = {"fast", "simgrid"};
inline const char* name_of(NetworkEngine engine) { return kEngineNames[static_cast<std::size_t>(engine)]; }
enum class Placement : std::uint8_t { block, round_robin, recorded };

/// What parts of an element have that the whole does not. An element of B bytes is taken to be a cube of c =
/// B / cell_bytes cells, and each cut to go across c^(2/3) of them. The two sides of a cut compute `layers`
/// times so many cells more, and in each execution send each other `face_bytes` for each, at most what the
/// whole element sends in it; nobody waits for these messages. 0 cell_bytes: no ghost zones.
struct GhostZones {
  double cell_bytes = 0, face_bytes = 0, layers = 0;
};

/// How the job is run.
struct Policy {
  std::string strategy = "none";             // as --lb takes it; "auto" too
  std::uint64_t period = 1;                  // sync points; 0: automatic
  std::vector<std::uint64_t> steps_at = {};  // instead: the sync points that are LB steps, rising from 1
  std::string load_model;                    // as --lb-model takes it; empty: the last interval
  Placement placement = Placement::block;
  NetworkEngine engine = NetworkEngine::fast;
  bool wildcards_as_recorded = true;  // else a wildcard takes what arrives first
  std::uint64_t seed = 1;
  bool keep_bursts = false;  // for pictures: Timeline::bursts
  lb::Mode mode = {};        // reserved PEs are the last ones of the platform
  /// How fast strategies take PEs to be, by PE: 1 beyond the last, so that with none all are alike. Not
  /// given: as a run measures them (--pe-speed measured).
  std::optional<std::vector<double>> pe_speeds = {};
  bool steps_as_recorded = false;  // LB steps move what those of the recorded run did, and take no time
  GhostZones ghosts = {};          // of elements that a strategy divides
};

/// What became of a decision that is applied later than it was asked for.
struct LateRecord {
  std::uint64_t asked_at = 0, applied_at = 0;  // sync points
  Ns decide = 0;                               // what the strategy took, while the objects went on
  bool dropped = false;                        // since it had become worse than staying
  lb::LateDrift drift;
};

struct StepRecord {
  Ns at = 0;                 // when the last PE had come
  std::uint64_t points = 0;  // sync points since the last step
  std::string strategy;
  double imbalance_before = 0;  // percent, of the interval's loads
  double imbalance_after = 0;   // of the same loads as they are placed now
  std::uint64_t moved = 0;
  std::uint64_t moved_bytes = 0;
  std::uint64_t split = 0, merged = 0;  // parts of elements
  Ns meet = 0, collect = 0, decide = 0, move = 0;
  std::string why;  // a sentence; of --lb auto what each choice was predicted to take, in lines behind it
  /// Elements of a native program that had not come yet, and waited for others which had stopped: in the
  /// recorded run these had gone on, and sent them messages before they came.
  std::uint64_t behind = 0;
  std::optional<LateRecord> late;  // in lazy mode, where `decide` is 0: nobody waits for it
};

struct BurstRecord {
  trace::ObjectIndex object;
  lb::PeIndex pe;
  Ns begin, end;
  std::uint64_t event = 0;  // before which it was, counted in the object's stream; of a file: the call
};

struct Timeline {
  Ns makespan = 0;
  std::vector<StepRecord> steps;
  /// Interval by interval, PE by PE: processor time of objects, ns. Row-major. Intervals end with the steps
  /// and the job: there are steps.size() + 1. Without a strategy they end with every Policy::period-th sync
  /// point (0: every one), or fewer where that would be more than some hundreds, and are of an object from
  /// its own passing of one to that of the next; the interval has ended when the last object has passed.
  std::vector<Ns> busy;
  /// What PEs would have taken had nobody moved: with the objects where they were placed at first.
  std::vector<Ns> unbalanced;
  /// By interval: what the fullest PE would have taken had the step before moved nothing. Less what the
  /// fullest did take, it is what that step gained.
  std::vector<Ns> fullest_unmoved;
  std::vector<Ns> interval_end;  // with the step that ends it
  /// By interval; without a strategy: of all. Parts that are split off follow the recorded objects.
  std::vector<std::vector<lb::PeIndex>> placement;
  std::vector<Ns> pe_busy;  // over the job
  std::uint64_t messages = 0, remote_messages = 0, bytes = 0, remote_bytes = 0;
  std::vector<BurstRecord> bursts;
  std::size_t pes = 0;           // that compute: all rows are of them
  std::size_t reserved_pes = 0;  // that only decide
  std::uint64_t decisions = 0;   // in lazy mode: those that were made, whether they moved anything or not
  /// The sync point behind which it was given up, since it was sure to take longer than the limit; 0: played
  /// to its end. Then makespan, steps and busy times are of the part until there, and nothing else is told.
  std::uint64_t given_up_at = 0;
};

/// What is left of the work of a job of ranks behind each sync point, 0 being the start: of all together, and
/// of the one with most.
struct Remaining {
  std::vector<std::uint64_t> all_ns, most_ns;
};
Remaining remaining_work(const trace::Trace& trace);

/// A simulation that is sure to take longer need not be played to its end. At LB steps all stand at one sync
/// point: what is left takes at least as long as if it were level from there on, or as on the fastest PE
/// alone what one rank has of it.
struct Limit {
  Ns makespan = 0;
  const Remaining& remaining;  // of the trace that is played
};

/// Why a simulation cannot be done: a strategy that needs what the trace lacks, a memory limit that nothing
/// fits, a job that waits for ever (who waits for what is named).
struct SimulationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws SimulationError, trace::TraceError, PlatformError, lb::StrategyError. `stop`, if given, is looked
/// at now and then: once true, the simulation is given up by SimulationError. `limit`: not of native
/// programs.
Timeline simulate(const trace::Trace& trace, const Platform& platform, const Policy& policy,
                  const std::atomic<bool>* stop = nullptr, const Limit* limit = nullptr);

struct CriticalPath;  // critical_path.hpp

/// The makespan if something were faster.
struct WhatIf {
  std::string what;
  double factor = 1;
  Ns makespan = 0;
};

/// What is told beside a timeline.
struct TimelineNotes {
  std::optional<Ns> unmoved = {};         // the makespan with nobody moving, where that was simulated
  std::vector<std::string> remarks = {};  // on the recorded run, which who looks at the times has to know
  const CriticalPath* path = nullptr;
  std::vector<WhatIf> what_if = {};
};

/// How fast strategies take the PEs that compute to be; empty: all alike. As a run measures them: the
/// processors at the start, relative to the fastest, times what others leave of each.
std::vector<double> speeds_seen(const Platform& platform, const Policy& policy);

/// The numbers of the platform's levels that are given, and that this engine does not read: "pe.latency_ns,
/// pe.gap_ns".
std::string unread_members(const Platform& platform, NetworkEngine engine);

std::string to_json(const Timeline& timeline, const trace::Trace& trace, const Platform& platform,
                    const Policy& policy, const TimelineNotes& told = {});

}  // namespace skein::simulate
