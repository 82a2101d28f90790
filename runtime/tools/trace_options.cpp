// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/trace_options.hpp"

#include <array>
#include <charconv>

#include "runtime/base/error.hpp"
#include "runtime/options/values.hpp"

namespace skein::tools {
namespace {

using View = std::string_view;

constexpr TraceFormat format_table[] = {
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

/// The names with | between them, and a 0.
constexpr auto format_names = [] {
  std::array<char, 64> text{};
  std::size_t length = 0;
  for (const TraceFormat& format : format_table) {
    if (length > 0) text[length++] = '|';
    for (const char c : format.name) text[length++] = c;
  }
  return text;
}();
constexpr View formats = format_names.data();
constexpr double most_flops = 1e18;

void set_output(const TraceOption&, TraceOptions& options, View text) {
  if (text.empty()) throw Error("'' is empty");
  options.output = text;
}

std::vector<std::uint32_t> parse_grid(View text) {
  constexpr std::uint32_t most = 1 << 24;
  std::vector<std::uint32_t> grid;
  for (View rest = text; grid.size() < 8;) {
    std::uint32_t size = 0;
    const auto [at, error] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
    if (error != std::errc() || size == 0 || size > most) break;
    grid.push_back(size);
    rest.remove_prefix(static_cast<std::size_t>(at - rest.data()));
    if (rest.empty()) return grid;
    if (rest[0] != 'x') break;
    rest.remove_prefix(1);
  }
  throw Error("'" + std::string(text) + "' is no grid; write 16x16, or 8x8x4");
}

void set_flops(const TraceOption&, TraceOptions& options, View text) {
  options.ti.flops = options::parse_amount(text, most_flops);
  if (options.ti.flops < 1) throw Error("'" + std::string(text) + "' is below 1");
}

constexpr TraceOption trace_table[] = {
    {"What is printed", 0, "--json", "", "", "no", "One JSON object on standard output instead of text.",
     [](const TraceOption&, TraceOptions& o, View text) { o.json = options::parse_switch(text); }},

    {"Coarser decompositions", 0, "--grid", "", "AxB[xC]", "",
     "The Cartesian grid of the ranks that were recorded, the last coordinate running fastest.",
     [](const TraceOption&, TraceOptions& o, View text) { o.grid = parse_grid(text); }},
    {"Coarser decompositions", 0, "--to", "", "AxB[xC]", "",
     "The grid of ranks to come to; each number divides that of --grid.",
     [](const TraceOption&, TraceOptions& o, View text) { o.to = parse_grid(text); }},
    {"Coarser decompositions", 0, "--cells", "", "AxB[xC]", "",
     "The cells of the program's grid in each dimension of --grid, where they do not divide by the ranks: "
     "each run cuts them as evenly as can be, the first ranks having one more, so that coarse ranks have not "
     "quite the cells of the blocks.",
     [](const TraceOption&, TraceOptions& o, View text) { o.cells = parse_grid(text); }},
    {"Coarser decompositions", 0, "--map", "", "FILE", "",
     "Any other way to join ranks: a text with a recorded rank and its new one on each line.",
     [](const TraceOption&, TraceOptions& o, View text) { o.map = text; }},
    {"Coarser decompositions", 0, "--calibrate-with", "", "FILE", "",
     "A trace of the same run with another number of ranks, best between those two: it tells how much of the "
     "work comes with each rank (its borders, its calls), of which the coarser run has fewer.",
     [](const TraceOption&, TraceOptions& o, View text) { o.calibrate_with = text; }},
    {"Coarser decompositions", 0, "--calibrate-grid", "", "AxB[xC]", "",
     "The grid of that trace's ranks, which --to divides; if not given, the one that lies most evenly "
     "between --grid and --to.",
     [](const TraceOption&, TraceOptions& o, View text) { o.calibrate_grid = parse_grid(text); }},

    {"What is written", 'o', "--output", "", "PATH", "",
     "Where to write: a file, or of ti and otf2 a folder.", set_output},
    {"What is written", 0, "--format", "", formats, "",
     "For whom. ti: SimGrid's time-independent traces, which smpirun -replay plays; otf2: an archive of the "
     "Open Trace Format, which Vampir and others show; perfetto: a file for ui.perfetto.dev.",
     [](const TraceOption&, TraceOptions& o, View text) {
       o.format = &format_table[options::parse_choice(text, formats)];
     }},

    {"Time-independent traces", 0, "--flops", "", "F", "1e9",
     "Flop/s of the PE on which the trace was recorded: what turns its processor time into amounts of "
     "computing, and back. With 1e9 amounts are nanoseconds.",
     set_flops},
    {"Time-independent traces", 0, "--collectives", "", "theirs|messages", "theirs",
     "Collectives of the world as SimGrid's MPI makes them, or as the messages that Skein's MPI sends for "
     "them. Those of other communicators, which SimGrid does not replay, and nonblocking ones are messages "
     "in any case.",
     [](const TraceOption&, TraceOptions& o, View text) {
       o.ti.messages = options::parse_choice(text, "theirs|messages") == 1;
     }},
    {"Time-independent traces", 0, "--migrate", "", "", "no",
     "Writes sync points, as `migrate BYTES`; smpirun -replay does not know them.",
     [](const TraceOption&, TraceOptions& o, View text) { o.ti.migrate = options::parse_switch(text); }},
};

}  // namespace

std::span<const TraceOption> trace_options() { return trace_table; }

}  // namespace skein::tools
