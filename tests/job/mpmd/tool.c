/* SPDX-License-Identifier: Apache-2.0 */
/* A tool as it is linked or preloaded in front of MPI: it counts the program's sends and reductions, and
 * reports in MPI_Finalize what all processes did, by collectives of its own on MPI_COMM_WORLD. */
#include <mpi.h>
#include <stdio.h>

static int calls, on_all; /* on_all: with a communicator of as many processes as the world has */

static void count(MPI_Comm comm) {
  int size = -1, world = -1;
  PMPI_Comm_size(comm, &size);
  PMPI_Comm_size(MPI_COMM_WORLD, &world);
  ++calls;
  on_all += size == world;
}

int MPI_Init(int* argc, char*** argv) {
  const int error = PMPI_Init(argc, argv);
  PMPI_Barrier(MPI_COMM_WORLD);
  return error;
}

int MPI_Allreduce(const void* from, void* to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  count(comm);
  return PMPI_Allreduce(from, to, n, type, op, comm);
}

int MPI_Isend(const void* from, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  count(comm);
  return PMPI_Isend(from, n, type, to, tag, comm, request);
}

int MPI_Finalize(void) {
  int mine[2] = {calls, on_all}, all[2], rank, size;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  PMPI_Reduce(mine, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("tool: %d processes, %d calls, %d of them on all\n", size, all[0], all[1]);
  return PMPI_Finalize();
}
