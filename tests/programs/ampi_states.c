// SPDX-License-Identifier: Apache-2.0
// `ampi_states FOLDER`: a program of Adaptive MPI that asks for a state, goes on from sync point to sync
// point until the first state is in the folder, and ends. Started with --checkpoint FOLDER, but not
// --survive.
#include <string.h>
#include <unistd.h>

#include "check.h"

int main(int argc, char** argv) {
  begin(&argc, &argv);
  CHECK(argc == 2);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(class_of(AMPI_Migrate(AMPI_INFO_CHKPT_IN_MEMORY)) == MPI_ERR_UNSUPPORTED_OPERATION);
  char value[256], state[256];
  snprintf(value, sizeof value, "to_file=%s", argv[1]);
  snprintf(state, sizeof state, "%s/state-000001", argv[1]);
  MPI_Info hints;
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "ampi_checkpoint", value);
  CHECK(AMPI_Migrate(hints) == MPI_SUCCESS);
  MPI_Info_free(&hints);
  for (int there = 0; !there;) {
    if (my_rank == 0) there = access(state, F_OK) == 0;
    MPI_Bcast(&there, 1, MPI_INT, 0, MPI_COMM_WORLD);
    CHECK(AMPI_Migrate(AMPI_INFO_LB_SYNC) == MPI_SUCCESS);
  }
  finish("ampi_states");
}
