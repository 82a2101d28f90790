// SPDX-License-Identifier: Apache-2.0
// The life of a native program on one PE, like run_job.cpp for an MPI program: options, transport, LB, loop,
// end.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <system_error>

#include "runtime/balance/lazy/late_scheme.hpp"
#include "runtime/balance/lb_step.hpp"
#include "runtime/balance/progress.hpp"
#include "runtime/balance/reserved/answer_watch.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/base/standard_output.hpp"
#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/balance/balance.hpp"
#include "runtime/chare/balance/lazy_elements.hpp"
#include "runtime/chare/calls/charging.hpp"
#include "runtime/chare/calls/queue.hpp"
#include "runtime/chare/calls/registry.hpp"
#include "runtime/chare/elements/broadcasts.hpp"
#include "runtime/chare/loop.hpp"
#include "runtime/chare/memory/shared_blocks.hpp"
#include "runtime/chare/memory/spare_memory.hpp"
#include "runtime/chare/quiescence/quiescence.hpp"
#include "runtime/chare/record/execution_record.hpp"
#include "runtime/chare/seeds/seeds.hpp"
#include "runtime/chare/shared/node_table.hpp"
#include "runtime/chare/shared/parallel_loops.hpp"
#include "runtime/chare/shared/read_only.hpp"
#include "runtime/checkpoint/native_states.hpp"
#include "runtime/checkpoint/resizing.hpp"
#include "runtime/checkpoint/saver.hpp"
#include "runtime/checkpoint/state_folder.hpp"
#include "runtime/fiber/guarded_stack.hpp"
#include "runtime/launch/files.hpp"
#include "runtime/launch/launcher.hpp"
#include "runtime/launch/native_program.hpp"
#include "runtime/launch/run_job.hpp"
#include "runtime/launch/spawn.hpp"
#include "runtime/launch/topology.hpp"
#include "runtime/net/agree.hpp"
#include "runtime/net/descriptor_channel.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/program_mpi.hpp"
#include "runtime/net/starter_link.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/trace/recording.hpp"
#include "skein/chare/batches.hpp"
#include "skein/chare/node_memory.hpp"
#include "skein/chare/of_job.hpp"
#include "skein/job.hpp"
#include "skein/mpi.hpp"

namespace skein {
namespace launch {
namespace {

std::span<const char* const> environment() {
  std::size_t count = 0;
  while (environ[count]) ++count;
  return {environ, count};
}

/// Throws unless all PEs run the same program: calls name entry methods by numbers.
void compare_programs() {
  const std::uint64_t mine = chare::registered_digest(chare::read_only_count());
  std::vector<std::uint64_t> all(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&mine, sizeof mine, all.data());
  for (const std::uint64_t digest : all)
    if (digest != all[0]) throw Error("the PEs run different programs, or different versions of one");
}

/// Throws unless all PEs were given the same options.
void compare_options(const RunOptions& run) {
  std::string mine;
  for (const std::string& option : run.given) mine += option + " ";
  const net::PeBlocks all = net::gather_blocks(std::as_bytes(std::span(mine)), net::kOnAllPes);
  const std::byte* next = all.bytes.data();
  std::string first;
  for (std::size_t pe = 0; pe < all.sizes.size(); next += all.sizes[pe++]) {
    const std::string its(reinterpret_cast<const char*>(next), all.sizes[pe]);
    if (pe == 0) first = its;
    if (its != first)
      throw Error(format("the PEs of a job were given different options: PE 0 \"%s\", PE %zu \"%s\"",
                         first.c_str(), pe, its.c_str()));
  }
}

void start_lb(const RunOptions& run) {
  if (run.lb_load != "time" || !run.papi_events.empty())
    throw Error(
        "--skein.papi and --skein.lb-load count events of virtual ranks; the load of an element is its time");
  balance::StepConfig config = step_config(run, nullptr);
  config.agrees = false;  // a period of seconds gathers elements at each sync point
  chare::settings.traffic_wanted = config.wants_graph();
  chare::balance_elements(config.mode);
  balance::start_lb_steps(config);
  if (!config.has_steps() && config.mode.reserved_pes() == 0 && run.trace.file.empty())
    chare::ignore_short_waits();
  if (net::world.pe == 0) chare::configure_called_steps(config);
  if (config.balances() && config.mode.is_lazy())
    chare::start_lazy_elements(config);
  else
    balance::begin_witness(config.mode, nullptr);
  if (config.balances() && config.learns_mode) balance::learn_mode(config, nullptr);
  if (net::world.pe == 0) balance::start_progress(run.progress);
}

void start_trace(const RunOptions& run) {
  if (run.trace.file.empty()) return;
  if (!run.trace.counters.empty())
    throw Error("--skein.trace: counters= counts events of virtual ranks, and this is a native program");
  trace::Header header = trace_header(run);
  header.native = true;
  for (trace::PeIndex pe = 0; pe < header.pes; ++pe) {
    header.placement.push_back(pe);
    header.labels.push_back("PE " + std::to_string(pe));
  }
  trace::start_recording({run.trace.file, run.trace.last_seconds}, header, header.pes);
  chare::record_executions();
}

/// Makes the folder that --checkpoint names. Throws skein::Error.
void make_states_folder(const RunOptions& run) {
  if (net::world.pe != 0 || run.checkpoint.folder.empty()) return;
  if (const std::error_code error = checkpoint::make_folder(run.checkpoint.folder))
    throw Error(format("%s %s: states cannot be written there: %s", named_by(run, "--checkpoint").c_str(),
                       run.checkpoint.folder.c_str(), error.message().c_str()));
}

void set_up(RunOptions& run, const MemoryOfStates& memory) {
  net::together([&] {
    check_states(run, memory);
    make_states_folder(run);
    confirm_world_size(run, net::world.pes);
  });
  net::together([&] { take_memory(memory); });
  if (run.bind == Bind::core) (void)bind_to_core(net::world.machine_pe, net::world.machine_pes);
  compare_programs();
  bool rings_open = false;
  if (run.transport == Transport::memory) {
    net::open_descriptor_channel();
    rings_open = net::open_rings();
  }
  chare::open_node_memory(chare::loop_head_bytes());
  if (rings_open) {
    chare::start_loops();
    chare::open_shared_blocks();
  }
  balance::assign_roles(run.lb_mode);
  if (run.stack_bytes > 0) fiber::set_stack_bytes(run.stack_bytes);
  chare::watch_for_failures();
  chare::settings.elements_watched = run.check;
  chare::settings.repacking = run.check_pup;
  chare::keep_spare_memory();
  chare::begin_numbers();
  chare::route_aggregated_calls(run.aggregation_grid);
  chare::settings.ordered_reductions = run.deterministic;
  chare::settings.states_wanted = saves(run);
  chare::start_quiescence();
  chare::start_seeds(run.seed_balancer, run.seed);
  net::together([&] { start_lb(run); });
  start_trace(run);
}

struct NativeJob {
  std::atomic<const std::function<void(Job&)>*> first_function = nullptr;  // while a job runs
  std::vector<std::string> arguments;                                      // words of the program
  int number = 0;                  // number of jobs whose PE 0 this process was
  std::int64_t output_bytes = -1;  // output in a file when the state was written from which the job continues
};
NativeJob native_job;

struct OneAtATime {
  explicit OneAtATime(const std::function<void(Job&)>& begin) {
    if (native_job.first_function.exchange(&begin))
      chare::fail(
          "skein::run is called while a job of this process runs, by one of its methods or on another "
          "thread: a process has one job at a time, so create another array, or call it when the first has "
          "returned");
  }
  ~OneAtATime() { native_job.first_function = nullptr; }
  OneAtATime(const OneAtATime&) = delete;
  OneAtATime& operator=(const OneAtATime&) = delete;
};

void call_first_function() {
  Job job;
  (*native_job.first_function.load())(job);
}

/// Calls the first function in a job that continues from a state, and removes its output, which is already
/// there.
void call_first_function_again() {
  call_first_function();
  take_output_back(native_job.output_bytes);
}

void begin() {
  call_first_function();
  chare::send_read_only();
}

/// Lets the job continue from a state. Throws skein::Error on all PEs.
void go_on_from_state(RunOptions& run, const MemoryOfStates& memory, std::uint64_t digest) {
  checkpoint::State from = checkpoint::open_native_state(run.restart, digest);
  net::together([&] { take_arguments(run, from); });
  native_job.arguments = run.args;
  std::vector<int> readers = checkpoint::readers_of_images(from);
  if (memory.has_state) {
    checkpoint::begin_where_images_are(from, memory.folder, memory.machines, readers);
    native_job.output_bytes = from.manifest.output_bytes;
  }
  checkpoint::bring_back_elements(from, readers, call_first_function_again);
}

/// Lets the job begin, or continue from a state. Throws skein::Error on all PEs.
void begin_job(RunOptions& run, const MemoryOfStates& memory, std::optional<checkpoint::Saver>& saver) {
  const std::uint64_t digest = chare::registered_digest(chare::read_only_count());
  if (!run.restart.empty())
    go_on_from_state(run, memory, digest);
  else if (net::world.pe == 0)
    chare::enqueue_begin(begin);
  if (!saves(run)) return;
  saver.emplace(places_of_states(run, memory),
                checkpoint::JobOfStates{.program = run.program,
                                        .arguments = run.args,
                                        .identity = checkpoint::native_identity(digest),
                                        .content = std::make_unique<checkpoint::NativeContent>(digest)});
  checkpoint::let_signals_want_states();
  if (run.survive.on) net::tell_starter_of_sigterm();
}

int refuse(const Error& error) {
  fprintf(stderr, "%s\n", error.what());
  return kDidNotStart;
}

/// Ends this process, since the job continues in other ones: these do what the program does after
/// skein::run().
[[noreturn]] void leave_job() {
  chare::close_shared_blocks();
  net::finish();
  fflush(nullptr);
  _exit(EXIT_SUCCESS);
}

/// Runs the job on this PE; the transport is up. `told_folder`: the folder that take_states_folder()
/// returned.
int run_started(RunOptions& run, const std::string& told_folder = "") {
  const struct AtEnd {
    ~AtEnd() { chare::close_shared_blocks(); }
  } at_end;  // leaves when all messages have come
  const PeRuntime runtime({.running_rank = [] { return -1; }, .take_down = net::take_down});
  std::optional<checkpoint::Saver> saver;
  try {
    const MemoryOfStates memory = find_states(run, told_folder);
    set_up(run, memory);
    begin_job(run, memory, saver);
  } catch (const Error& error) {
    return net::world.pe == 0 ? refuse(error) : kDidNotStart;
  }
  const std::optional<int> ended = chare::run_pe([&] { return !saver || saver->save_if_due(false); });
  int status = ended.value_or(EXIT_SUCCESS);
  const bool output_complete = finish_standard_output();
  fflush(nullptr);
  balance::measure_whole_run(balance::AfterJob::process_goes_on);
  chare::end_records();
  const bool trace_complete = trace::finish_recording(chare::busy_seconds());
  const bool files_complete = balance::close_lb_steps() && trace_complete;
  if (saver) saver->finish();
  if (!ended) leave_job();
  if (status == 0 && !(output_complete && files_complete)) status = EXIT_FAILURE;
  chare::forget_broadcasts();
  chare::forget_arrays();
  chare::OfJobBase::forget_all();
  return status;
}

RunOptions options_in(int argc, char** argv) {
  const std::vector<std::string> words = native_option_words({argv, static_cast<std::size_t>(argc)});
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  RunOptions options = parse_run(pointers, environment());
  refuse_ranks(options);
  log_level = options.log_level;
  native_job.arguments = options.args;
  return options;
}

/// Returns true if the user asks for messages through memory, which are not the default here: an entry method
/// that waits in MPI for a message of another PE does not serve this PE meanwhile; messages given to MPI go
/// on, but not those that wait for room in a node's memory.
bool asks_for_memory(const RunOptions& options) {
  return std::ranges::find(options.given, "--transport=memory") != options.given.end();
}

/// Returns the options for run_in_program(), whose job may have fewer PEs than the launcher has started.
RunOptions options_in_program(int argc, char** argv) {
  RunOptions options = options_in(argc, argv);
  const auto launcher = find_launcher(environment());
  const bool all_processes = launcher && launcher->size == options.pes;
  if (options.pes != 0 && options.pes != net::world.pes && !all_processes)
    throw Error(
        format("%s: each process of the communicator that skein::run is called on is one PE, and there are "
               "%d: leave it out",
               named_by(options, "--pes").c_str(), net::world.pes));
  options.pes = 0;
  if (saves(options) || !options.restart.empty())
    throw Error(
        option_of_states(options) +
        ": this program has initialised MPI itself, and may have several jobs: states are written only for "
        "programs whose only job is that of skein::run");
  for (const std::string& option : options.given)
    if (option == "--bind=core")
      throw Error(
          "--skein.bind=core: processes of a program that has initialised MPI are bound by its launcher");
  options.bind = Bind::none;
  if (!asks_for_memory(options)) options.transport = Transport::mpi;
  return options;
}

/// Runs a job in a program that has initialised MPI: the processes of this communicator, or all, are the PEs.
int run_in_program(const void* communicator, int argc, char** argv) {
  try {
    net::start_on(communicator);
  } catch (const Error& error) {
    return refuse(error);
  }
  int status = kDidNotStart;
  try {
    RunOptions options;
    net::together([&] {
      options = options_in_program(argc, argv);
      if (options.lb_mode.is_lazy()) net::let_threads_run();
      if (decides_by_mpi_on_a_thread(options)) net::let_threads_call_mpi();
    });
    compare_options(options);
    if (net::world.pe == 0) ++native_job.number;
    name_files_of_job(options, native_job.number);
    status = run_started(options);
  } catch (const Error& error) {
    if (net::world.pe == 0) refuse(error);
  }
  net::finish();
  chare::stop_watching_for_failures();
  return status;
}

/// Runs a job that has MPI to itself.
int run_alone(int argc, char** argv) {
  RunOptions options;
  std::string told_folder;
  try {
    options = options_in(argc, argv);
    const auto launcher = find_launcher(environment());
    if (!launcher) {
      if (options.pes > 1)
        throw Error(
            format("%s was started as one process: for %d PEs start it by mpirun -n %d or skein run -p %d",
                   argv[0], options.pes, options.pes, options.pes));
      options.pes = 1;
      prepare_single_pe();
    }
    if (options.survive.on) options.pes = 0;  // the job may have been resized
    settle_counts(options, launcher, available_cores());
    if (decides_by_mpi_on_a_thread(options)) net::let_threads_call_mpi();
    net::take_starter_name();
    told_folder = take_states_folder();
    net::start(&argc, &argv);
  } catch (const Error& error) {
    return refuse(error);
  }
  const int status = run_started(options, told_folder);
  net::finish();
  return status;
}

}  // namespace
}  // namespace launch

const std::vector<std::string>& chare::program_arguments() { return launch::native_job.arguments; }

int run(int argc, char** argv, const std::function<void(Job&)>& begin) {
  const launch::OneAtATime job(begin);
  return net::program_initialised_mpi() ? launch::run_in_program(nullptr, argc, argv)
                                        : launch::run_alone(argc, argv);
}

int run(MPI_Comm communicator, int argc, char** argv, const std::function<void(Job&)>& begin) {
  const launch::OneAtATime job(begin);
  return launch::run_in_program(&communicator, argc, argv);
}

}  // namespace skein
