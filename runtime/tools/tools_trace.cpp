// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/tools.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/base/error.hpp"
#include "runtime/options/setters.hpp"
#include "runtime/tools/grid.hpp"
#include "runtime/tools/names.hpp"
#include "runtime/tools/output.hpp"
#include "runtime/tools/stage.hpp"
#include "runtime/tools/trace_print.hpp"
#include "skein/lb/coarsen.hpp"
#include "skein/lb/trace_beginning.hpp"
#include "skein/lb/trace_formats.hpp"

namespace skein::tools {
namespace {

using View = std::string_view;

struct TraceFormat;

struct TraceOptions {
  std::vector<std::string> operands;  ///< files

  const TraceFormat* format = nullptr;  ///< null: not given
  trace::TiOptions ti;
  Grid grid, to, cells;        ///< empty: not given
  std::string map;             ///< a file; empty: not given
  std::string calibrate_with;  ///< a file; empty: not given
  Grid calibrate_grid;
  std::string output;  ///< empty: not given
  bool json = false;
};

/// A format, for --format.
struct TraceFormat {
  std::string_view name;
  bool whole;  ///< its players need a whole run
  trace::Remarks (*write)(const TraceOptions& options, const trace::Trace& trace, const std::string& output);
  std::string (*next)(const trace::Trace& trace,
                      const std::string& output);  ///< returns what the user is to do with the output
};
using TraceOption = options::OptionOf<TraceOptions>;

constexpr TraceFormat kFormatTable[] = {
    {"ti", true,
     [](const auto& o, const auto& trace, const auto& output) {
       return trace::export_ti(trace, output, o.ti);
     },
     [](const auto& trace, const auto& output) {
       return "play it: smpirun -np " + std::to_string(trace.object_count()) +
              " -platform PLATFORM.xml -replay " + output + "/traces.txt";
     }},
    {"otf2", false,
     [](const auto&, const auto& trace, const auto& output) { return trace::export_otf2(trace, output); },
     [](const auto&, const auto& output) { return "look at it: otf2-print " + output + "/traces.otf2"; }},
    {"perfetto", false,
     [](const auto&, const auto& trace, const auto& output) { return trace::export_perfetto(trace, output); },
     [](const auto&, const auto& output) {
       return "look at it: open " + output + " at https://ui.perfetto.dev";
     }},
};

/// The names separated by |, and a 0.
constexpr auto kFormatNames = [] {
  std::array<char, 64> text{};
  std::size_t length = 0;
  for (const TraceFormat& format : kFormatTable) {
    if (length > 0) text[length++] = '|';
    for (const char c : format.name) text[length++] = c;
  }
  return text;
}();
constexpr View kFormats = kFormatNames.data();
constexpr double kMostFlops = 1e18;

void set_flops(const TraceOption&, TraceOptions& options, View text) {
  options.ti.flops = options::parse_amount(text, kMostFlops);
  if (options.ti.flops < 1) throw Error("'" + std::string(text) + "' is below 1");
}

constexpr TraceOption kTraceTable[] = {
    {"Output", 0, "--json", "", "", "no", "Prints one JSON object on standard output instead of text.",
     options::set_switch<&TraceOptions::json>},

    {"Coarser decompositions", 0, "--grid", "", "AxB[xC]", "",
     "Gives the Cartesian grid of the recorded ranks; the last coordinate runs fastest.",
     options::set_parsed<&TraceOptions::grid, parse_grid>},
    {"Coarser decompositions", 0, "--to", "", "AxB[xC]", "",
     "Gives the coarser grid of ranks; each number divides that of --grid.",
     options::set_parsed<&TraceOptions::to, parse_grid>},
    {"Coarser decompositions", 0, "--cells", "", "AxB[xC]", "",
     "Gives the cells of the program's grid in each dimension of --grid, if the ranks do not divide them "
     "evenly. Each run then cuts them as evenly as possible, with one more for the first ranks, so that a "
     "coarse rank does not have exactly the cells of the ranks that it replaces.",
     options::set_parsed<&TraceOptions::cells, parse_grid>},
    {"Coarser decompositions", 0, "--map", "", "FILE", "",
     "Joins ranks in any other way: a text with a recorded rank and its new one on each line.",
     options::set_any<&TraceOptions::map>},
    {"Coarser decompositions", 0, "--calibrate-with", "", "FILE", "",
     "Names a trace of the same run with another number of ranks, best between the recorded and the coarser "
     "one. It shows the work that comes with each rank (borders, calls), of which the coarser run has less.",
     options::set_any<&TraceOptions::calibrate_with>},
    {"Coarser decompositions", 0, "--calibrate-grid", "", "AxB[xC]", "",
     "Gives the grid of ranks in the trace of --calibrate-with; --to divides it. Default: the grid that lies "
     "most evenly between --grid and --to.",
     options::set_parsed<&TraceOptions::calibrate_grid, parse_grid>},

    {"Output files", 'o', "--output", "", "PATH", "",
     "Names the file to write, or the folder for ti and otf2.", options::set_text<&TraceOptions::output>},
    {"Output files", 0, "--format", "", kFormats, "",
     "Chooses the format. ti: time-independent traces of SimGrid, which smpirun -replay plays. otf2: an "
     "archive of the Open Trace Format, which Vampir and others show. perfetto: a file for ui.perfetto.dev.",
     [](const TraceOption&, TraceOptions& o, View text) {
       o.format = &kFormatTable[options::parse_choice(text, kFormats)];
     }},

    {"Time-independent traces", 0, "--flops", "", "F", "1e9",
     "Sets the flop/s of the recording PE, which convert processor time to amounts of computing and back. "
     "With 1e9, amounts are nanoseconds.",
     set_flops},
    {"Time-independent traces", 0, "--collectives", "", "theirs|messages", "theirs",
     "Writes collectives of the world communicator as collectives of SimGrid's MPI (theirs), or as the "
     "messages that Skein's MPI sends for them (messages). Collectives of other communicators, which SimGrid "
     "does not replay, and nonblocking ones are always written as messages.",
     [](const TraceOption&, TraceOptions& o, View text) {
       o.ti.messages = options::parse_choice(text, "theirs|messages") == 1;
     }},
    {"Time-independent traces", 0, "--migrate", "", "", "no",
     "Writes sync points as `migrate BYTES`, which smpirun -replay does not know.",
     [](const TraceOption&, TraceOptions& o, View text) { o.ti.migrate = options::parse_switch(text); }},
};

const std::string& output_of(const TraceOptions& options) {
  if (options.output.empty()) throw Error("-o PATH is missing: where to write");
  check_not_read(options.output, options.operands);
  if (!options.calibrate_with.empty()) check_not_read(options.output, {&options.calibrate_with, 1});
  return options.output;
}

void print_remarks(const trace::Remarks& remarks) {
  for (const std::string& remark : remarks) fprintf(stderr, "%s\n", remark.c_str());
}

/// Calls `make`; adds to an error what was done to which file.
template <class Do>
auto with_name_of(const std::string& what, Do make) {
  try {
    return make();
  } catch (const trace::TraceError& error) {
    throw trace::TraceError(what + ": " + error.what());
  }
}

/// Reads the whole part of the run. Throws if there is none.
trace::Trace read_whole(const std::string& file) {
  PlayedRun run = read_run(file, {});
  if (!run.remark.empty()) fprintf(stderr, "%s\n", run.remark.c_str());
  return std::move(run.trace);
}

int export_trace(const TraceOptions& options) {
  if (!options.format) throw Error("--format is missing: what to write");
  const std::string& output = output_of(options);
  const std::string& file = options.operands[0];
  const trace::Trace trace = options.format->whole ? read_whole(file) : trace::read_trace(file);
  with_name_of("exporting " + file, [&] { print_remarks(options.format->write(options, trace, output)); });
  printf("%s\n", options.format->next(trace, output).c_str());
  return 0;
}

int import_trace(const TraceOptions& options) {
  const std::string& output = output_of(options);
  trace::Remarks remarks;
  const trace::Trace trace = trace::import_ti(options.operands[0], options.ti, &remarks);
  print_remarks(remarks);
  trace::write_trace(trace, output);
  printf("%s: %zu ranks\n", output.c_str(), trace.object_count());
  return 0;
}

int info(const TraceOptions& options) {
  const std::string& file = options.operands[0];
  const trace::Trace trace = trace::read_trace(file);
  print_info(trace, std::filesystem::file_size(file), options.json);
  return 0;
}

int check(const TraceOptions& options) {
  const std::string& file = options.operands[0];
  const trace::CheckResult result = trace::check_trace(trace::read_trace(file));
  print_findings(result, file, options.json);
  return result.errors ? 1 : 0;
}

int least(const TraceOptions& options) {
  const std::string& output = output_of(options);
  std::vector<trace::Trace> recordings;
  for (const std::string& file : options.operands) recordings.push_back(trace::read_trace(file));
  const trace::Trace joined = with_name_of("joining " + options.operands[0] + " with others",
                                           [&] { return trace::least(recordings); });
  trace::write_trace(joined, output);
  printf("%s: the least of %zu recordings\n", output.c_str(), recordings.size());
  return 0;
}

trace::CoarseMap map_of(const TraceOptions& options, std::size_t ranks) {
  const bool by_grid = !options.grid.empty() || !options.to.empty();
  if (by_grid == !options.map.empty() || options.grid.empty() != options.to.empty())
    throw Error("either --grid and --to must be given, or --map");
  if (by_grid) return trace::map_cells(options.grid, options.to, options.cells, ranks);
  if (!options.cells.empty()) throw Error("--cells goes with --grid and --to, not with --map");
  return trace::read_map(options.map, ranks);
}

/// Returns the part of work that is left: with grids for each coarse rank; with a map one for all, as it is
/// unknown which ranks of the other trace have the work of a coarse rank.
trace::WorkLeft work_left(const TraceOptions& options, const trace::Trace& fine,
                          const trace::CoarseMap& map) {
  const trace::Trace other = read_whole(options.calibrate_with);
  const Grid& said = options.calibrate_grid;
  if (options.grid.empty()) {
    if (!said.empty()) throw Error("--calibrate-grid goes with --grid and --to, not with --map");
    return trace::work_left(fine, map, other);
  }
  const Grid grid =
      !said.empty() ? said : trace::grid_between(options.grid, options.to, other.object_count());
  if (grid.empty()) {
    fprintf(
        stderr,
        "%s has %zu ranks, which make no grid that divides by %s: the remaining work is taken to be the same "
        "for all ranks\n",
        options.calibrate_with.c_str(), other.object_count(), grid_text(options.to).c_str());
    return trace::work_left(fine, map, other);
  }
  const trace::CoarseMap other_map = with_name_of(options.calibrate_with, [&] {
    return trace::map_cells(grid, options.to, options.cells, other.object_count());
  });
  printf("%s is taken to have a grid of %s\n", options.calibrate_with.c_str(), grid_text(grid).c_str());
  return trace::work_left(fine, map, other, other_map);
}

int coarsen(const TraceOptions& options) {
  const std::string& output = output_of(options);
  const trace::Trace fine = read_whole(options.operands[0]);
  if (fine.header().native)  // whatever the map, it cannot be right
    throw Error(
        options.operands[0] +
        ": is of a native program, whose elements have no ranks to be joined; make its array coarser and "
        "record anew");
  const trace::CoarseMap map = map_of(options, fine.object_count());
  const std::string& other = options.calibrate_with;
  const trace::Trace coarse = with_name_of("coarsening " + options.operands[0], [&] {
    return trace::coarsen(fine, map,
                          other.empty() ? trace::work_left(fine, map) : work_left(options, fine, map));
  });
  trace::write_trace(coarse, output);
  printf("%s: %zu ranks of %zu\n", output.c_str(), coarse.object_count(), fine.object_count());
  if (!other.empty())
    printf("by %s %.1f %% of the work is left\n", other.c_str(),
           100 * static_cast<double>(trace::trace_info(coarse).compute_ns) /
               static_cast<double>(std::max<std::uint64_t>(1, trace::trace_info(fine).compute_ns)));
  return 0;
}

constexpr View kJsonOption[] = {"--json"};

constexpr View kCoarsenOptions[] = {"--output",         "--grid",          "--to", "--cells", "--map",
                                    "--calibrate-with", "--calibrate-grid"};

constexpr View kLeastOptions[] = {"--output"};

constexpr View kExportOptions[] = {"--output", "--format", "--flops", "--collectives", "--migrate"};

constexpr View kImportOptions[] = {"--output", "--flops"};

constexpr options::SubcommandOf<TraceOptions> kTraceSubcommands[] = {
    {"info", "FILE [--json]", "Prints the contents of the trace: events, messages, loads, sizes.",
     kJsonOption, 1, 1, info},
    {"check", "FILE [--json]",
     "Checks that the trace can be replayed: messages, requests, collectives, ends. The status is 1 if not.",
     kJsonOption, 1, 1, check},
    {"least", "FILE FILE... -o FILE",
     "Combines several recordings of the same run: writes the least computing time of each rank between two "
     "calls that may wait.",
     kLeastOptions, 2, options::kAnyNumber, least},
    {"coarsen", "FILE --grid GRID --to GRID|--map FILE [--calibrate-with FILE] -o FILE",
     "Writes the trace of the same program with fewer ranks, each with the work of several.", kCoarsenOptions,
     1, 1, coarsen},
    {"export", "FILE --format FORMAT -o PATH [options]", "Writes the trace in the format of another tool.",
     kExportOptions, 1, 1, export_trace},
    {"import", "PATH -o FILE [options]",
     "Makes a trace from time-independent traces of SimGrid: a list of files, one file, or a folder with "
     "either.",
     kImportOptions, 1, 1, import_trace},
};

constexpr View kTraceNotes =
    "Works on traces that `skein run --trace FILE` recorded. No program runs, and no MPI is needed.";

}  // namespace

options::Tool trace_tool() {
  static const options::ToolOf<TraceOptions> tool{names::kTrace, kTraceNotes, kTraceTable, kTraceSubcommands};
  return options::as_tool(tool);
}

}  // namespace skein::tools
