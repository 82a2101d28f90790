// SPDX-License-Identifier: Apache-2.0
// The life of a job on one PE: address space, program, transport, arena (create_ranks.cpp), ranks
// (create_ranks.cpp), loop, end.
#include "runtime/launch/run_job.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/arena/arena.hpp"
#include "runtime/balance/agreed_steps.hpp"
#include "runtime/balance/lazy/late_scheme.hpp"
#include "runtime/balance/lb_step.hpp"
#include "runtime/balance/progress.hpp"
#include "runtime/balance/reserved/answer_watch.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/base/standard_output.hpp"
#include "runtime/checkpoint/partner_copies.hpp"
#include "runtime/checkpoint/rank_images.hpp"
#include "runtime/checkpoint/resizing.hpp"
#include "runtime/checkpoint/restart.hpp"
#include "runtime/checkpoint/saver.hpp"
#include "runtime/fiber/thread_block.hpp"
#include "runtime/image/address_space.hpp"
#include "runtime/image/program.hpp"
#include "runtime/launch/compiler.hpp"
#include "runtime/launch/create_ranks.hpp"
#include "runtime/launch/launcher.hpp"
#include "runtime/launch/program_files.hpp"
#include "runtime/launch/topology.hpp"
#include "runtime/libc/descriptor_owners.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/openmp.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/libc/process_numbers.hpp"
#include "runtime/libc/shared_state.hpp"
#include "runtime/load/counters.hpp"
#include "runtime/move/collect.hpp"
#include "runtime/move/mover.hpp"
#include "runtime/move/rank_objects.hpp"
#include "runtime/net/agree.hpp"
#include "runtime/net/descriptor_channel.hpp"
#include "runtime/net/exchanges.hpp"
#include "runtime/net/node_calls.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/program_mpi.hpp"
#include "runtime/net/starter_link.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/pe/deadlock.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/pe/output.hpp"
#include "runtime/pe/pe_loop.hpp"
#include "runtime/pe/sync.hpp"
#include "runtime/rank/end_job.hpp"
#include "runtime/rank/job_guards.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/trace/recording.hpp"
#include "runtime/vmpi/api/symbols.hpp"
#include "runtime/vmpi/check/check.hpp"
#include "runtime/vmpi/coll/api/sync_at.hpp"
#include "runtime/vmpi/coll/meeting/local.hpp"
#include "runtime/vmpi/fortran/sentinels.hpp"
#include "runtime/vmpi/io/here.hpp"
#include "runtime/vmpi/p2p/flow_control.hpp"
#include "runtime/vmpi/state.hpp"
#include "runtime/vmpi/sync.hpp"
#include "skein/lb/nearest.hpp"

namespace skein::launch {
namespace {

std::unique_ptr<image::Program> load_program(const RunOptions& run) {
  image::ProgramOptions options = program_files(run);
  libc::refuse_openmp_threads = run.threads == Threads::refuse;
  options.overrides = libc::override_tables();
  options.overrides.push_back(vmpi::api_symbols);
  if (!run.trace.file.empty()) options.overrides.push_back(libc::recorded_file_overrides());
  return std::make_unique<image::Program>(options);
}

/// Returns why ranks cannot move in this job, or null. Collective.
const char* cannot_move(const image::AddressSpaceState& space, const image::Program& program) {
  struct Marks {
    std::uint64_t addresses, program;
  };
  const Marks mine{program.library_addresses(), program.digest()};
  std::vector<Marks> all(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&mine, sizeof mine, all.data());
  for (const Marks& marks : all) {
    if (marks.program != all[0].program)
      return "the PEs have different files of the program or of its private libraries";
    if (marks.addresses != all[0].addresses)
      return space.method == image::AddressSpaceState::Method::none
                 ? "address-space randomisation cannot be switched off here (personality and skein-boot both "
                   "failed)"
                 : "the PEs have shared libraries at different addresses, or different ones";
  }
  return nullptr;
}

/// Finds the addresses of Fortran's special arguments, the same in every slot.
void find_sentinels(const image::Program& program) {
  const auto offset = program.offset_of(vmpi::fortran::kSentinelsSymbol);
  if (offset) vmpi::fortran::place_sentinels(arena::reserved.layout.image_offset + *offset);
}

/// Returns true if the program may use MPI's interface for tools to ask for the loads of its ranks.
bool has_tools(const image::Program& program) {
  return std::ranges::any_of(program.images(),
                             [](const auto& image) { return refers_to(image->file, "MPI_T_init"); });
}

/// Lays out the numbers of each rank's descriptors, the same on all PEs, within the least of the limits.
/// Throws one skein::Error on all PEs.
int lay_out_descriptors(int ranks, const checkpoint::State* from) {
  const int mine = libc::raise_descriptor_limit();
  std::vector<int> limits(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&mine, sizeof mine, limits.data());
  int limit = std::ranges::min(limits);
  if (from && limit < from->manifest.descriptor_limit)
    throw Error(format(
        "%s: cannot go on here: its ranks may have %d open files between them, and the limit here is %d; "
        "raise it (ulimit -Hn)",
        from->path.c_str(), from->manifest.descriptor_limit, limit));
  if (from) limit = from->manifest.descriptor_limit;
  libc::set_descriptor_windows(limit, ranks);
  return limit;
}

pid_t number_processes(int ranks, const checkpoint::State* from) {
  pid_t starter = from ? from->manifest.first_process : getpid();
  net::broadcast(&starter, sizeof starter, 0);
  libc::set_process_numbers(starter, ranks);
  return starter;
}

/// Gives all PEs one set of secrets, different for each job. Throws one skein::Error on all PEs.
void agree_on_guards(const checkpoint::State* from) {
  net::together([&] {
    if (from)
      job_guards = {from->manifest.canary, from->manifest.pointer_guard};
    else if (net::world.pe == 0)
      job_guards = draw_job_guards();
  });
  net::broadcast(&job_guards, sizeof job_guards, 0);
}

/// Returns true if the program may have sync points of its own: MPI_Migrate(), AMPI's, or Fortran's names of
/// them.
bool may_migrate(const image::Program& program) {
  return std::ranges::any_of(program.images(), [](const auto& image) {
    return std::ranges::any_of(image->file.symbols, [](const image::Symbol& symbol) {
      const auto has = [&](std::string_view name) { return symbol.name.find(name) != symbol.name.npos; };
      return !symbol.defined && (has("MPI_Migrate") || has("mpi_migrate"));
    });
  });
}

/// Returns true if any collective on all ranks may be a sync point (--sync-at auto).
bool counts_any_collective(const RunOptions& run) {
  if (!run.sync_at.call.empty()) return run.sync_at.call == "auto";
  const bool balances = !run.lb.empty() && run.lb != "none";
  return balances || saves(run);
}

/// If the program may have sync points of its own, and the user has not said more, so many collectives must
/// pass without one before collectives are sync points: twice the default number of own ones from step to
/// step.
constexpr std::uint64_t kLeftOut = 40;

/// Starts LB. Returns true if it is going to need the ranks' loads.
bool start_lb(const RunOptions& run, const char* obstacle, const image::Program& program) {
  const bool any_collective = counts_any_collective(run);
  const bool later = any_collective && run.sync_at.call.empty() && may_migrate(program);
  const balance::StepConfig config = step_config(run, obstacle, any_collective, later);
  load::traffic_wanted = config.wants_graph();
  if (config.balances() && obstacle && net::world.pe == 0)
    SKEIN_WARN("ranks cannot move in this job: %s", obstacle);
  vmpi::settings.deterministic = run.deterministic;
  if (any_collective && (!later || config.agrees || config.agrees_later))
    vmpi::set_sync_at_any(later ? kLeftOut : 0);
  else if (!run.sync_at.call.empty() && run.sync_at.call != "none")
    vmpi::set_sync_at(run.sync_at.call, run.sync_at.every, run.sync_at.ranks ? run.sync_at.ranks : run.ranks);
  balance::start_lb_steps(config);
  if (!run.restart.empty()) vmpi::let_ranks_stop_in_waits();  // the state's ranks may continue in waits
  if (config.agrees || config.agrees_later) {
    const bool pauses = config.mode.reserved_pes() == 0 && !config.mode.is_lazy() && !config.learns_mode;
    const bool in_waits = pauses && !config.records;
    if (in_waits) vmpi::let_ranks_stop_in_waits();
    balance::agree_on_steps(config.agrees_later.value_or(config.period),
                            {pe::release_held, pe::call_stop_off, in_waits ? pe::stop_in_waits : nullptr},
                            config.agrees_later.has_value());
  }
  if (config.balances() && config.mode.is_lazy()) {
    balance::start_lazily(config, pe::release_held);
  } else if (config.mode.reserved_pes() > 0) {
    balance::begin_witness(config.mode, nullptr);
  } else if (config.balances() && config.learns_mode) {
    balance::learn_mode(config, pe::release_held);
  }
  const bool wants_loads = config.has_steps() || config.mode.reserved_pes() > 0;
  if (net::world.pe != 0) return wants_loads;
  balance::start_progress(run.progress);
  return wants_loads;
}

void start_papi(const RunOptions& run) {
  if (run.lb_load != "time") {
    const auto event = std::ranges::find(run.papi_events, run.lb_load);
    if (event == run.papi_events.end()) {
      std::vector<std::string_view> names(run.papi_events.begin(), run.papi_events.end());
      names.emplace_back("time");
      throw Error("--lb-load " + run.lb_load + ": not one of the events that --papi counts; name it there" +
                  lb::valid_names(run.lb_load, names));
    }
    move::set_load_counter(static_cast<int>(event - run.papi_events.begin()));
  }
  // Those of --papi first, which are printed at the end; then what only the trace wants.
  std::vector<std::string> events = run.papi_events;
  for (const std::string& event : run.trace.counters) {
    auto place = std::ranges::find(events, event);
    if (place == events.end()) place = events.insert(place, event);
    trace::measuring.counters.push_back(static_cast<std::size_t>(place - events.begin()));
  }
  if (events.size() > load::kMaxCounters)
    throw Error(format("--papi and the counters of --trace are %zu different events; a rank can count %d",
                       events.size(), load::kMaxCounters));
  trace::measuring.charge_counters = load::charge_counters;
  if (!events.empty()) load::start_counters(events);
}

void tell_found_private(const image::Program& program) {
  std::string names;
  for (const std::string& name : program.found_private())
    names.append(names.empty() ? "" : ", ").append(name);
  if (!names.empty() && net::world.pe == 0)
    SKEIN_WARN(
        "each rank has its own copy of these libraries, which have variables: %s (--shared LIB: one "
        "copy for each PE)",
        names.c_str());
}

void start_trace(const RunOptions& run) {
  if (run.trace.file.empty()) return;
  trace::Header header = trace_header(run);
  for (const int pe : pe::location->pe_of_rank) header.placement.push_back(static_cast<trace::PeIndex>(pe));
  trace::start_recording({run.trace.file, run.trace.last_seconds}, header,
                         static_cast<std::size_t>(run.ranks));
}

/// State of the job between its start and its end, beside what modules keep.
struct Job {
  std::string openmp_threads;  ///< OMP_NUM_THREADS before set_environment()
  checkpoint::Identity identity;
  std::optional<checkpoint::State> from;
  std::optional<checkpoint::Saver> saver;
};

/// Sets up everything after MPI_Init that can fail for reasons outside. Throws the same skein::Error on all
/// PEs.
void set_up(RunOptions& run, const image::AddressSpaceState& space, image::Program& program,
            const std::string& told_folder, Job& job) {
  const MemoryOfStates memory = find_states(run, told_folder);
  net::together([&] {
    check_states(run, memory);
    check_slots(run, space);
  });
  net::together([&] { take_memory(memory); });
  if (!run.restart.empty()) {
    job.from = checkpoint::open_state_of_ranks(run.restart, job.identity);
    net::together([&] { take_over(run, *job.from); });
  }
  const checkpoint::State* const from = job.from ? &*job.from : nullptr;
  net::together([&] { confirm_world_size(run, net::world.pes); });
  if (run.bind == Bind::core) (void)bind_to_core(net::world.machine_pe, net::world.machine_pes);
  balance::assign_roles(run.lb_mode);
  vmpi::set_rank_count(run.ranks);
  net::together([&] { pe::location->pe_of_rank = initial_placement(run); });
  if (memory.has_state)
    checkpoint::begin_where_images_are(*job.from, memory.folder, memory.machines, pe::location->pe_of_rank);
  const char* const obstacle = cannot_move(space, program);
  tell_found_private(program);
  net::open_descriptor_channel();
  if (run.transport == Transport::memory && net::open_rings()) {
    net::open_exchanges();
    net::open_rounds();
    net::open_node_calls();
  }
  net::together([&] {
    reserve_arena(run, program, from && from->manifest.code_inside);
    if (from) checkpoint::check_slots(*from);
  });
  find_sentinels(program);
  std::string environment;
  net::together([&] { environment = share_environment(program, job.openmp_threads, from); });
  const int descriptor_limit = lay_out_descriptors(run.ranks, from);
  const pid_t first_process = number_processes(run.ranks, from);
  agree_on_guards(from);
  vmpi::limit_eager_memory(std::min(run.eager_memory, (std::size_t{1} << arena::reserved.slot_shift) / 4));
  pe::start_deadlock_watch(run.deadlock_seconds);
  move::start_mover();
  pe::share_standard_streams();
  bool wants_loads = !run.trace.file.empty() || has_tools(program);
  net::together([&] { wants_loads |= start_lb(run, obstacle, program); });
  net::together([&] { start_papi(run); });
  start_trace(run);
  if (run.check) vmpi::start_checking();
  set_program_tls_bytes(program.tls_bytes());
  if (!wants_loads) share_looks();
  if (from)
    checkpoint::bring_back(*from);
  else
    net::together([&] { create_ranks(run, program); });
  const std::vector<checkpoint::Place> places = places_of_states(run, memory);
  job.saver.emplace(places,
                    checkpoint::JobOfStates{.program = run.program,
                                            .arguments = run.args,
                                            .identity = job.identity,
                                            .content = std::make_unique<checkpoint::RankContent>(
                                                descriptor_limit, first_process, std::move(environment))});
  // Ranks of a state may continue where they wait for others to ask for one.
  if (!places.empty() || from) let_ranks_ask_for_states(places, *job.saver);
}

[[noreturn]] void run_ranks_and_exit(const RunOptions& run, Job& job) {
  set_stack_canary();
  watch_for_faults();
  keep_unfinished_lines();
  if (run.survive.on) net::tell_starter_of_sigterm();
  if (saves(run)) checkpoint::let_signals_want_states();
  move::list_ranks_for_debugger();
  libc::note_open_descriptors();
  pe::run_pe([&job](bool for_state) { return job.saver->save_if_due(for_state); });
  const bool output_complete = finish_standard_output();
  fflush(nullptr);
  balance::measure_whole_run(balance::AfterJob::process_ends);
  const bool trace_complete = trace::finish_recording(seconds_of(scheduler_stats().busy_ticks));
  const bool files_complete = balance::close_lb_steps() && trace_complete;
  pe::print_counted_events(run.papi_events);
  const bool is_right = !vmpi::conclude_checking(run.check_leaks);
  job.saver->finish();
  vmpi::close_all_here();
  net::finish();
  fflush(nullptr);
  // Not exit(): handlers that the libraries registered may refer to ranks, and the guards of this process
  // have changed.
  _exit(output_complete && files_complete && is_right ? EXIT_SUCCESS : EXIT_FAILURE);
}

}  // namespace

void run_job(const RunOptions& given, const image::AddressSpaceState& space, char** argv) {
  RunOptions run = given;
  fiber::check_thread_block();
  libc::prepare_c_library(run.program.c_str());
  Job job;
  job.openmp_threads = set_environment();
  net::take_starter_name();
  const std::string states = take_states_folder();
  std::unique_ptr<image::Program> program;
  std::string failure;
  try {
    program = load_program(run);
    job.identity = {.program = program->digest(),
                    .addresses = program->library_addresses(),
                    .thread_pointer = reinterpret_cast<std::uint64_t>(fiber::thread_pointer()),
                    .libraries = checkpoint::libraries_here()};
  } catch (const Error& error) {
    failure = error.what();
  }
  int argc = 0;
  while (argv[argc]) ++argc;
  if (decides_by_mpi_on_a_thread(run) || may_come_to_that(run)) net::let_threads_call_mpi();
  net::start(&argc, &argv);
  const PeRuntime runtime(upcalls_for_ranks(!run.papi_events.empty() || !run.trace.counters.empty()));
  try {
    net::agree_on(failure);
    move::balance_ranks();
    set_up(run, space, *program, states, job);
  } catch (const Error& error) {
    if (net::world.pe == 0) fprintf(stderr, "%s\n", error.what());
    net::finish();
    _exit(kDidNotStart);
  }
  run_ranks_and_exit(run, job);
}

}  // namespace skein::launch
