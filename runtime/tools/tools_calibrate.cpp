// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/tools.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "runtime/base/error.hpp"
#include "runtime/options/setters.hpp"
#include "runtime/tools/calibrate/measuring_jobs.hpp"
#include "runtime/tools/names.hpp"
#include "runtime/tools/output.hpp"

namespace skein::tools {
namespace {

using View = std::string_view;

struct CalibrateOptions {
  std::vector<std::string> operands;
  std::string output, start, name;
  std::uint32_t pes = 0;  ///< 0: one for each core
  bool decisions = true;
};
using CalibrateOption = options::OptionOf<CalibrateOptions>;

constexpr CalibrateOption kCalibrateTable[] = {
    {{"Output", 'o', "--output", "", "FILE", "", "Names the file of the platform, which is JSON."},
     options::set_text<&CalibrateOptions::output>},
    {{"Output", 0, "--name", "", "NAME", "", "Sets the name of the platform. Default: the name of the host."},
     options::set_any<&CalibrateOptions::name>},
    {{"Measurement", 'p', "--pes", "", "P", "",
      "Sets the number of PEs of a node. Default: the cores that this process may use."},
     options::set_count<&CalibrateOptions::pes, 1, 4096>},
    {{"Measurement", 0, "--start", "", "COMMAND", "",
      "Gives the command that starts PEs on several nodes, as it stands before `skein run`, such as "
      "\"mpiexec -n 48 --hostfile hosts\". With it the network is measured, too."},
     options::set_any<&CalibrateOptions::start>},
    {{"Measurement", 0, "--no-decisions", "", "", "no",
      "Does not measure the decision times of strategies; simulations then use those of a usual core."},
     [](const CalibrateOption&, CalibrateOptions& o, View text) {
       o.decisions = !options::parse_switch(text);
     }},
};

std::uint32_t usable_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<std::uint32_t>(std::max(1, CPU_COUNT(&set)));
}

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

std::string processor() {
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "an unknown processor";
}

std::string date_and_time() {
  const std::time_t time = std::time(nullptr);
  char text[32];
  std::tm parts{};
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", gmtime_r(&time, &parts));
  return text;
}

/// Warns on a busy machine, where even the least of several batches is too long.
void warn_if_busy(std::uint32_t cores) {
  double load = 0;
  if (getloadavg(&load, 1) != 1 || load < 0.5 * cores) return;
  fprintf(
      stderr,
      "skein calibrate: the machine is busy (load %.1f on %u cores), so messages and above all LB steps will "
      "look too slow; measure again when it is idle\n",
      load, cores);
}

int run(const CalibrateOptions& options) {
  if (options.output.empty()) throw Error("-o FILE is missing: where the platform is written");
  warn_if_busy(usable_cores());
  MeasuringJobs jobs;
  jobs.pes = options.pes ? options.pes : usable_cores();
  jobs.start = options.start;
  const bool tells = isatty(STDERR_FILENO);
  jobs.tell = [&](const std::string& what) {
    if (tells) fprintf(stderr, "skein calibrate: %s\n", what.c_str());
  };
  simulate::Measurements measured = run_measuring_jobs(jobs);
  if (options.decisions) {
    // Jobs first: Zoltan makes this an MPI process, which then cannot start others.
    if (jobs.pes > 1) measured.together = time_decisions_together(jobs);
    jobs.tell("decisions of strategies");
    measured.decisions = time_decisions();
  }
  simulate::Calibration result = simulate::calibrate(measured);
  simulate::Platform& platform = result.platform;
  platform.name = options.name.empty() ? host_name() : options.name;
  platform.source = "Measured on " + host_name() + " (" + processor() + "), " + date_and_time() +
                    ", by skein calibrate -p " + std::to_string(jobs.pes) +
                    (options.start.empty() ? "" : " --start '" + options.start + "'") +
                    ". Speed 1: what was recorded here.";
  simulate::validate(platform);
  for (const std::string& line : result.lines) printf("%s\n", line.c_str());
  printf("%-16s %-20s %12.1f ns\n", "PE", "switch", platform.switch_ns);
  if (jobs.pes == 1)
    printf(
        "With one PE, messages between PEs and moves were not measured; use -p 2 or more if there are "
        "cores.\n");
  std::string json = simulate::to_json(platform);
  json.pop_back();
  write_file(options.output, json);
  return 0;
}

constexpr options::SubcommandOf<CalibrateOptions> kCalibrateSubcommands[] = {
    {"", names::kCalibrate.usage, "", {}, 0, 0, run},
};

constexpr View kCalibrateNotes =
    "Measures the times of messages inside a PE, between PEs of a node and, with --start, between nodes; of "
    "a switch of ranks, of an LB step and of moves; and of the decisions of strategies, also on several PEs "
    "together. It runs short jobs for that, less than a minute in all; nothing else should run on the "
    "machine. It prints the fitted values with the error of the worst measurement, and writes a platform for "
    "`skein simulate` and `skein tune`. Speeds are relative to the machine that recorded a trace: speed is "
    "1.";

}  // namespace

options::Tool calibrate_tool() {
  static const options::ToolOf<CalibrateOptions> tool{names::kCalibrate, kCalibrateNotes, kCalibrateTable,
                                                      kCalibrateSubcommands};
  return options::as_tool(tool);
}

}  // namespace skein::tools
