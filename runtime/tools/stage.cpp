// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/stage.hpp"

#include "runtime/base/error.hpp"
#include "runtime/tools/output.hpp"
#include "skein/lb/contention.hpp"
#include "skein/lb/load_file.hpp"
#include "skein/lb/load_model.hpp"
#include "skein/lb/model.hpp"
#include "skein/lb/nearest.hpp"
#include "skein/lb/strategy.hpp"
#include "skein/lb/trace_beginning.hpp"

namespace skein::tools {
namespace {

constexpr std::uint64_t kMostPoints = 1'000'000'000;

/// Returns true if PEs disturb each other. No machine has recorded imported traces: their bursts are amounts
/// of work, unless the user says otherwise.
bool has_contention(const Stage& stage, const trace::Trace& trace) {
  return !trace.header().machine.empty() || !stage.recorded_on.empty();
}

void take_out_contention(PlayedRun& run, const simulate::Platform& recorded_on) {
  if (recorded_on.contention.empty()) return;
  if (const std::string why = simulate::why_contention_stays(run.trace); !why.empty())
    run.remark += (run.remark.empty() ? "" : " ") +
                  format("Contention between PEs stays in the recorded bursts: %s.", why.c_str());
  else
    run.trace = simulate::without_contention(run.trace, recorded_on);
}

}  // namespace

simulate::Platform platform_of(const Stage& stage) {
  if (stage.platform.empty())
    throw Error(
        "--platform FILE|NAME is missing: the machine to simulate; skein calibrate writes a file for this "
        "one, and with Skein come " +
        lb::listed(simulate::known_platforms()));
  simulate::Platform platform = simulate::load_platform(stage.platform);
  if (stage.memory_bytes) platform.memory_bytes = stage.memory_bytes;
  return platform;
}

std::string how_to_have_points(const trace::Header& header) {
  return header.native ? "call at_sync() in its elements, as docs/native.md has it"
                       : "record it with --sync-at, or call MPI_Migrate()";
}

std::string added_pes(const simulate::Platform& platform, std::uint32_t pes) {
  if (pes <= platform.pe_count()) return "";
  return format("%s has %u PEs: for %u PEs more nodes of the same kind are assumed, %u instead of %u.",
                platform.name.c_str(), platform.pe_count(), pes,
                (pes + platform.pes_per_node - 1) / platform.pes_per_node, platform.nodes);
}

simulate::Platform recorded_on(const Stage& stage, const simulate::Platform& simulated) {
  return stage.recorded_on.empty() ? simulated : simulate::load_platform(stage.recorded_on);
}

PlayedRun read_run(const std::string& file, const Stage& stage, const simulate::Platform* recorded_on) {
  PlayedRun run{trace::read_trace(file), 0, 0, ""};
  if (run.trace.object_count() == 0) throw Error(file + ": the trace has no ranks: there is nothing to play");
  if (run.trace.header().ends_only)
    throw Error(
        file +
        ": has only the ends of its streams (--trace FILE:last=SECONDS), which cannot be played, coarsened "
        "or exported to TI: record the whole run; skein trace info and skein report show what the trace has");
  run.points = trace::sync_points(run.trace);
  const unsigned long long points = run.points;
  const bool native = run.trace.header().native;
  if (native && stage.points > 0)
    throw Error(
        format("--points %llu: %s is of a native program, which is played to its end only: leave --points "
               "out",
               wide(stage.points), file.c_str()));
  if (native && !run.trace.complete())
    throw Error(file +
                ": the recorded run was cut short, and a native program is played only to its end: record it "
                "anew; skein trace info and skein report show what the trace has");
  if (stage.points > run.points)
    throw Error(format("--points %llu: %s has %llu sync points%s", wide(stage.points), file.c_str(), points,
                       run.trace.complete() ? "" : " that all ranks came to before the run was cut short"));
  std::uint64_t played = stage.points;
  if (!run.trace.complete() && played == 0) {
    if (points == 0)
      throw Error(file +
                  ": the recorded run was cut short before all ranks came to a first sync point, so that no "
                  "part of it can be played. Record it anew; skein trace check shows what the trace has");
    played = run.points;
    run.remark = format(
        "The recorded run was cut short: the simulation ends at the last of the %llu sync points that all "
        "ranks reached.",
        points);
  } else if (played > 0) {
    run.remark = format(
        "There are %llu sync points; the first %llu are played, and the simulation ends at "
        "the last of these.",
        points, wide(played));
  }
  // The recording does not say which step was which; at a sync point there is one at most.
  if (const std::size_t steps = run.trace.steps().size(); native && steps > points)
    run.remark = format(
        "The recorded run made %zu LB steps and has %llu sync points: steps that start_lb() or a period of "
        "seconds asks for are not simulated.",
        steps, points);
  if (played > 0) {
    run.trace = trace::beginning(run.trace, played);
    run.points = played - 1;  // the last one is the end
  }
  run.told_points = played > 0 ? played : run.points;
  if (recorded_on && has_contention(stage, run.trace)) take_out_contention(run, *recorded_on);
  if (const std::string text = to_text(run.trace.header().disturbance); !text.empty())
    run.remark.append(run.remark.empty() ? "" : " ").append("As it was recorded, ").append(text).append(".");
  return run;
}

void set_load_model(Stage& stage, std::string_view text) {
  (void)lb::parse_load_model(text);
  stage.policy.load_model = text;
}

void set_pe_speed(Stage& stage, std::string_view text) {
  using From = lb::PeSpeeds::From;
  if (text == "uniform" || text == "measured")
    stage.pe_speeds = {text == "uniform" ? From::uniform : From::measured};
  else
    stage.pe_speeds = {From::file, options::parse_text(text)};
}

simulate::Policy policy_of(const Stage& stage, std::size_t pes) {
  using From = lb::PeSpeeds::From;
  simulate::Policy policy = stage.policy;
  if (stage.pe_speeds.from == From::uniform) policy.pe_speeds.emplace();
  if (stage.pe_speeds.from != From::file) return policy;
  try {
    policy.pe_speeds = lb::read_pe_speeds(stage.pe_speeds.file, pes);
  } catch (const lb::FileError& error) {
    throw Error(format("--pe-speed: %s", error.what()));
  }
  return policy;
}

void set_placement(Stage& stage, std::string_view text) {
  using simulate::Placement;
  constexpr Placement placements[] = {Placement::block, Placement::round_robin, Placement::recorded};
  stage.policy.placement = placements[options::parse_choice(text, "block|round-robin|recorded")];
}

std::uint64_t parse_period(std::string_view text) {
  if (text == "auto") return 0;
  if (text.ends_with('s'))
    throw Error("'" + std::string(text) + "' is a time; a simulation takes sync points, or auto");
  return options::parse_count(text, 1, kMostPoints);
}

}  // namespace skein::tools
