/* SPDX-License-Identifier: Apache-2.0
 * `mismatch CALL`: a wrong program. Rank 2 makes that call, the others MPI_Allreduce. */
#include <mpi.h>
#include <string.h>

static void call(const char* name) {
  int x = 1, periodic = 0, size;
  MPI_Comm comm;
  MPI_Group group;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  if (!strcmp(name, "MPI_Bcast")) MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (!strcmp(name, "MPI_Barrier")) MPI_Barrier(MPI_COMM_WORLD);
  if (!strcmp(name, "MPI_Ibarrier")) MPI_Ibarrier(MPI_COMM_WORLD, &request);
  if (!strcmp(name, "MPI_Comm_dup")) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (!strcmp(name, "MPI_Comm_idup")) MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
  if (!strcmp(name, "MPI_Comm_split")) MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm);
  if (!strcmp(name, "MPI_Comm_create")) MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
  if (!strcmp(name, "MPI_Cart_create")) MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &comm);
  if (!strcmp(name, "MPI_Intercomm_create"))
    MPI_Intercomm_create(MPI_COMM_WORLD, 0, MPI_COMM_WORLD, 0, 0, &comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  int rank, x = 1, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 2 && argc > 1)
    call(argv[1]);
  else
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
