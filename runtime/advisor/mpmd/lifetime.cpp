// SPDX-License-Identifier: Apache-2.0
// MPI_Init, MPI_Init_thread, MPI_Finalize. A tool of the program works as usual: behind PMPI_Init and until
// PMPI_Finalize it sees the application alone.
#include <mpi.h>

#include "runtime/advisor/mpmd/next.hpp"
#include "runtime/advisor/mpmd/world.hpp"

using skein::mpmd::begin;
using skein::mpmd::end;
using skein::mpmd::is_of_mpi;
using skein::mpmd::next_of;

#pragma GCC visibility push(default)
extern "C" {

int PMPI_Init(int* argc, char*** argv) {
  const int error = next_of<decltype(::PMPI_Init)>("PMPI_Init")(argc, argv);
  if (error == MPI_SUCCESS) begin();
  return error;
}

int MPI_Init(int* argc, char*** argv) {
  const int error = next_of<decltype(::MPI_Init)>("MPI_Init")(argc, argv);
  if (error == MPI_SUCCESS) begin();
  return error;
}

int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int error = next_of<decltype(::PMPI_Init_thread)>("PMPI_Init_thread")(argc, argv, required, provided);
  if (error == MPI_SUCCESS) begin();
  return error;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int error = next_of<decltype(::MPI_Init_thread)>("MPI_Init_thread")(argc, argv, required, provided);
  if (error == MPI_SUCCESS) begin();
  return error;
}

int PMPI_Finalize() {
  end();
  return next_of<decltype(::PMPI_Finalize)>("PMPI_Finalize")();
}

int MPI_Finalize() {
  // A tool calls PMPI_Finalize when it is done with the other processes.
  if (is_of_mpi("MPI_Finalize")) end();
  return next_of<decltype(::MPI_Finalize)>("MPI_Finalize")();
}
}
#pragma GCC visibility pop
