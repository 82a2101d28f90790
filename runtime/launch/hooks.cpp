// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/hooks.hpp"

#include <algorithm>
#include <cstdio>

#include "runtime/arena/arena.hpp"
#include "runtime/balance/lb_step.hpp"
#include "runtime/base/backtrace.hpp"
#include "runtime/base/check.hpp"
#include "runtime/base/log.hpp"
#include "runtime/image/debugger.hpp"
#include "runtime/image/loaded_libraries.hpp"
#include "runtime/image/program.hpp"
#include "runtime/image/start.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/move/collect.hpp"
#include "runtime/move/rank_objects.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/pe/pe_loop.hpp"
#include "runtime/rank/end_job.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/coll/meeting_place.hpp"
#include "runtime/vmpi/p2p/visibility.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::launch {
namespace {

/// GDB reads the symbols of every image of every rank that is listed, and takes too long with thousands.
constexpr std::size_t most_ranks_listed = 256;

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
  pe::note_rank_ended();
}

/// Whether any of these bytes of a slot are a file that each PE has mapped there for itself.
bool mapped_by_each_pe(const std::byte* begin, std::size_t bytes) {
  const image::Program& program = *image::current_program();
  const std::byte* const image = image::image_base(arena::slot_of(begin));
  if (begin + bytes <= image || begin >= image + program.image_bytes())
    return image::in_mapped_library(begin, bytes);
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
  const vmpi::RankState& state = vmpi::state_of(rank);
  return {state.declared_load, state.position};
}

void step() {
  SKEIN_CHECK(vmpi::meeting_places_empty(), "ranks are in a collective and at a sync point");
  balance::lb_step();
  list_ranks_for_debugger();
}

void poll_once() { (void)net::poll(); }

}  // namespace

void install_hooks() {
  log_place = place_of_log;
  set_check_hooks({place_of_log, net::take_down});
  set_job_end(net::take_down, net::world.pe);
  arena::report_bad_block = report_bad_block;
  set_code_describer(describe_program_code);
  set_idle_poll(poll_once);
  set_idle_wait(pe::wait_idly);
  libc::set_exit_hook(on_rank_exit);
  libc::set_fini_hook(image::run_destructors);
  image::set_start_hooks({[](Rank& rank) {
                            return image::StartHooks::Arguments{rank.process->argc, rank.process->argv,
                                                                libc::environment_of(rank)};
                          },
                          libc::exit_rank});
  vmpi::set_private_mapping_test(mapped_by_each_pe);
  move::set_declared(declared_by);
  pe::set_step(step);
  move::balance_ranks();
}

void list_ranks_for_debugger() {
  std::vector<std::size_t> slots;
  for (std::size_t id = 0; id < pe::pe_of_rank.size() && slots.size() < most_ranks_listed; ++id)
    if (pe::is_here(static_cast<int>(id))) slots.push_back(id);
  image::publish_to_debugger(slots);
}

}  // namespace skein::launch
