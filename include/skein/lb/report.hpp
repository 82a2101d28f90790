// SPDX-License-Identifier: Apache-2.0
// Runs, simulations, traces and tunings as one HTML page that a person looks at.
//
// The page needs nothing beside itself: data, drawing and the library that draws axes are in it. What is
// shown is a value that is read from files first; so a page can be made of what was never in a file, too.
//
// Nothing here reads a clock or prints: the same files give the same page. From any thread.
#pragma once
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace skein::report {

using PeIndex = std::uint32_t;
using ObjectIndex = std::uint32_t;

// What cannot be read or written. The text names the file, the place in it, the likely cause and what to do.
struct ReportError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Move {
  ObjectIndex object = 0;
  PeIndex from = 0, to = 0;
};

// What was decided for an earlier sync point while the job went on (lazy.hpp): how far the job had drifted
// since, in percent (LateDrift of late.hpp).
struct Late {
  std::uint64_t points = 0;  // sync points between asking and applying
  double decide_s = 0;
  bool dropped = false;
  double work = 0, changed = 0, change = 0, imbalance = 0;
};

// An LB step. Seconds; a part of the cost that is not known is 0.
struct Step {
  double at_s = 0;  // since the start of the job
  std::string strategy;
  std::string why;                      // of --lb auto
  std::optional<double> before, after;  // percent imbalance, measured and expected
  std::uint64_t moved = 0, bytes = 0, pinned = 0;
  double meet_s = 0, collect_s = 0, decide_s = 0, move_s = 0;
  // What the fullest PE would have computed in the interval behind the step had it moved nothing, less what
  // it did compute.
  std::optional<double> gain_s;
  std::optional<Late> late;
  std::vector<Move> moves;  // empty where not known
};

// What two objects exchanged in one direction.
struct Traffic {
  ObjectIndex from = 0, to = 0;
  double bytes = 0;
  std::uint64_t messages = 0;
};

// A burst of an object, in rows of PEs or of objects.
struct Burst {
  std::uint32_t row = 0;
  ObjectIndex object = 0;
  std::uint64_t begin_ns = 0, end_ns = 0;
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
  std::size_t objects = 0;  // 0: not known
  double seconds = 0;       // the makespan

  // Interval by interval, PE by PE: seconds that objects computed; and the same had nobody ever moved. Empty
  // where not known.
  std::vector<double> busy_s, unbalanced_s;
  std::vector<double> interval_end_s;  // since the start of the job
  std::vector<double> interval_s;      // without the step before it
  std::vector<Step> steps;             // step k ends interval k
  std::vector<PeIndex> placement;      // at first, by object; empty: not known

  std::vector<Traffic> traffic;
  std::vector<Burst> bursts;  // rising in each row
  bool rows_are_pes = false;
  std::string timeline_note;  // what a reader of the timeline has to know
};

// A configuration that a tuning tried.
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

struct Report {
  std::string title = "Skein report";
  std::vector<Run> runs;
  std::vector<Tuning> tunings;
};

// Reads a report of a run, a trace, or what `skein simulate --json` or `skein tune --json` has written;
// which, is seen in the file. Throws ReportError.
void add_file(Report& report, const std::string& path);

// What a reader has to know before he compares the runs: which files are of other programs or arguments, or
// have another number of objects, than the first. Empty: nothing.
std::vector<std::string> differences(const Report& report);

// The page. Throws ReportError where this build has none (d3 was not found).
std::string to_html(const Report& report);
// Throws ReportError when the file cannot be written whole.
void write_html(const Report& report, const std::string& path);

}  // namespace skein::report
