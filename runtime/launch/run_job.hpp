// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/balance/step_config.hpp"
#include "runtime/base/upcalls.hpp"
#include "runtime/checkpoint/machines.hpp"
#include "runtime/checkpoint/restart.hpp"
#include "runtime/checkpoint/saver.hpp"
#include "runtime/image/address_space.hpp"
#include "runtime/image/program.hpp"
#include "runtime/launch/options.hpp"
#include "skein/lb/trace.hpp"

namespace skein::launch {

/// Exit status of a job that could not be started. Differs from what programs and signals end with, and from
/// 1, so that scripts can tell.
inline constexpr int kDidNotStart = 2;

/// Runs the job on this PE, from before MPI_Init to the end of the process: every PE of the job calls it
/// once, on the main thread. `run` is settled as far as it can be before MPI_Init. `argv` is main()'s. Throws
/// skein::Error before MPI_Init only.
[[noreturn]] void run_job(const RunOptions& run, const image::AddressSpaceState& space, char** argv);

/// What ties the layers together in a job of ranks: what those below call without knowing who answers.
/// `counts_events`: whether ranks are charged with events (--papi).
Upcalls upcalls_for_ranks(bool counts_events);

/// What a recording (--trace) says of the job as a whole, but for its objects.
trace::Header trace_header(const RunOptions& run);

/// What LB steps need to know of the options. `obstacle`: why nothing can move in this job, or null.
/// `any_collective`: is a sync point, or may be `later`. Throws skein::Error for a strategy that does not
/// exist.
balance::StepConfig step_config(const RunOptions& run, const char* obstacle, bool any_collective = false,
                                bool later = false);

/// Sets what ranks find in their environment. Before the MPI underneath starts, threads of which read it.
/// Returns what OMP_NUM_THREADS was, 1 if nothing.
///
/// Ranks have one thread each, whatever a job script that was written for threads says, and none is bound by
/// the OpenMP library: all PEs would keep to the first core. Of that of clang there may be several in a
/// process, one a rank. Libraries of linear algebra and of graphs would start threads. What a Fortran rank
/// prints leaves it line by line: its library's buffers are lost if the job ends by an error, for unlike C's
/// nobody else can empty them.
std::string set_environment();
/// Gives all ranks the environment of PE 0, or that of the state that the job comes from: its ranks may hold
/// what getenv() returned. Returns it, as libc::flatten_environment() has it. Warns of threads that there
/// will not be. `openmp_threads`: what set_environment() returned. Collective.
std::string share_environment(const image::Program& program, const std::string& openmp_threads,
                              const checkpoint::State* from);
/// Whether the file needs a symbol of a name that begins so.
bool refers_to(const image::ElfFile& file, std::string_view beginning);

/// Whether states of the job are written.
inline bool saves(const RunOptions& run) { return !run.checkpoint.folder.empty() || run.survive.on; }
/// An option that was given and that states do not go with, or null.
const char* other_than_states(const RunOptions& run);
/// Where --survive keeps states.
struct MemoryOfStates {
  std::string folder;  ///< of this machine; empty: nowhere
  checkpoint::Machines machines;
  bool has_state = false;  ///< from which the job goes on
};
/// Takes the variable away by which `skein run` tells. Returns the folder that it tells.
std::string take_states_folder();
/// If PE 0 was told of a folder, and there is a state, the job is to go on from the newest. Collective.
MemoryOfStates find_states(RunOptions& run, const std::string& told);
/// Throws skein::Error where the job can neither write states nor go on from one, and is to.
void check_states(const RunOptions& run, const MemoryOfStates& memory, const image::AddressSpaceState& space);
/// This machine's folder is this job's from here on. Throws skein::Error.
void take_memory(const MemoryOfStates& memory);
/// Takes from a state what the job must have in common with the one that wrote it: the arguments, and in a
/// job of ranks their number and slots. Throws skein::Error where something else was asked for.
void take_arguments(RunOptions& run, const checkpoint::State& from);
void take_over(RunOptions& run, const checkpoint::State& from);
std::vector<checkpoint::Place> places_of_states(const RunOptions& run, const MemoryOfStates& memory);
/// Lets ranks ask for a state in one of these places.
void let_ranks_ask_for_states(const std::vector<checkpoint::Place>& places, const checkpoint::Saver& saver);

/// Whether a thread beside that of a reserved PE will call the MPI underneath: net::let_threads_call_mpi().
bool decides_by_mpi_on_a_thread(const RunOptions& run);
/// Whether that can come of the run's own steps: `--lb-mode auto`.
bool may_come_to_that(const RunOptions& run);

}  // namespace skein::launch
