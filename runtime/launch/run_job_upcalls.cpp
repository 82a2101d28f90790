// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/run_job.hpp"

#include <cstdio>

#include "runtime/base/backtrace.hpp"
#include "runtime/image/program.hpp"
#include "runtime/image/start.hpp"
#include "runtime/libc/fault_memory.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/load/counters.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/pe/deadlock.hpp"
#include "runtime/pe/pe_loop.hpp"
#include "runtime/rank/end_job.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/record/record.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::launch {
namespace {

int running_rank() {
  const Rank* const rank = current_rank();
  return rank ? rank->id : -1;
}

void poll_one() { (void)net::poll_one(); }
void poll_once() {
  (void)pe::go_on_balancing();
  (void)net::poll_one();
}

/// Describes addresses as addr2line takes them.
bool describe_program_code(const void* address, char* out, std::size_t bytes) {
  image::CodePlace place;
  if (!image::current_program() || !image::current_program()->locate(address, place)) return false;
  char name[sizeof place.symbol];
  snprintf(out, bytes, "%s(%.300s) [%#llx]", place.file, readable_name(place.symbol, name, sizeof name),
           static_cast<unsigned long long>(place.address));
  return true;
}

ProgramArguments arguments_of(Rank& rank) {
  return {rank.process->argc, rank.process->argv, libc::environment_of(rank)};
}

void rank_ends(Rank& rank, int status) {
  if (status != 0) end_job_plainly(rank, status, "the program ended with exit status %d", status);
  if (rank.mpi->stage == vmpi::MpiStage::running)
    end_job_plainly(rank, 1, "the program ended without MPI_Finalize; the other ranks would wait for it");
  if (trace::recording) vmpi::record_end(*rank.mpi);
  pe::note_rank_ended(rank);
}

/// Charges each rank with what was counted while it ran.
void charge_rank(Rank* from, Rank*) { load::charge_counters(from ? &from->meter : nullptr); }

}  // namespace

Upcalls upcalls_for_ranks(bool counts_events) {
  return {.running_rank = running_rank,
          .take_down = net::take_down,
          .describe_code = describe_program_code,
          .read_name = libc::read_cxx_name,
          .say_goodbye = net::say_goodbye,
          .report_bad_block = report_bad_block,
          .poll = poll_once,
          .poll_one = poll_one,
          .wait = pe::wait_idly,
          .idle = pe::watch_for_deadlock,
          .rank_changes = counts_events ? charge_rank : nullptr,
          .arguments_of = arguments_of,
          .exit_program = libc::exit_rank,
          .run_destructors = image::run_destructors,
          .rank_ends = rank_ends};
}

}  // namespace skein::launch
