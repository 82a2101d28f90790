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

/// Exit status of a job that could not be started. Differs from 1 and from statuses of programs and signals,
/// so that scripts can tell.
inline constexpr int kDidNotStart = 2;

/// Runs the job on this PE, from before MPI_Init to the end of the process: every PE of the job calls it
/// once, on the main thread. `run` is settled as far as it can be before MPI_Init. `argv` is main()'s. Throws
/// skein::Error before MPI_Init only.
[[noreturn]] void run_job(const RunOptions& run, const image::AddressSpaceState& space, char** argv);

/// Returns the upcalls of a job of ranks, which tie its layers together. `counts_events`: ranks are charged
/// with events (--papi).
Upcalls upcalls_for_ranks(bool counts_events);

/// Returns the header of a recording (--trace), without the objects.
trace::Header trace_header(const RunOptions& run);

/// Returns the configuration of LB steps for the options. `obstacle`: why nothing can move in this job, or
/// null. `any_collective`: each collective is a sync point, or may be `later`. Throws skein::Error for a
/// strategy that does not exist.
balance::StepConfig step_config(const RunOptions& run, const char* obstacle, bool any_collective = false,
                                bool later = false);

/// Sets the environment of ranks. Called before the MPI underneath starts, whose threads read it. Returns the
/// earlier OMP_NUM_THREADS, or 1 if it was not set.
///
/// Ranks have one thread each, even under a job script written for threads, and none is bound by the OpenMP
/// library: all PEs would keep to the first core. A process may hold several of clang's OpenMP libraries, one
/// a rank. Libraries of linear algebra and of graphs would start threads. A Fortran rank's output leaves it
/// line by line: buffers of its library are lost if the job ends by an error, since, unlike C's, nobody else
/// can flush them.
std::string set_environment();
/// Gives all ranks the environment of PE 0, or that of the state that the job continues: its ranks may hold
/// what getenv() returned. Returns it, as libc::flatten_environment() makes it. Warns of threads that the
/// program will not get. `openmp_threads`: what set_environment() returned. Collective.
std::string share_environment(const image::Program& program, const std::string& openmp_threads,
                              const checkpoint::State* from);
/// Returns true if the file needs a symbol whose name begins so.
bool refers_to(const image::ElfFile& file, std::string_view beginning);

/// Returns true if states of the job are written.
inline bool saves(const RunOptions& run) { return !run.checkpoint.folder.empty() || run.survive.on; }
/// Returns the option that asks for states or for a restart from one; empty if none was given.
std::string option_of_states(const RunOptions& run);
/// The place where --survive keeps states.
struct MemoryOfStates {
  std::string folder;  ///< on this machine; empty: nowhere
  checkpoint::Machines machines;
  bool has_state = false;  ///< the job continues from a state there
};
/// Takes away the variable in which `skein run` names the folder. Returns the folder.
std::string take_states_folder();
/// Finds a state to continue from: if PE 0 was told of a folder with states, the newest. Collective.
MemoryOfStates find_states(RunOptions& run, const std::string& told);
/// Throws skein::Error if the job is to write states or to continue from one, and cannot.
void check_states(const RunOptions& run, const MemoryOfStates& memory);
/// Throws skein::Error if a job of ranks is to write states or to continue from one, and this system does not
/// let slots keep their addresses from run to run.
void check_slots(const RunOptions& run, const image::AddressSpaceState& space);
/// Makes this machine's folder this job's. Throws skein::Error.
void take_memory(const MemoryOfStates& memory);
/// Takes from a state what the job must have in common with the one that wrote it: the arguments, and in a
/// job of ranks their number and slots. Throws skein::Error if the user asked for something else.
void take_arguments(RunOptions& run, const checkpoint::State& from);
void take_over(RunOptions& run, const checkpoint::State& from);
std::vector<checkpoint::Place> places_of_states(const RunOptions& run, const MemoryOfStates& memory);
/// Lets ranks ask for a state in one of these places.
void let_ranks_ask_for_states(const std::vector<checkpoint::Place>& places, const checkpoint::Saver& saver);

/// Returns true if a thread beside that of a reserved PE will call the MPI underneath:
/// net::let_threads_call_mpi().
bool decides_by_mpi_on_a_thread(const RunOptions& run);
/// Returns true if decides_by_mpi_on_a_thread() may become true by the run's own steps: `--lb-mode auto`.
bool may_come_to_that(const RunOptions& run);

}  // namespace skein::launch
