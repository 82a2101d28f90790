// SPDX-License-Identifier: Apache-2.0
// Two runtimes of a PE in one process, one after the other: the second finds nothing of the first, whatever
// its number of ranks and sync points. Ranks are bare fibers here, without a program. Started by mpiexec on
// any number of PEs.
#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "runtime/arena/arena.hpp"
#include "runtime/balance/lb_step.hpp"
#include "runtime/balance/objects.hpp"
#include "runtime/base/check.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/pe/deadlock.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/pe/pe_loop.hpp"
#include "runtime/pe/sync.hpp"
#include "runtime/rank/scheduler.hpp"

using namespace skein;

namespace {

struct Job {
  int ranks;
  std::uint64_t points;  ///< sync points that each rank passes
  std::uint64_t period;
};

// ---- what LB steps balance: each rank has a load of one second and stays

class Counted final : public balance::Objects {
 public:
  const char* noun() const override { return "ranks"; }
  std::string sync_hint() const override { return ""; }
  bool moves_copy() const override { return false; }
  double meeting_seconds() const override { return pe::last_meeting_seconds(); }
  double busy_seconds() const override { return 0; }
  balance::IntervalShare end_interval() override { return {net::world.pe, net::world.pes}; }
  std::vector<std::byte> share() override { return {}; }
  lb::Snapshot snapshot_of(const net::PeBlocks&) override {
    lb::Snapshot all;
    all.pes = lb::uniform_pes(static_cast<std::size_t>(net::world.pes));
    for (const int pe : pe::location->pe_of_rank)
      all.add_object({.pe = static_cast<lb::PeIndex>(pe), .load = 1});
    return all;
  }
  balance::MoveTotals move(const lb::Decision&) override { return {}; }
  lb::MeasuredPart part_of(const net::PeBlocks&) override { return {}; }
  balance::MoveTotals move_own(std::span<const lb::PeIndex>) override { return {}; }
  lb::LocalPe local() override { return {}; }
  balance::MoveTotals bring(std::span<const lb::ObjectIndex>) override { return {}; }
  const std::vector<int>& pinned() const override { return pinned_; }

 private:
  std::vector<int> pinned_;
};

/// Returns the numbers of the steps in a report.
std::vector<std::uint64_t> steps_in(const std::string& report) {
  std::vector<std::uint64_t> steps;
  std::ifstream file(report);
  for (std::string line; std::getline(file, line);) {
    const auto record = nlohmann::json::parse(line);
    if (record.contains("step")) steps.push_back(record["step"]);
  }
  return steps;
}

// ---- ranks

std::uint64_t points_of_ranks = 0;

void pass_points(Fiber& fiber) {
  std::uint64_t passed = 0;
  for (std::uint64_t i = 0; i < points_of_ranks; ++i) {
    pe::sync_point(passed);
    yield();
  }
  pe::note_rank_ended(*fiber.rank);
  finish_rank();
}

void create_ranks(int ranks) {
  const arena::SlotLayout layout = arena::make_layout(arena::kLeastSlotBytes, std::size_t{256} << 10,
                                                      sizeof(Rank) + arena::kColourRoom, arena::kPageBytes);
  arena::reserve(layout, static_cast<std::size_t>(ranks), arena::Backing::private_pages, -1);
  for (int id = 0; id < ranks; ++id) {
    pe::location->pe_of_rank.push_back(id % net::world.pes);
    if (!pe::is_here(id)) continue;
    Rank& rank = *new (arena::control_address(static_cast<std::size_t>(id))) Rank;
    rank.id = id;
    rank.heap.initialise(arena::heap_address(static_cast<std::size_t>(id)),
                         arena::slot_address(static_cast<std::size_t>(id) + 1));
    prepare_main_fiber(rank, pass_points);
    pe::add_rank(id);
  }
}

void check_new() {
  SKEIN_CHECK(pe::location->pe_of_rank.empty(), "ranks of the last runtime");
  SKEIN_CHECK(pe::meetings_ended() == 0 && pe::may_meet(), "the loop of the last runtime");
  SKEIN_CHECK(scheduler_stats().switches == 0 && !any_ready(), "the scheduler of the last runtime");
}

void run(const Job& job) {
  const PeRuntime runtime({.running_rank = [] { return current_rank() ? current_rank()->id : -1; },
                           .take_down = [](int status) { net::take_down(status); },
                           .poll = [] { (void)net::poll(); },
                           .poll_one = [] { (void)net::poll_one(); },
                           .wait = pe::wait_idly,
                           .idle = pe::watch_for_deadlock});
  check_new();
  pe::start_deadlock_watch(5);
  balance::set_objects(std::make_unique<Counted>());
  create_ranks(job.ranks);
  points_of_ranks = job.points;
  const std::string report = "runtimes-" + std::to_string(net::world.pes) + ".json";
  balance::StepConfig config;
  config.strategy = lb::parse_strategy("greedy-refine");
  config.period.points = job.period;
  config.report_file = report;
  balance::start_lb_steps(std::move(config));
  net::barrier();
  pe::run_pe([](bool) { return true; });
  const std::uint64_t steps = job.points / job.period;
  SKEIN_CHECK(pe::meetings_ended() == steps, "%llu steps instead of %llu",
              static_cast<unsigned long long>(pe::meetings_ended()), static_cast<unsigned long long>(steps));
  balance::measure_whole_run(balance::AfterJob::process_goes_on);
  SKEIN_CHECK(balance::close_lb_steps(), "the report is incomplete");
  if (net::world.pe == 0) {
    std::vector<std::uint64_t> expected(steps);
    std::iota(expected.begin(), expected.end(), std::uint64_t{1});
    SKEIN_CHECK(steps_in(report) == expected, "the report has other steps than 1 to %llu",
                static_cast<unsigned long long>(steps));
  }
  arena::release();
}

}  // namespace

int main(int argc, char** argv) {
  net::start(&argc, &argv);
  run({.ranks = 8, .points = 7, .period = 2});
  run({.ranks = 5, .points = 12, .period = 3});
  net::finish();
  std::printf("PE %d: all as it should be\n", net::world.pe);
}
