// SPDX-License-Identifier: Apache-2.0
// Runs, simulations, traces, tunings and slices as one HTML page that a person looks at.
//
// The page needs nothing beside itself: data, drawing and the library that draws axes are in it. What is
// shown is a value that is read from files first; so a page can be made of what was never in a file, too.
//
// Nothing here reads a clock or prints: the same files give the same page. From any thread.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "skein/lb/critical_path.hpp"

namespace skein::report {

using PeIndex = std::uint32_t;
using ObjectIndex = std::uint32_t;

/// What cannot be read or written. The text names the file, the place in it, the likely cause and what to do.
struct ReportError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Move {
  ObjectIndex object = 0;
  PeIndex from = 0, to = 0;
};

/// What was decided for an earlier sync point while the job went on (lazy.hpp): how far the job had drifted
/// since, in percent (LateDrift of late.hpp).
struct Late {
  std::uint64_t points = 0;  // sync points between asking and applying
  double decide_s = 0;
  bool dropped = false;
  double work = 0, changed = 0, change = 0, imbalance = 0;
};

/// An LB step. Seconds; a part of the cost that is not known is 0.
struct Step {
  double at_s = 0;  // since the start of the job
  std::string strategy;
  std::string why;                      // a sentence, and lines behind it with --lb auto
  std::optional<double> before, after;  // percent imbalance, measured and expected
  std::uint64_t moved = 0, bytes = 0, pinned = 0;
  double meet_s = 0, collect_s = 0, decide_s = 0, move_s = 0;
  /// What the fullest PE would have computed in the interval behind the step had it moved nothing, less what
  /// it did compute.
  std::optional<double> gain_s;
  std::optional<Late> late;
  std::vector<Move> moves;  // empty where not known
};

/// What two objects exchanged in one direction.
struct Traffic {
  ObjectIndex from = 0, to = 0;
  double bytes = 0;
  std::uint64_t messages = 0;
};

/// A piece of a row of the timeline.
struct Span {
  std::uint32_t row = 0;   // a PE or an object
  std::uint32_t what = 0;  // of bursts: the object; of regions: the name
  std::uint64_t begin_ns = 0, end_ns = 0;
};

/// What an object did in one of the regions that the program names, or in one of its entry methods.
struct RegionSums {
  ObjectIndex object = 0;
  std::uint32_t name = 0;
  std::uint64_t times = 0;  // it was entered
  double compute_s = 0, call_s = 0;
};

/// What was counted beside the bursts, by PAPI. All that is by counter has as many values as there are names.
struct Counters {
  std::vector<std::string> names;
  std::vector<float> of_bursts;               // burst by burst, counter by counter
  std::vector<double> of_objects;             // object by object, counter by counter
  std::vector<double> object_s;               // what each object computed
  std::vector<std::vector<double>> pe_rates;  // by counter: as Run::busy_s, events in a second of computing
};

enum class RunKind : std::uint8_t {
  real,       // from --lb-report
  simulated,  // from skein simulate --json
  recorded,   // a trace
};

struct Run {
  RunKind kind = RunKind::real;
  std::string name;      // to tell it from the others of the page
  std::string source;    // the file
  std::string command;   // what was typed
  std::string program;   // with its arguments; empty: not known
  std::string platform;  // of a simulation
  std::string noun = "ranks";
  std::vector<std::string> warnings;  // "the run was killed"
  std::size_t pes = 0;
  std::size_t objects = 0;          // 0: not known
  double seconds = 0;               // the makespan
  std::optional<double> unmoved_s;  // the makespan with nobody moving, of simulations that know it

  /// Interval by interval, PE by PE: seconds that objects computed; and the same had nobody ever moved. Empty
  /// where not known.
  std::vector<double> busy_s, unbalanced_s;
  std::vector<double> interval_end_s;  // since the start of the job
  std::vector<double> interval_s;      // without the step before it
  std::vector<Step> steps;             // step k ends interval k
  std::vector<PeIndex> placement;      // at first, by object; empty: not known

  std::vector<Traffic> traffic;
  std::vector<Span> bursts;  // row by row, rising in each
  bool rows_are_pes = false;
  std::vector<Span> waits;              // likewise, of calls that took time; `what`: of wait_names
  std::vector<std::string> wait_names;  // the call, its partner and bytes
  std::string timeline_note;            // what a reader of the timeline has to know

  /// Only for runs whose rows are objects, with their parts.
  std::optional<simulate::CriticalPath> path;
  simulate::Flights flights;
  std::vector<simulate::WhatIf> what_if;

  std::vector<std::string> names;          // of regions
  std::vector<std::vector<Span>> regions;  // as bursts, by lane: what is inside of another is in the next one
  std::vector<RegionSums> region_sums;
  Counters counters;
};

/// A configuration that a tuning tried.
struct Configuration {
  std::string strategy;
  std::uint64_t period = 0;  // 0: automatic
  std::size_t ranks = 0, pes = 0;
  std::string mode;  // empty: not told
  double seconds = 0;
  std::optional<double> spread_s;  // half of the interval in which the time is
  std::optional<double> imbalance;
  std::optional<double> steps, moved;  // means of several simulations
  bool frontier = false;
};

struct Tuning {
  std::string source;
  std::string command;  // what to use
  std::string note;     // of what is not in the rows
  std::vector<Configuration> rows;
};

/// A grid where a plane cuts it: a rectangle of cells. Lengths are those of the program.
struct GridSlice {
  std::uint32_t level = 0;  ///< finer ones lie over coarser ones
  PeIndex pe = 0;
  std::array<float, 4> box{};            ///< x and y of the lower, then of the upper corner
  std::array<std::uint32_t, 2> cells{};  ///< along x and y, above 0
  std::vector<float> values;             ///< cells[0] for the lowest row, and so on
};

/// The domain at a time.
struct DomainSlice {
  double time = 0;  ///< of what is simulated
  std::vector<GridSlice> grids;
};

/// What a program has written of a plane through its domain.
struct Slices {
  std::string source;             ///< the file
  std::string program;            ///< empty: not told
  std::string quantity;           ///< what the values are
  std::string plane;              ///< "z = 0.5"
  std::array<float, 2> x{}, y{};  ///< the domain, from and to
  std::size_t pes = 0;
  std::vector<DomainSlice> slices;  ///< one at least, rising in time
  std::string warning;              ///< "its last line is cut off"; empty: none
};

struct Report {
  std::string title = "Skein report";
  std::vector<Run> runs;
  std::vector<Tuning> tunings;
  std::vector<Slices> slices;
};

/// The trace of a native program, which does not tell how long elements waited, with times for that.
using Play = std::function<trace::Trace(const trace::Trace&)>;

/// Reads a report of a run, a trace, what `skein simulate --json` or `skein tune --json` has written, or
/// slices that a program has written; which, is seen in the file. Throws ReportError. Without `play` elements
/// are drawn as if they never waited, and their critical path is not known.
void add_file(Report& report, const std::string& path, const Play& play = {});

/// What a reader has to know before he compares the runs: which files are of other programs or arguments, or
/// have another number of objects, than the first. Empty: nothing.
std::vector<std::string> differences(const Report& report);

/// The page. Throws ReportError where this build has none (d3 was not found).
std::string to_html(const Report& report);

}  // namespace skein::report
