/* SPDX-License-Identifier: Apache-2.0 */
/* The C functions that foreign_calls.F90 calls with its handles. */
#include <mpi.h>

/* Returns the number of ranks of the communicator; *back: its INTEGER again. Returns -1 if the type does
 * not have four bytes, or WORLD is not WORLD. */
int ranks_for_c_(const MPI_Fint* comm, const MPI_Fint* type, MPI_Fint* back) {
  int ranks = 0, bytes = 0;
  const MPI_Comm here = MPI_Comm_f2c(*comm);
  MPI_Type_size(MPI_Type_f2c(*type), &bytes);
  MPI_Comm_size(here, &ranks);
  *back = MPI_Comm_c2f(MPI_COMM_WORLD);
  return here == MPI_COMM_WORLD && bytes == 4 ? ranks : -1;
}

/* The Fortran name, which the other MPI's modules do not have. */
extern int MPI_Migrate(void);
void mpi_migrate_(MPI_Fint* error) { *error = MPI_Migrate(); }
