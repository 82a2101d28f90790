// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/option_values.hpp"

#include <algorithm>
#include <bit>
#include <initializer_list>

#include "runtime/arena/arena.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/texts.hpp"
#include "runtime/load/meter.hpp"
#include "runtime/options/values.hpp"
#include "skein/lb/load_model.hpp"
#include "skein/lb/model.hpp"
#include "skein/lb/nearest.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::launch {
namespace {

/// The blocking collectives, whose calls can be sync points.
constexpr std::string_view kBlockingCollectives =
    "MPI_Allgather|MPI_Allgatherv|MPI_Allreduce|MPI_Alltoall|MPI_Alltoallv|MPI_Alltoallw|MPI_Barrier|"
    "MPI_Bcast|MPI_Exscan|MPI_Gather|MPI_Gatherv|MPI_Neighbor_allgather|MPI_Neighbor_allgatherv|"
    "MPI_Neighbor_alltoall|MPI_Neighbor_alltoallv|MPI_Neighbor_alltoallw|MPI_Reduce|MPI_Reduce_scatter|"
    "MPI_Reduce_scatter_block|MPI_Scan|MPI_Scatter|MPI_Scatterv|MPI_Win_fence";

constexpr std::uint64_t kMostPoints = 1'000'000'000;
constexpr std::size_t kLeastStackBytes = 16 * 1024;
constexpr std::size_t kMostStackBytes = std::size_t{16} << 30;

[[noreturn]] void refuse_key(std::string_view text, const char* what,
                             std::initializer_list<std::string_view> keys) {
  throw Error("'" + std::string(text) + "' is no key of " + what +
              lb::valid_names(text.substr(0, text.find('=')), {keys.begin(), keys.size()}));
}

}  // namespace

void set_lb(RunOptions& run, std::string_view text) {
  run.lb = text;
  if (lb::names_library(text)) return;  // it is loaded where it is used: this function touches no file
  try {
    lb::check_choice(text);
  } catch (const lb::StrategyError& error) {
    throw Error(error.what());
  }
}

void set_lb_model(RunOptions& run, std::string_view text) {
  try {
    (void)lb::parse_load_model(text);
  } catch (const lb::StrategyError& error) {
    throw Error(error.what());
  }
  run.lb_model = text;
}

void set_pe_speed(RunOptions& run, std::string_view text) {
  (void)options::parse_text(text);
  using From = lb::PeSpeeds::From;
  if (text == "auto")
    run.pe_speeds = {};
  else if (text == "uniform")
    run.pe_speeds = {From::uniform};
  else if (text == "measured")
    run.pe_speeds = {From::measured};
  else
    run.pe_speeds = {From::file, std::string(text)};
}

void set_lb_mode(RunOptions& run, std::string_view text) {
  if (text.starts_with("auto:"))
    throw Error(
        "mode 'auto' has no keys, since it learns from the job's own steps alone; skein tune TRACE --lb-mode "
        "all --platform FILE finds the fastest mode from an earlier run and a platform");
  run.learn_mode = text == "auto";
  try {
    run.lb_mode = run.learn_mode ? lb::Mode() : lb::parse_mode(text);
  } catch (const lb::StrategyError& error) {
    constexpr std::string_view names[] = {"inline", "decoupled", "lazy", "auto"};
    const std::string_view name = text.substr(0, text.find(':'));
    if (std::ranges::find(names, name) != std::end(names)) throw Error(error.what());
    throw Error("unknown mode '" + std::string(name) + "'" + lb::valid_names(name, names));
  }
}

void set_lb_period(RunOptions& run, std::string_view text) {
  if (text == "auto") {
    run.lb_period = {LbPeriod::Unit::automatic, 0, 0};
  } else if (text.ends_with('s')) {
    const double seconds = options::parse_seconds(text.substr(0, text.size() - 1), kMostPeriodSeconds);
    run.lb_period = {LbPeriod::Unit::seconds, 0, seconds};
  } else {
    run.lb_period = {LbPeriod::Unit::points, options::parse_count(text, 1, kMostPoints), 0};
  }
}

void set_lb_memory(RunOptions& run, std::string_view text) {
  run.lb_memory_bytes = text == "none" ? 0 : options::parse_size(text, 1, arena::kArenaLimitBytes);
}

void set_sync_at(RunOptions& run, std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view call = text.substr(0, colon);
  options::parse_choice(call, "auto|none|" + std::string(kBlockingCollectives));
  run.sync_at = {std::string(call), 1, 0};
  if (colon == std::string_view::npos) return;
  if (call == "auto" || call == "none") throw Error(run.sync_at.call + " has no keys");
  for (const std::string& key : options::parse_list(text.substr(colon + 1), ',')) {
    if (key.starts_with("every="))
      run.sync_at.every = options::parse_count(key.substr(6), 1, kMostPoints);
    else if (key.starts_with("ranks="))
      run.sync_at.ranks = static_cast<int>(options::parse_count(key.substr(6), 2, kMostRanks));
    else
      refuse_key(key, "a sync point", {"every", "ranks"});
  }
}

void set_map(RunOptions& run, std::string_view text) {
  (void)options::parse_text(text);
  run.map = text == "block" ? Map::block : text == "round-robin" ? Map::round_robin : Map::file;
  run.map_file = run.map == Map::file ? text : std::string_view();
}

void set_slot_size(RunOptions& run, std::string_view text) {
  if (text == "auto") {
    run.slot_bytes = 0;
    return;
  }
  const std::size_t bytes = options::parse_size(text, arena::kLeastSlotBytes, arena::kMostSlotBytes);
  if (!std::has_single_bit(bytes))
    throw Error("'" + std::string(text) + "' is no power of two; the next one is " +
                size_text(std::bit_ceil(bytes)));
  run.slot_bytes = bytes;
}

void set_stack_size(RunOptions& run, std::string_view text) {
  const std::size_t bytes = options::parse_size(text, kLeastStackBytes, kMostStackBytes);
  run.stack_bytes = (bytes + arena::kPageBytes - 1) / arena::kPageBytes * arena::kPageBytes;
}

void set_papi(RunOptions& run, std::string_view text) {
  run.papi_events = options::parse_list(text, ',');
  if (run.papi_events.size() > load::kMaxCounters)
    throw Error(format("%zu events are more than the %d that a rank can count", run.papi_events.size(),
                       load::kMaxCounters));
}

void set_check(RunOptions& run, std::string_view text) {
  constexpr std::string_view more[] = {"pup", "leaks"};
  run.check_pup = text == "pup";
  run.check_leaks = text == "leaks";
  try {
    run.check = run.check_pup || run.check_leaks || options::parse_switch(text);
  } catch (const Error& error) {
    throw Error(error.what() + std::string(", nor pup or leaks") + lb::did_you_mean(text, more));
  }
}

void set_trace(RunOptions& run, std::string_view text) {
  constexpr std::string_view counters = ":counters=", last = ":last=";
  const auto next_key = [&](std::size_t from) {
    return std::min(text.find(counters, from), text.find(last, from));
  };
  TraceOptions trace;
  const std::size_t end_of_name = std::min(next_key(0), text.size());
  trace.file = text.substr(0, end_of_name);
  if (trace.file.empty()) throw Error("'' is no name of a file");
  const std::size_t colon = trace.file.rfind(':');
  const std::size_t equals = colon == std::string::npos ? colon : trace.file.find('=', colon);
  if (equals != std::string::npos &&
      std::all_of(&trace.file[colon + 1], &trace.file[equals], [](char c) { return c >= 'a' && c <= 'z'; }))
    refuse_key(trace.file.substr(colon + 1), "a trace", {"counters", "last"});
  for (std::size_t at = end_of_name; at < text.size();) {
    const std::size_t end = std::min(next_key(at + 1), text.size());
    const std::string_view key = text.substr(at, end - at);
    if (key.starts_with(last))
      trace.last_seconds = options::parse_seconds(key.substr(last.size()), kMostPeriodSeconds);
    else
      trace.counters = options::parse_list(key.substr(counters.size()), ',');
    at = end;
  }
  if (trace.counters.size() > load::kMaxCounters)
    throw Error(format("%zu counters are more than the %d that a rank can have", trace.counters.size(),
                       load::kMaxCounters));
  run.trace = std::move(trace);
}

namespace {

constexpr int kMostStates = 1000;
constexpr double kMostCount = 1e9;  // of any unit

/// Parses a number and its unit. Returns seconds.
double parse_time(std::string_view text) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  constexpr Unit units[] = {{"min", 60}, {"h", 3600}, {"s", 1}};
  for (const Unit& unit : units) {
    if (!text.ends_with(unit.name)) continue;
    const double count = options::parse_seconds(text.substr(0, text.size() - unit.name.size()), kMostCount);
    if (count * unit.seconds > kMostPeriodSeconds)
      throw Error(format("'%s' is more than the %.0f h that it can be at most", std::string(text).c_str(),
                         kMostPeriodSeconds / units[1].seconds));
    return count * unit.seconds;
  }
  throw Error("'" + std::string(text) + "' is no time: a number with s, min or h behind it, as 10min");
}

}  // namespace

void set_checkpoint(RunOptions& run, std::string_view text) {
  constexpr std::string_view every = "every=", keep = "keep=";
  const std::size_t keys = std::min(text.find(":every="), text.find(":keep="));
  CheckpointOptions checkpoint;
  checkpoint.folder = text.substr(0, keys);
  if (checkpoint.folder.empty()) throw Error("'' is no name of a folder");
  if (checkpoint.folder.ends_with(':')) throw Error("after ':' it takes every=TIME or keep=N");
  if (const std::size_t colon = checkpoint.folder.rfind(':');
      colon != std::string::npos && checkpoint.folder.find('=', colon) != std::string::npos)
    refuse_key(checkpoint.folder.substr(colon + 1), "a checkpoint", {"every", "keep"});
  if (keys != std::string_view::npos) {
    for (const std::string& key : options::parse_list(text.substr(keys + 1), ',')) {
      if (key.starts_with(every))
        checkpoint.every_s = parse_time(std::string_view(key).substr(every.size()));
      else if (key.starts_with(keep))
        checkpoint.keep = static_cast<int>(options::parse_count(key.substr(keep.size()), 1, kMostStates));
      else
        refuse_key(key, "a checkpoint", {"every", "keep"});
    }
  }
  run.checkpoint = std::move(checkpoint);
}

void set_survive(RunOptions& run, std::string_view text) {
  constexpr std::string_view every = "every=", grace = "grace=", stopped = "stopped=";
  const bool has_keys = text.find('=') != std::string_view::npos;
  SurviveOptions survive{.on = has_keys || options::parse_switch(text)};
  if (has_keys) {
    for (const std::string& key : options::parse_list(text, ',')) {
      if (key.starts_with(every))
        survive.every_s = parse_time(std::string_view(key).substr(every.size()));
      else if (key.starts_with(grace))
        survive.grace_s = parse_time(std::string_view(key).substr(grace.size()));
      else if (key.starts_with(stopped))
        survive.stopped_s = parse_time(std::string_view(key).substr(stopped.size()));
      else
        refuse_key(key, "--survive", {"every", "grace", "stopped"});
    }
  }
  run.survive = survive;
}

}  // namespace skein::launch
