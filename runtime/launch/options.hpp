// SPDX-License-Identifier: Apache-2.0
// The options of `skein run`. Every option is declared once, in option_table.cpp; the command line, the
// SKEIN_* environment variables, --help and docs/cli.md all follow from that table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/log.hpp"
#include "runtime/chare/seeds/seed_balancer.hpp"
#include "skein/lb/mode.hpp"
#include "skein/lb/pe_speeds.hpp"

namespace skein::launch {

/// How often sync points are LB steps: every `count` of them, at the first one after `seconds`, or when the
/// model of the run says.
struct LbPeriod {
  enum class Unit { points, seconds, automatic };
  Unit unit = Unit::points;
  std::uint64_t count = 0;  ///< of Unit::points; 0: the user has not said how often
  double seconds = 0;       ///< above 0 for Unit::seconds
};

/// Which collectives are sync points: every `every`-th call of the collective `call` on a communicator of at
/// least `ranks` ranks; or every collective on all ranks, `auto`; or only the program's own MPI_Migrate(),
/// `none`.
struct SyncAt {
  std::string call;  ///< empty: `auto` where ranks are balanced and the program has no MPI_Migrate()
  std::uint64_t every = 1;
  int ranks = 0;  ///< 0: all ranks of the job
};

/// The value of --trace; empty `file`: nothing is recorded.
struct TraceOptions {
  std::string file;
  std::vector<std::string> counters;  ///< at most load::kMaxCounters
  double last_seconds = 0;            ///< 0: all
};

/// The value of --checkpoint; empty `folder`: no states are written.
struct CheckpointOptions {
  std::string folder;
  double every_s = 600;
  int keep = 2;  ///< number of states to keep
};

/// The value of --survive.
struct SurviveOptions {
  bool on = false;
  double every_s = 10;    ///< from one state in memory to the next
  double grace_s = 30;    ///< for a PE that gets SIGTERM to come to a sync point
  double stopped_s = 30;  ///< a PE that SIGSTOP has stopped for longer counts as dead
};

enum class Map { block, round_robin, file };
enum class ArenaChoice { automatic, shared, private_pages };
enum class Bind { core, none };
enum class Transport { memory, mpi };
enum class Threads { refuse, one };

/// The values of all options, within their ranges once parse_run() has returned. Sizes are in bytes; 0 stands
/// for `auto` where the option knows that word.
struct RunOptions {
  int pes = 0;    ///< 0 until settle_counts(): as many as there are cores, or as the launcher started
  int ranks = 0;  ///< 0 until settle_counts(): one per PE

  std::string lb;  ///< NAME[:key=value,...], as lb::parse_auto() or lb::parse_strategy() takes it
  lb::Mode lb_mode;
  bool learn_mode = false;  ///< the job begins inline, and learns from its steps whether to be lazy
  LbPeriod lb_period;
  std::string lb_load;    ///< `time`, or one of papi_events
  std::string lb_model;   ///< as lb::parse_load_model() takes it
  std::string lb_report;  ///< empty: no report
  std::string lb_dump;    ///< empty: no dump
  lb::PeSpeeds pe_speeds;
  std::size_t lb_memory_bytes = 0;  ///< limit for the ranks of a PE; 0: none
  SyncAt sync_at;
  TraceOptions trace;
  CheckpointOptions checkpoint;
  std::string restart;  ///< a folder with states, or a state; empty: the job begins anew
  SurviveOptions survive;

  Map map = Map::block;
  std::string map_file;  ///< for Map::file
  Bind bind = Bind::core;
  Transport transport = Transport::memory;  ///< inside a node
  Threads threads = Threads::refuse;        ///< asked for by OpenMP regions of a rank

  ArenaChoice arena = ArenaChoice::automatic;
  std::size_t slot_bytes = 0;       ///< a power of two, or 0: the largest with which all slots fit
  std::size_t huge_pages_from = 0;  ///< bytes of a heap; 0: none has huge pages
  std::size_t stack_bytes = 0;
  std::size_t eager_memory = 0;  ///< bytes of messages not yet received that a rank keeps
  std::vector<std::string> private_libs, shared_libs, preloaded_libs;

  std::vector<std::string> papi_events;  ///< at most load::kMaxCounters
  std::uint64_t seed = 0;
  chare::SeedBalancer seed_balancer = chare::SeedBalancer::random;  ///< of native programs
  int aggregation_grid = 0;  ///< of native programs: its dimensions; 0: by the number of PEs
  bool deterministic = false;
  bool check = false;           ///< checks how the program uses MPI, or pointers to elements
  bool check_pup = false;       ///< of native programs: checks what elements pack
  bool check_leaks = false;     ///< an MPI program that leaves something behind ends with status 1
  double deadlock_seconds = 0;  ///< above 0
  LogLevel log_level = LogLevel::normal;
  std::optional<bool> progress;  ///< the status line; if not given, shown where it disturbs nobody

  std::vector<std::string> given;  ///< options of the command line, in the form --name=value

  /// Returns the number of PEs that have objects, once the counts are settled.
  int computing_pes() const { return pes - lb_mode.reserved_pes(); }

  bool help = false;                  ///< if set, nothing else counts
  std::string program;                ///< as typed
  std::vector<std::string> args;      ///< of the program, without its name
  std::vector<std::string> warnings;  ///< SKEIN_ variables without a meaning, for one process to print
};

/// Reads the defaults, then the environment (`NAME=value` entries), then the words after `run`; a later one
/// overrides an earlier one, except that --private and --shared add up. The first word that is no option is
/// the program, and everything after it belongs to the program. Pure: touches no file and no global. Throws
/// skein::Error naming the option or variable, the value, what is valid and the nearest valid name.
RunOptions parse_run(std::span<const char* const> words, std::span<const char* const> environment);

/// Returns, for messages, what the user set an option with: its name, or that of its variable.
std::string named_by(const RunOptions& run, std::string_view option);

}  // namespace skein::launch
