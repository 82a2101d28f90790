// SPDX-License-Identifier: Apache-2.0
// The life of a job on one PE: address space, program, transport, arena, ranks, loop, end.
#include "runtime/launch/run_job.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "runtime/arena/arena.hpp"
#include "runtime/base/backtrace.hpp"
#include "runtime/base/check.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/fiber/thread_block.hpp"
#include "runtime/image/address_space.hpp"
#include "runtime/image/debugger.hpp"
#include "runtime/image/program.hpp"
#include "runtime/image/start.hpp"
#include "runtime/launch/compiler.hpp"
#include "runtime/launch/launcher.hpp"
#include "runtime/launch/lb_config.hpp"
#include "runtime/launch/placement.hpp"
#include "runtime/launch/topology.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/libc/shared_state.hpp"
#include "runtime/load/counters.hpp"
#include "runtime/move/collect.hpp"
#include "runtime/move/deadlock.hpp"
#include "runtime/move/lb_step.hpp"
#include "runtime/move/location.hpp"
#include "runtime/move/mover.hpp"
#include "runtime/move/pe_loop.hpp"
#include "runtime/move/rank_objects.hpp"
#include "runtime/move/standard_streams.hpp"
#include "runtime/move/sync.hpp"
#include "runtime/net/agree.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/rank/end_job.hpp"
#include "runtime/rank/faults.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/api/symbols.hpp"
#include "runtime/vmpi/coll/deterministic.hpp"
#include "runtime/vmpi/coll/meeting_place.hpp"
#include "runtime/vmpi/coll/sync_at.hpp"
#include "runtime/vmpi/fortran/sentinels.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/visibility.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::launch {
namespace {

constexpr std::size_t default_stack_bytes = std::size_t{8} << 20;

// ---- hooks that tie the layers together

void place_of_log(char* out, unsigned long bytes) {
  if (const Rank* rank = current_rank())
    snprintf(out, bytes, "[%d %d] ", net::world.pe, rank->id);
  else
    snprintf(out, bytes, "[%d] ", net::world.pe);
}

/// A rank's program has ended.
void on_rank_exit(Rank& rank, int status) {
  if (status != 0) end_job_plainly(rank, status, "the program ended with exit status %d", status);
  if (rank.mpi->phase == vmpi::MpiPhase::running)
    end_job_plainly(rank, 1, "the program ended without MPI_Finalize; the other ranks would wait for it");
  move::note_rank_ended();
}

/// Whether any of these bytes of a slot are a file that each PE has mapped there for itself.
bool mapped_by_each_pe(const std::byte* begin, std::size_t bytes) {
  const image::Program& program = *image::current_program();
  const std::byte* const image = image::image_base(arena::slot_of(begin));
  if (begin + bytes <= image || begin >= image + program.image_bytes()) return false;
  return std::ranges::none_of(program.writable_parts(), [&](const image::Program::Part& part) {
    return begin >= image + part.offset && begin + bytes <= image + part.offset + part.bytes;
  });
}

/// For backtraces: addresses as addr2line takes them.
bool describe_program_code(const void* address, char* out, std::size_t bytes) {
  image::CodePlace place;
  if (!image::current_program() || !image::current_program()->locate(address, place)) return false;
  snprintf(out, bytes, "%s(%s) [%#llx]", place.file, place.symbol,
           static_cast<unsigned long long>(place.address));
  return true;
}

move::Declared declared_by(int rank) {
  const vmpi::RankState& state = *rank_in_slot(rank).mpi;
  return {state.declared_load, state.position};
}

/// GDB reads the symbols of every image of every rank that is listed, and takes too long with thousands.
constexpr std::size_t most_ranks_listed = 256;

/// Tells a debugger, attached now or later, which ranks are here.
void list_ranks_for_debugger() {
  std::vector<std::size_t> slots;
  for (std::size_t id = 0; id < move::pe_of_rank.size() && slots.size() < most_ranks_listed; ++id)
    if (move::is_here(static_cast<int>(id))) slots.push_back(id);
  image::publish_to_debugger(slots);
}

void step() {
  SKEIN_CHECK(vmpi::meeting_places_empty(), "ranks are in a collective and at a sync point");
  move::lb_step();
  list_ranks_for_debugger();
}

void poll_once() { (void)net::poll(); }

void install_hooks() {
  log_place = place_of_log;
  set_check_hooks({place_of_log, net::take_down});
  set_job_end(net::take_down, net::world.pe);
  set_code_describer(describe_program_code);
  set_idle_poll(poll_once);
  libc::set_exit_hook(on_rank_exit);
  libc::set_fini_hook(image::run_destructors);
  image::set_start_hooks({[](Rank& rank) {
                            return image::StartHooks::Arguments{rank.process->argc, rank.process->argv,
                                                                libc::environment_of(rank)};
                          },
                          libc::exit_rank});
  vmpi::set_private_mapping_test(mapped_by_each_pe);
  move::set_declared(declared_by);
  move::set_step(step);
  move::balance_ranks();
}

// ---- the program

std::unique_ptr<image::Program> load_program(const RunOptions& run) {
  image::ProgramOptions options;
  options.path = run.program;
  options.private_libraries = run.private_libs;
  options.on_demand.push_back(
      {own_toolchain(Language::c).library_dir + "/" + libc::private_library_name, libc::private_symbols()});
  options.overrides = libc::override_tables();
  options.overrides.push_back(vmpi::api_symbols);
  return std::make_unique<image::Program>(options);
}

// ---- whether ranks can move

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

// ---- the arena

/// The memory file of this node, made by its first PE. -1 if it cannot be shared.
int node_memory_file(std::size_t bytes) {
  struct Place {
    int process, descriptor;
  };
  Place mine{getpid(), -1};
  if (net::world.node_pe == 0) {
    try {
      mine.descriptor = arena::create_memory_file(bytes);
    } catch (const Error& error) {
      SKEIN_WARN("%s", error.what());  // the PEs still have to agree that there is none
    }
  }
  std::vector<Place> all(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&mine, sizeof mine, all.data());
  int descriptor = mine.descriptor;
  if (net::world.node_pe != 0) {
    const Place& leader = all[static_cast<std::size_t>(net::world.node_pes[0])];
    descriptor =
        open(format("/proc/%d/fd/%d", leader.process, leader.descriptor).c_str(), O_RDWR | O_CLOEXEC);
  }
  // The file stays open with its maker until everybody has it.
  std::uint64_t missing[] = {descriptor < 0};
  net::sum_polling(missing);
  return missing[0] == 0 ? descriptor : -1;
}

void reserve_arena(const RunOptions& run, const image::Program& program) {
  const auto ranks = static_cast<std::size_t>(run.ranks);
  const std::size_t slot_bytes = run.slot_bytes ? run.slot_bytes : arena::default_slot_bytes(ranks);
  const std::size_t stack_bytes = run.stack_bytes ? run.stack_bytes : default_stack_bytes;
  const arena::SlotLayout layout =
      arena::make_layout(slot_bytes, stack_bytes, sizeof(Rank) + arena::colour_room, program.image_bytes());
  int file = -1;
  // One PE alone on its node has nobody to hand slots to.
  const bool useful = net::world.pes > net::world.nodes;
  if (run.arena == ArenaChoice::shared || (run.arena == ArenaChoice::automatic && useful))
    file = node_memory_file(layout.slot_bytes * ranks);
  if (file < 0 && run.arena == ArenaChoice::shared)
    throw Error(
        "--arena shared: the node's memory file cannot be opened through /proc by all PEs; use --arena "
        "private");
  arena::reserve(layout, ranks, file >= 0 ? arena::Backing::node_shared : arena::Backing::private_pages,
                 file);
}

/// Where Fortran's special arguments are in every slot.
void find_sentinels(const image::Program& program) {
  const auto offset = program.offset_of(vmpi::fortran::sentinels_symbol);
  if (offset) vmpi::fortran::place_sentinels(arena::layout.image_offset + *offset);
}

// ---- ranks

void create_rank(std::size_t slot, image::Program& program, std::span<const char* const> arguments) {
  program.instantiate(slot);
  Rank& rank = *new (arena::control_address(slot)) Rank;
  rank.id = static_cast<int>(slot);
  rank.heap.initialise(arena::heap_address(slot), arena::slot_address(slot + 1));
  rank.tls_copy = program.tls_copy(slot);
  libc::create_process_state(rank, arguments);
  vmpi::create_rank_state(rank);
  prepare_main_fiber(rank, image::run_program);
  move::add_rank(rank.id);
}

/// What a rank touches before its program's main does: the first page of its stack, the control block, what
/// the image writes, and the first page of the heap.
void append_initial_pages(std::size_t slot, const image::Program& program, std::vector<arena::Range>& out) {
  std::byte* const image = image::image_base(slot);
  std::byte* const stack = arena::contents_address(slot) + arena::layout.control_offset - arena::page_bytes;
  out.push_back({stack, static_cast<std::size_t>(image - stack)});
  for (const image::Program::Part& part : program.initial_pages())
    out.push_back({image + part.offset, part.bytes});
  arena::Range& last = out.back();
  if (last.begin + last.bytes <= arena::heap_address(slot)) last.bytes += arena::page_bytes;
}

void create_ranks(std::span<const std::size_t> slots, image::Program& program,
                  std::span<const char* const> arguments) {
  std::vector<arena::Range> pages;
  for (const std::size_t slot : slots) append_initial_pages(slot, program, pages);
  arena::provide_pages(pages);
  arena::install_guards(slots);
  for (const std::size_t slot : slots) create_rank(slot, program, arguments);
}

/// Those that start on this PE.
void create_ranks(const RunOptions& run, image::Program& program) {
  constexpr std::size_t at_once = 64;  // few, so that their pages are still in the cache when they are filled
  std::vector<const char*> arguments{run.program.c_str()};
  for (const std::string& word : run.args) arguments.push_back(word.c_str());
  std::vector<std::size_t> slots;
  for (int id = 0; id < run.ranks; ++id)
    if (move::is_here(id)) slots.push_back(static_cast<std::size_t>(id));
  program.map_text(slots);
  for (std::span<const std::size_t> left = slots; !left.empty();) {
    const std::size_t count = std::min(left.size(), at_once);
    create_ranks(left.first(count), program, arguments);
    left = left.subspan(count);
  }
}

/// Ranks have one thread each: without a limit, libgomp would start one for each core and end the program
/// when it is refused.
void limit_openmp_threads() {
  const char* const wanted = getenv("OMP_NUM_THREADS");
  if (net::world.pe == 0 && wanted && strcmp(wanted, "1") != 0)
    SKEIN_WARN(
        "OMP_NUM_THREADS=%s: ranks have one thread each, so OpenMP regions run on one; run more ranks "
        "instead",
        wanted);
  setenv("OMP_THREAD_LIMIT", "1", 1);
}

void share_environment() {
  limit_openmp_threads();
  // What a Fortran rank prints leaves it line by line: its library's buffers are lost if the job ends by an
  // error, for unlike C's nobody else can empty them.
  setenv("GFORTRAN_UNBUFFERED_PRECONNECTED", "1", 0);
  std::vector<char> block = libc::flatten_environment(environ);
  std::size_t bytes = block.size();
  net::broadcast(&bytes, sizeof bytes, 0);
  block.resize(bytes);
  net::broadcast(block.data(), bytes, 0);
  libc::set_job_environment(block);
}

/// The numbers that each rank's descriptors get are the same on all PEs, so they fit the least of the limits.
void lay_out_descriptors(int ranks) {
  const int mine = libc::raise_descriptor_limit();
  std::vector<int> limits(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&mine, sizeof mine, limits.data());
  libc::set_descriptor_windows(std::ranges::min(limits), ranks);
}

void start_lb(const RunOptions& run, const char* obstacle) {
  move::StepConfig config = step_config(run, obstacle);
  load::traffic_wanted = config.has_steps();
  if (config.balances() && obstacle && net::world.pe == 0)
    SKEIN_WARN("ranks cannot move in this job: %s", obstacle);
  vmpi::deterministic = run.deterministic;
  if (!run.sync_at.call.empty()) vmpi::set_sync_at(run.sync_at.call, run.sync_at.every);
  move::start_lb_steps(std::move(config));
}

/// Each rank is charged with what was counted while it ran.
void charge_switch(Rank* from, Rank*) { load::charge_counters(from ? &from->meter : nullptr); }

void start_papi(const RunOptions& run) {
  if (run.lb_load != "time") {
    const auto event = std::ranges::find(run.papi_events, run.lb_load);
    if (event == run.papi_events.end())
      throw Error(format("--lb-load %s: not one of the events that --papi counts; name it there, or use time",
                         run.lb_load.c_str()));
    move::set_load_counter(static_cast<int>(event - run.papi_events.begin()));
  }
  if (run.papi_events.empty()) return;
  load::start_counters(run.papi_events);
  set_switch_hook(charge_switch);
}

/// Everything after MPI_Init that can fail for reasons outside. Throws the same skein::Error on all PEs.
void set_up(RunOptions& run, const image::AddressSpaceState& space, image::Program& program) {
  net::together([&] { confirm_world_size(run, net::world.pes); });
  if (run.bind == Bind::core)
    (void)bind_to_core(net::world.node_pe, static_cast<int>(net::world.node_pes.size()));
  vmpi::rank_count = run.ranks;
  move::here = net::world.pe;
  net::together([&] { move::pe_of_rank = initial_placement(run); });
  const char* const obstacle = cannot_move(space, program);
  net::together([&] { reserve_arena(run, program); });
  find_sentinels(program);
  net::together([&] { share_environment(); });
  lay_out_descriptors(run.ranks);
  vmpi::start_p2p();
  move::start_deadlock_watch(run.deadlock_seconds);
  move::start_mover(program);
  move::share_standard_streams();
  net::together([&] { start_lb(run, obstacle); });
  net::together([&] { start_papi(run); });
  set_program_tls_bytes(program.tls_bytes());
  net::together([&] { create_ranks(run, program); });
}

[[noreturn]] void run_ranks_and_exit() {
  set_stack_canary();
  watch_for_faults();
  list_ranks_for_debugger();
  move::run_pe();
  fflush(nullptr);
  move::measure_whole_run();
  move::close_lb_steps();
  net::finish();
  fflush(nullptr);
  // Not exit(): handlers that the libraries registered may refer to ranks, and the guards of this process
  // have changed.
  _exit(0);
}

}  // namespace

void run_job(const RunOptions& given, const image::AddressSpaceState& space, char** argv) {
  RunOptions run = given;
  fiber::check_thread_block();
  libc::prepare_c_library(run.program.c_str());
  std::unique_ptr<image::Program> program;
  std::string failure;
  try {
    program = load_program(run);
  } catch (const Error& error) {
    failure = error.what();
  }
  int argc = 0;
  while (argv[argc]) ++argc;
  net::start(&argc, &argv);
  try {
    net::agree_on(failure);
    install_hooks();
    set_up(run, space, *program);
  } catch (const Error& error) {
    if (net::world.pe == 0) fprintf(stderr, "%s\n", error.what());
    net::finish();
    _exit(did_not_start);
  }
  run_ranks_and_exit();
}

}  // namespace skein::launch
