// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/tools.hpp"

#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/error.hpp"
#include "runtime/options/setters.hpp"
#include "runtime/tools/names.hpp"
#include "runtime/tools/output.hpp"
#include "runtime/tools/simulate_print.hpp"
#include "skein/lb/as_recorded.hpp"
#include "skein/lb/critical_path.hpp"
#include "skein/lb/model.hpp"

namespace skein::tools {
namespace {

using View = std::string_view;

/// The options, checked as far as possible without a file.
struct SimulateOptions : Stage {
  std::vector<std::string> operands;  ///< the trace's file
  std::uint32_t pes = 0;              ///< 0: those of the platform
  bool alone = false;                 ///< skip the run in which nothing moves
  bool json = false;
  std::string output;  ///< empty: standard output
  std::string trace;   ///< file for a trace of the simulated run; empty: none
  bool critical_path = false;
  std::vector<std::pair<std::string, double>> what_if;  ///< what becomes faster, and by which factor
  std::string platform_xml;  ///< file for the platform in SimGrid's form; empty: none
};
using SimulateOption = options::OptionOf<SimulateOptions>;
using SimulateStage = StageOptions<SimulateOptions>;

constexpr double kMostFaster = 1e6;

void set_what_if(const SimulateOption&, SimulateOptions& o, View text) {
  const std::size_t split = text.rfind('=');
  if (split == View::npos || split == 0)
    throw Error("'" + std::string(text) + "' is not WHAT=FACTOR, as in solve=2 or 'rank 3=2'");
  const double factor = options::parse_amount(text.substr(split + 1), kMostFaster);
  if (factor <= 0) throw Error("'" + std::string(text) + "': FACTOR must be above 0");
  o.what_if.emplace_back(text.substr(0, split), factor);
}

void set_ghosts(const SimulateOption&, SimulateOptions& o, View text) {
  constexpr double most = 1e9;
  const std::vector<std::string> given = options::parse_list(text, ':');
  if (given.size() != 3) throw Error("'" + std::string(text) + "' is not CELL:FACE:LAYERS, as in 80:120:1");
  o.policy.ghosts = {.cell_bytes = options::parse_amount(given[0], most),
                     .face_bytes = options::parse_amount(given[1], most),
                     .layers = options::parse_amount(given[2], most)};
}

constexpr SimulateOption kSimulateTable[] = {
    SimulateStage::platform,
    SimulateStage::recorded_on,
    {{"The machine", 'p', "--pes", "", "P", "",
      "Sets the number of PEs, by adding or leaving out nodes. Default: all PEs of the platform."},
     options::set_count<&SimulateOptions::pes, 1, kMostSimulatedPes>},
    SimulateStage::engine,
    SimulateStage::memory,
    {{"Load balancing", 0, "--lb", "", "NAME[:KEY=VALUE,...]", "none",
      "Chooses the strategy, as in skein run, including auto and none (nothing moves)."},
     [](const SimulateOption&, SimulateOptions& o, View text) {
       lb::check_choice(text);
       o.policy.strategy = text;
     }},
    {{"Load balancing", 0, "--lb-period", "", "K|auto", "20",
      "Sets the distance between LB steps. K: every K-th sync point is one. auto: Skein chooses the distance "
      "by the speed at which imbalance returns. Without a strategy it only ends an interval of the report."},
     [](const SimulateOption&, SimulateOptions& o, View text) { o.policy.period = parse_period(text); }},
    {{"Load balancing", 0, "--lb-mode", "", "inline|decoupled|lazy[:KEY=VALUE,...]", "inline",
      "Chooses the PEs that decide and those that wait for it, as in skein run. Reserved PEs are the last "
      "ones of the machine; lazy:thread is not simulated."},
     [](const SimulateOption&, SimulateOptions& o, View text) { o.policy.mode = lb::parse_mode(text); }},
    SimulateStage::load_model,
    SimulateStage::pe_speed,
    SimulateStage::placement,
    SimulateStage::wildcards,
    {{"The job", 0, "--part-ghosts", "", "CELL:FACE:LAYERS", "",
      "Gives ghost zones to the parts that a strategy splits off elements. CELL: bytes of an element per "
      "cell. FACE: bytes that go each way per cell on a cut in each execution. LAYERS: layers of cells that "
      "each side of a cut computes in addition. An element is taken to be a cube of cells. Default: no ghost "
      "zones."},
     set_ghosts},
    SimulateStage::points,
    SimulateStage::seed,
    {{"Output", 0, "--alone", "", "", "no", "Leaves out the comparison with a simulated run without moves."},
     options::set_switch<&SimulateOptions::alone>},
    {{"Output", 0, "--bursts", "", "", "no",
      "Adds to the JSON the time and PE of each burst of each rank, for the timeline of `skein report`."},
     [](const SimulateOption&, SimulateOptions& o, View text) {
       o.policy.keep_bursts = options::parse_switch(text);
     }},
    {{"Output", 0, "--critical-path", "", "", "no",
      "Prints the parts of the makespan: computing by rank and region, messages, collectives, LB steps. A "
      "part that is not on this path gains nothing by being faster."},
     options::set_switch<&SimulateOptions::critical_path>},
    {{"Output", 0, "--what-if", "", "WHAT=FACTOR", "",
      "Prints the time of the run if a region, an entry method or a rank ('rank 3') computed FACTOR times as "
      "fast. May be repeated."},
     set_what_if},
    {{"Output", 0, "--trace", "", "FILE", "",
      "Writes the simulated run as a trace, for skein report and skein trace export."},
     options::set_text<&SimulateOptions::trace>},
    {{"Output", 0, "--json", "", "", "no", "Prints one JSON object, with all intervals, instead of a table."},
     options::set_switch<&SimulateOptions::json>},
    {{"Output", 0, "--platform-xml", "", "FILE", "",
      "Writes the platform (with --pes) as XML of SimGrid, for smpirun -replay."},
     options::set_text<&SimulateOptions::platform_xml>},
    {{"Output", 'o', "--output", "", "FILE", "", "Writes the JSON object to FILE, for `skein report`."},
     options::set_text<&SimulateOptions::output>},
};

/// Returns the makespan with nothing moving; nothing if that run is the simulated one, or was not asked for.
std::optional<simulate::Ns> unmoved_makespan(const SimulateOptions& options, const simulate::Policy& policy,
                                             const trace::Trace& trace, const simulate::Platform& platform) {
  if (options.alone || policy.strategy == "none") return std::nullopt;
  simulate::Policy still = policy;
  still.strategy = "none";
  still.keep_bursts = false;
  still.mode = {};
  return simulate::simulate(trace, platform, still).makespan;
}

int simulate_run(const SimulateOptions& options) {
  for (const std::string& output : {options.output, options.platform_xml, options.trace}) {
    check_not_read(output, options.operands);
    check_not_read(output, {&options.platform, 1});
  }
  simulate::Platform platform = platform_of(options);
  const simulate::Platform recorder = recorded_on(options, platform);
  const std::string added = added_pes(platform, options.pes);
  if (options.pes) platform = simulate::with_pes(std::move(platform), options.pes);
  if (!options.platform_xml.empty()) write_file(options.platform_xml, simulate::to_simgrid_xml(platform));
  const PlayedRun run = read_run(options.operands[0], options, &recorder);
  const simulate::Policy policy = policy_of(options, platform.pe_count());
  simulate::Policy played = policy;
  played.keep_bursts |= options.critical_path || !options.trace.empty();
  const simulate::Timeline timeline = simulate::simulate(run.trace, platform, played);
  if (!options.trace.empty())
    trace::write_trace(simulate::as_recorded(run.trace, timeline, "on " + platform.name), options.trace);
  simulate::TimelineNotes told{unmoved_makespan(options, policy, run.trace, platform), {}};
  for (const std::string& remark : {run.remark, added})
    if (!remark.empty()) told.remarks.push_back(remark);
  if (const std::string unread = simulate::unread_members(platform, policy.engine); !unread.empty())
    told.remarks.push_back("This network does not read these members of platform '" + platform.name +
                           "': " + unread + ".");
  simulate::CriticalPath path;
  if (options.critical_path) {
    path = simulate::critical_path(run.trace, timeline, simulate::find_causes(run.trace, timeline),
                                   platform.switch_ns);
    told.path = &path;
  }
  for (const auto& [what, factor] : options.what_if)
    told.what_if.push_back(
        {what, factor,
         simulate::simulate(simulate::with_faster(run.trace, what, factor), platform, policy).makespan});
  const bool writes_json = options.json || !options.output.empty();
  if (writes_json) {
    const std::string json = simulate::to_json(timeline, run.trace, platform, policy, told);
    if (!options.output.empty()) write_file(options.output, json);
    if (options.json) puts(json.c_str());
  }
  if (!options.json) print_simulation({options.operands[0], run, platform, policy, timeline, told});
  return 0;
}

constexpr options::SubcommandOf<SimulateOptions> kSimulateOnly[] = {
    {"", names::kSimulate.usage, "", {}, 1, 1, simulate_run}};

constexpr View kSimulateNotes =
    "Takes a run that `skein run --trace` recorded and plays it on another machine, with other PEs, another "
    "strategy or another period. It uses the runtime's own rules and strategies, and the messages and "
    "processor time of the recorded run. The same input gives the same output, to the nanosecond. No program "
    "runs, and no MPI is needed.";

}  // namespace

options::Tool simulate_tool() {
  static const options::ToolOf<SimulateOptions> tool{names::kSimulate, kSimulateNotes, kSimulateTable,
                                                     kSimulateOnly};
  return options::as_tool(tool);
}

}  // namespace skein::tools
