// SPDX-License-Identifier: Apache-2.0
// Runs, simulations, traces, tunings and slices as one HTML page that a person looks at.
//
// The page is self-contained: it includes its data, its drawing code and the library for axes. It shows a
// value that is read from files first, so that a page can be made of data that was never in a file.
//
// Nothing here reads a clock or prints: the same files give the same page. Callable from any thread.
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

/// Reports a file that cannot be read or written. The text names file, place, cause and remedy.
struct ReportError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Move {
  ObjectIndex object = 0;
  PeIndex from = 0, to = 0;
};

/// A decision that was made for an earlier sync point while the job went on (lazy.hpp): how far the job had
/// drifted since then, in percent (LateDrift of late.hpp).
struct Late {
  std::uint64_t points = 0;  // sync points between asking and applying
  double decide_s = 0;
  bool dropped = false;
  double work = 0, changed = 0, change = 0, imbalance = 0;
};

/// An LB step. Times are in seconds; an unknown part of the cost is 0.
struct Step {
  double at_s = 0;  // since the start of the job
  std::string strategy;
  std::string why;                      // a sentence; with --lb auto followed by lines
  std::optional<double> before, after;  // percent imbalance, measured and expected
  std::uint64_t moved = 0, bytes = 0, pinned = 0;
  double meet_s = 0, collect_s = 0, decide_s = 0, move_s = 0;
  /// Computing time of the fullest PE in the interval behind the step, had it moved nothing, less the actual
  /// time.
  std::optional<double> gain_s;
  std::optional<Late> late;
  std::vector<Move> moves;  // empty where not known
};

/// The messages from one object to another.
struct Traffic {
  ObjectIndex from = 0, to = 0;
  double bytes = 0;
  std::uint64_t messages = 0;
};

/// A piece of a row of the timeline.
struct Span {
  std::uint32_t row = 0;   // a PE or an object
  std::uint32_t what = 0;  // bursts: the object; regions: the name
  std::uint64_t begin_ns = 0, end_ns = 0;
};

/// The visits of an object to a region that the program names, or to one of its entry methods.
struct RegionSums {
  ObjectIndex object = 0;
  std::uint32_t name = 0;
  std::uint64_t times = 0;  // visits
  double compute_s = 0, call_s = 0;
};

/// PAPI counters beside the bursts. Vectors by counter have as many values as there are names.
struct Counters {
  std::vector<std::string> names;
  std::vector<float> of_bursts;               // burst by burst, counter by counter
  std::vector<double> of_objects;             // object by object, counter by counter
  std::vector<double> object_s;               // computing time of each object
  std::vector<std::vector<double>> pe_rates;  // by counter, like Run::busy_s: events in a second of computing
};

enum class RunKind : std::uint8_t {
  real,       // from --lb-report
  simulated,  // from skein simulate --json
  recorded,   // a trace
};

struct Run {
  RunKind kind = RunKind::real;
  std::string name;      // distinguishes it on the page
  std::string source;    // the file
  std::string command;   // the command line
  std::string program;   // with its arguments; empty: not known
  std::string platform;  // of a simulation
  std::string noun = "ranks";
  std::vector<std::string> warnings;  // "the run was killed"
  std::size_t pes = 0;
  std::size_t objects = 0;          // 0: not known
  double seconds = 0;               // the makespan
  std::optional<double> unmoved_s;  // the makespan without any moves, if a simulation knows it

  /// Interval by interval, PE by PE: seconds that objects computed, or would have had none moved. Empty: not
  /// known.
  std::vector<double> busy_s, unbalanced_s;
  std::vector<double> interval_end_s;  // since the start of the job
  std::vector<double> interval_s;      // without the LB step before it
  std::vector<Step> steps;             // step k ends interval k
  std::vector<PeIndex> placement;      // at first, by object; empty: not known

  std::vector<Traffic> traffic;
  std::vector<Span> bursts;  // row by row, rising in each
  bool rows_are_pes = false;
  std::vector<Span> waits;              // rising in each row: calls that took time; `what`: of wait_names
  std::vector<std::string> wait_names;  // the call, its partner and bytes
  std::string timeline_note;            // a note for readers of the timeline

  /// Only for runs whose rows are objects; includes the path's parts.
  std::optional<simulate::CriticalPath> path;
  simulate::Flights flights;
  std::vector<simulate::WhatIf> what_if;

  std::vector<std::string> names;          // of regions
  std::vector<std::vector<Span>> regions;  // by lane: a region inside another is in the next lane
  std::vector<RegionSums> region_sums;
  Counters counters;
};

/// A configuration that a tuning tried.
struct Configuration {
  std::string strategy;
  std::uint64_t period = 0;  // 0: automatic
  std::size_t ranks = 0, pes = 0;
  std::string mode;  // empty: not known
  double seconds = 0;
  std::optional<double> spread_s;  // half of the interval around `seconds`
  std::optional<double> imbalance;
  std::optional<double> steps, moved;  // means of several simulations
  bool frontier = false;
};

struct Tuning {
  std::string source;
  std::string command;  // the command to use
  std::string note;     // about data that is not in the rows
  std::vector<Configuration> rows;
};

/// A grid cut by a plane: a rectangle of cells. Lengths are the program's.
struct GridSlice {
  std::uint32_t level = 0;  ///< finer ones lie over coarser ones
  PeIndex pe = 0;
  std::array<float, 4> box{};            ///< x and y of the lower, then of the upper corner
  std::array<std::uint32_t, 2> cells{};  ///< along x and y, above 0
  std::vector<float> values;             ///< cells[0] for the lowest row, and so on
};

/// The domain at one time.
struct DomainSlice {
  double time = 0;  ///< in the program's own units
  std::vector<GridSlice> grids;
};

/// Slices that a program has written of a plane through its domain.
struct Slices {
  std::string source;             ///< the file
  std::string program;            ///< empty: not known
  std::string quantity;           ///< the name of the values
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

/// Adds waiting times to the trace of a native program, which lacks them.
using Play = std::function<trace::Trace(const trace::Trace&)>;

/// Reads a run report, a trace, the output of `skein simulate --json` or `skein tune --json`, or slices
/// written by a program, and recognizes which it is. Throws ReportError. Without `play`, elements are drawn
/// as if they never waited, and their critical path is not known.
void add_file(Report& report, const std::string& path, const Play& play = {});

/// Returns what a reader must know before comparing the runs: which files are of another program, other
/// arguments or another number of objects than the first. Empty if there are no differences.
std::vector<std::string> differences(const Report& report);

/// Returns the page. Throws ReportError if this build has no page (d3 was not found).
std::string to_html(const Report& report);

}  // namespace skein::report
