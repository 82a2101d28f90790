// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/mpi_process.hpp"

#include <algorithm>
#include <cstdlib>

#include "runtime/base/error.hpp"
#include "runtime/net/program_mpi.hpp"
#include "runtime/net/starter_link.hpp"

namespace skein::net {

MpiProcess mpi_process;

namespace {

/// Greets the starter by the rank in MPI_COMM_WORLD: the starter knows this process by it, for longer than a
/// job.
void greet_starter_of_process() { greet_starter(process_rank()); }

/// Checks what this process can see by itself.
void check_joinable(MPI_Comm communicator) {
  int yes = 0;
  MPI_Initialized(&yes);
  if (!yes)
    throw Error(
        "skein::run was given a communicator before MPI_Init(): call that first, or skein::run(argc, argv, "
        "...) without a communicator, which then initialises and finalises MPI itself");
  MPI_Finalized(&yes);
  if (yes) throw Error("skein::run was called after MPI_Finalize(): a job needs MPI until it is over");
  if (communicator == MPI_COMM_NULL)
    throw Error(
        "skein::run was given MPI_COMM_NULL: this process belongs to no communicator, so it is no PE of that "
        "job; call skein::run on the communicator's processes only");
  SKEIN_MPI_CALL(MPI_Comm_test_inter(communicator, &yes));
  if (yes)
    throw Error(
        "skein::run was given an intercommunicator: the PEs of a job are one group of processes; merge the "
        "two by MPI_Intercomm_merge()");
  int level = MPI_THREAD_SINGLE, main_thread = 1;
  SKEIN_MPI_CALL(MPI_Query_thread(&level));
  SKEIN_MPI_CALL(MPI_Is_thread_main(&main_thread));
  if (level < MPI_THREAD_SERIALIZED && !main_thread)
    throw Error(
        "skein::run was called by another thread than the one that initialised MPI, which only that one may "
        "call: ask MPI_Init_thread() for MPI_THREAD_SERIALIZED or more, or call skein::run on the main "
        "thread");
}

/// Throws skein::Error where the program has initialised MPI for fewer threads than this level has.
void check_thread_level(int needed) {
  int level = MPI_THREAD_SINGLE;
  SKEIN_MPI_CALL(MPI_Query_thread(&level));
  if (level >= needed) return;
  const char* const name = needed == MPI_THREAD_MULTIPLE ? "MPI_THREAD_MULTIPLE" : "MPI_THREAD_FUNNELED";
  throw Error(format(
      "--skein.lb-mode: deciding lazily in this way takes a second thread, and the program has "
      "initialised MPI for less than %s: ask MPI_Init_thread() for that, or use --skein.lb-mode=decoupled",
      name));
}

}  // namespace

void initialise_mpi(int* argc, char*** argv) {
  int ended = 0;
  MPI_Finalized(&ended);
  if (ended)
    throw Error(
        "skein::run was called after MPI_Finalize(), which a job calls at its end if MPI was not initialised "
        "before it: a program that has several jobs, or goes on with MPI, calls MPI_Init() before the first "
        "and MPI_Finalize() after the last");
  int provided = 0;
  const int level = mpi_process.several_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
  if (MPI_Init_thread(argc, argv, level, &provided) != MPI_SUCCESS)
    throw Error("the MPI underneath could not be initialised: see its own message above");
  if (provided < level)
    throw Error(
        "the MPI underneath cannot be called by several threads (MPI_THREAD_MULTIPLE), which deciding lazily "
        "with this strategy needs: use --lb-mode decoupled");
  mpi_process.of_program = false;
  mpi_process.pes = MPI_COMM_WORLD;
  greet_starter_of_process();
}

void join_processes(MPI_Comm communicator) {
  check_joinable(communicator);
  mpi_process.of_program = true;
  read_starter_name();
  greet_starter_of_process();
  // No duplicate of the communicator: that would have the program's attributes and error handler.
  MPI_Group group;
  SKEIN_MPI_CALL(MPI_Comm_group(communicator, &group));
  SKEIN_MPI_CALL(MPI_Comm_create(communicator, group, &mpi_process.pes));
  SKEIN_MPI_CALL(MPI_Group_free(&group));
  SKEIN_MPI_CALL(MPI_Comm_set_errhandler(mpi_process.pes, MPI_ERRORS_ARE_FATAL));
}

void leave_processes() {
  mpi_process.several_threads = false;
  if (!mpi_process.of_program) {
    leave_starter();
    mpi_process.pes = MPI_COMM_NULL;
    SKEIN_MPI_CALL(MPI_Finalize());
    return;
  }
  // The process outlives the job, and may yet end before its time.
  static const int registered [[maybe_unused]] = atexit(leave_starter);
  SKEIN_MPI_CALL(MPI_Comm_free(&mpi_process.pes));
}

int process_rank() {
  int rank = 0;
  SKEIN_MPI_CALL(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  return rank;
}

bool program_initialised_mpi() {
  int up = 0, over = 0;
  MPI_Initialized(&up);
  MPI_Finalized(&over);
  return up && !over;
}

bool program_has_mpi() { return mpi_process.of_program; }

void let_threads_call_mpi() {
  if (program_has_mpi()) check_thread_level(MPI_THREAD_MULTIPLE);
  mpi_process.several_threads = true;
}
void let_threads_run() {
  if (program_has_mpi()) check_thread_level(MPI_THREAD_FUNNELED);
}
bool threads_call_mpi() { return mpi_process.several_threads; }

int processes_of_node() {
  for (const char* const variable : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"})
    if (const char* const value = getenv(variable)) return std::max(1, atoi(value));
  return 1;
}

}  // namespace skein::net
