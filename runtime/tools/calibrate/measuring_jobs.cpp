// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/calibrate/measuring_jobs.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lb/collectives/thresholds.hpp"
#include "runtime/base/error.hpp"
#include "skein/lb/parallel.hpp"
#include "skein/lb/trace.hpp"

namespace skein::tools {
namespace {

using simulate::Measurements;
using simulate::MessageTimes;
using simulate::StepTime;

constexpr int kTrips = 20000;
constexpr int kSteps = 100, kLongSteps = 40;
/// Sides of the squares of ranks to decide on.
constexpr std::uint32_t kSides[] = {16, 32};
constexpr std::uint32_t kMeshPes = 2;
constexpr int kMeshPoints = 6;
/// Bytes that the ranks of each PE go over between steps: more than a core's caches hold.
constexpr double kColdBytes = 8 << 20;

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::filesystem::path own_folder() {
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) throw Error("/proc/self/exe cannot be read: " + failed.message());
  return self.parent_path();
}

/// A folder for files that jobs write, removed with its contents.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "skein-calibrate-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw Error("no folder can be made in " + pattern);
    path_ = pattern;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

class Jobs {
 public:
  explicit Jobs(const MeasuringJobs& jobs)
      : jobs_(jobs),
        skein_((own_folder() / SKEIN_COMMAND_PATH).lexically_normal()),
        program_((own_folder() / SKEIN_CALIBRATE_PATH).lexically_normal()) {
    if (!std::filesystem::exists(program_))
      throw Error("the measuring program " + program_.string() + " is missing; is the installation whole?");
  }

  Measurements run() {
    Measurements measured;
    measured.eager_bytes = collectives::kEagerBytes;
    measured.pes_per_node = measured.step_pes = jobs_.pes;
    jobs_.tell("messages inside a PE");
    messages("-p 1 -n 2", "", "near", measured.pe);
    jobs_.tell("switches");
    measured.switch_ns = switch_ns();
    if (jobs_.pes > 1) {
      jobs_.tell("messages inside a node");
      if (messages("-p 2 -n 2", "", "near", measured.node).first > 1)
        throw Error(
            "'skein run -p 2' starts its PEs on several nodes, but one node is measured first. Unset "
            "SKEIN_MPIEXEC, which starts them there, and pass its content as --start");
    }
    const std::string here = "-p " + std::to_string(jobs_.pes);
    if (jobs_.pes > 1) {
      jobs_.tell("computing at a time");
      measured.computing = computing(here);
    }
    jobs_.tell("LB steps");
    measured.node_steps = lb_steps(here, "", jobs_.pes, jobs_.pes > 1 ? "rotate" : "");
    if (jobs_.start.empty()) return measured;
    jobs_.tell("messages between nodes");
    const auto [nodes, pes] = messages("", jobs_.start, "far", measured.network);
    if (nodes < 2)
      throw Error("'" + jobs_.start + "' starts PEs on one node only: there is no network to measure");
    measured.nodes = nodes;
    measured.pes_per_node = pes / nodes;
    jobs_.tell("LB steps between nodes");
    measured.network_steps = lb_steps("", jobs_.start, pes, "rotate:by=" + std::to_string(pes / nodes));
    return measured;
  }

  std::vector<simulate::TogetherTime> decide_together() {
    std::vector<simulate::TogetherTime> result;
    for (const lb::StrategyInfo& info : lb::strategies()) {
      if ((info.traits & lb::for_tests) || !lb::why_not_parallel(info).empty()) continue;
      const std::string name(info.name);
      jobs_.tell("decisions together, " + name);
      for (const std::uint32_t side : kSides)
        for (std::uint32_t deciding = 1; deciding <= jobs_.pes; deciding *= 2)
          result.push_back(together(name, side, deciding));
    }
    return result;
  }

 private:
  std::string output_of(const std::string& options, const std::string& start, const std::string& arguments) {
    const std::string command = (start.empty() ? "" : start + " ") + quoted(skein_.string()) + " run -q " +
                                options + " " + quoted(program_.string()) + " " + arguments;
    std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "re"), pclose);
    if (!pipe) throw Error("cannot start " + command);
    std::string text;
    char part[4096];
    while (const std::size_t bytes = fread(part, 1, sizeof part, pipe.get())) text.append(part, bytes);
    if (pclose(pipe.release()) != 0) throw Error("the measuring job failed: " + command);
    return text;
  }

  /// Measures messages. Returns the numbers of nodes and PEs. One rank on each PE, except two on a lone PE.
  std::pair<std::uint32_t, std::uint32_t> messages(const std::string& options, const std::string& start,
                                                   const std::string& which, MessageTimes& times) {
    std::istringstream lines(output_of(options, start, "messages " + which));
    std::string kind;
    double bytes, ns;
    std::pair<std::uint32_t, std::uint32_t> there{1, 1};
    while (lines >> kind >> bytes >> ns) {
      if (kind == "trip") times.trips.push_back({bytes, ns});
      if (kind == "send") times.sends.push_back({bytes, ns});
      if (kind == "receive") times.receives.push_back({bytes, ns});
      if (kind == "nodes") there = {static_cast<std::uint32_t>(bytes), static_cast<std::uint32_t>(ns)};
    }
    return there;
  }

  /// Returns the time of a switch: the part of trips inside a PE that is in no burst, as a simulation counts
  /// it.
  double switch_ns() {
    const std::string file = scratch_.file("trips.sktrace");
    std::istringstream line(
        output_of("-p 1 -n 2 --trace " + quoted(file), "", "trips " + std::to_string(kTrips)));
    std::string kind;
    double count, ns;
    if (!(line >> kind >> count >> ns)) throw Error("the measuring program printed no times of its trips");
    const trace::Trace trace = trace::read_trace(file);
    double bursts = 0, calls = 0;
    for (trace::ObjectIndex rank = 0; rank < trace.object_count(); ++rank) {
      trace::Cursor events = trace.events(rank);
      while (const trace::Event* const event = events.next()) {
        if (event->tag != 77) continue;
        bursts += static_cast<double>(event->burst_ns);
        ++calls;
      }
    }
    // A trip is four calls and two switches.
    return std::max(0.0, (ns / count - 4 * bursts / calls) / 2);
  }

  std::vector<simulate::ComputingTime> computing(const std::string& options) {
    std::istringstream lines(output_of(options, "", "compute"));
    std::vector<simulate::ComputingTime> times;
    std::string kind;
    double pes, ns;
    while (lines >> kind >> pes >> ns) times.push_back({static_cast<std::uint32_t>(pes), ns});
    if (times.empty()) throw Error("the measuring program printed no times of its computing");
    return times;
  }

  /// Measures LB steps. `strategy` moves everything; empty: there is no other PE.
  std::vector<StepTime> lb_steps(const std::string& options, const std::string& start, std::uint32_t pes,
                                 const std::string& strategy) {
    std::vector<StepTime> result;
    int lost = 0;
    for (const auto& [objects_of_pe, bytes] :
         {std::pair(1.0, kColdBytes), {8.0, kColdBytes / 8}, {64.0, kColdBytes / 64}, {8.0, kColdBytes / 2}})
      for (const std::string& lb : {std::string("none"), strategy})
        if (!lb.empty()) {
          const double objects = objects_of_pe * pes;
          const double ns = step_ns(options, start, objects, bytes, lb);
          if (ns > 0)
            result.push_back({objects, bytes, lb != "none", ns});
          else
            ++lost;
        }
    if (lost > 0)
      fprintf(stderr,
              "skein calibrate: of %d kinds of LB steps %d took less time than the disturbances by other "
              "processes: the machine is busy, and the cost of steps follows from the other kinds alone; "
              "measure again when it is idle\n",
              lost + static_cast<int>(result.size()), lost);
    return result;
  }

  double step_ns(const std::string& options, const std::string& start, double objects, double bytes,
                 const std::string& lb) {
    std::istringstream line(output_of(
        options + " -n " + std::to_string(std::llround(objects)) + " --lb-period 2 --lb " + lb, start,
        "steps " + std::to_string(bytes > kColdBytes / 4 ? kLongSteps : kSteps) + " " +
            std::to_string(std::llround(bytes))));
    std::string kind;
    double of, ns;
    if (!(line >> kind >> of >> ns) || kind != "step")
      throw Error("the measuring program printed no times of its LB steps");
    return ns;
  }

  simulate::TogetherTime together(const std::string& strategy, std::uint32_t side, std::uint32_t deciding) {
    const std::string report = scratch_.file("together.json");
    (void)output_of("-p " + std::to_string(kMeshPes + deciding) + " -n " + std::to_string(side * side) +
                        " --lb-period 1 --lb " + strategy + " --lb-mode decoupled:reserved,pes=" +
                        std::to_string(deciding) + " --lb-report " + quoted(report),
                    "", "mesh " + std::to_string(kMeshPoints));
    const std::uint32_t edges = 4 * side * (side - 1);
    return {strategy, deciding, static_cast<double>(side * side + kMeshPes + edges), decided_ns(report)};
  }

  /// Returns the median of the steps except the first, which loads libraries and meets memory for the first
  /// time.
  static double decided_ns(const std::string& report) {
    std::ifstream file(report);
    std::vector<double> times;
    for (std::string line; std::getline(file, line);)
      if (const auto json = nlohmann::json::parse(line, nullptr, false); json.contains("decide_s"))
        times.push_back(json["decide_s"].get<double>() * 1e9);
    if (times.size() < 2) throw Error("the measuring job has no LB steps in its report " + report);
    times.erase(times.begin());
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    return std::max(1.0, *middle);
  }

  const MeasuringJobs& jobs_;
  const Scratch scratch_;
  const std::filesystem::path skein_, program_;
};

}  // namespace

Measurements run_measuring_jobs(const MeasuringJobs& jobs) { return Jobs(jobs).run(); }

std::vector<simulate::TogetherTime> time_decisions_together(const MeasuringJobs& jobs) {
  return Jobs(jobs).decide_together();
}

}  // namespace skein::tools
