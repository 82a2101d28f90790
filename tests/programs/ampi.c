// SPDX-License-Identifier: Apache-2.0
// The extensions of Adaptive MPI, as its manual describes them; calls that Skein cannot serve are reported as
// such.
#include <string.h>

#include "check.h"

static int befores = 0, afters = 0;
static void before(void) { ++befores; }
static void after(void) { ++afters; }

static int place(int key) {
  int *value = NULL, flag = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag);
  CHECK(flag && value);
  return *value;
}

static void hints(void) {
  // By sync point: 1 with load balancing at each point, 0 without.
  const int each = befores;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "ampi_load_balance", "sync");
  CHECK(AMPI_Migrate(info) == MPI_SUCCESS);
  MPI_Info_set(info, "ampi_load_balance", "async");
  CHECK(AMPI_Migrate(info) == MPI_SUCCESS);
  CHECK(befores == 3 * each && afters == 3 * each);
  MPI_Info_set(info, "ampi_load_balance", "false");
  CHECK(AMPI_Migrate(info) == MPI_SUCCESS);
  MPI_Info_set(info, "ampi_load_balance", "now");
  CHECK(class_of(AMPI_Migrate(info)) == MPI_ERR_INFO_VALUE);
  MPI_Info_set(info, "ampi_load_balance", "false");
  MPI_Info_set(info, "ampi_checkpoint", "now");
  CHECK(class_of(AMPI_Migrate(info)) == MPI_ERR_INFO_VALUE);
  MPI_Info_set(info, "ampi_checkpoint", "to_file=here");
  CHECK(class_of(AMPI_Migrate(info)) == MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK(class_of(AMPI_Migrate(AMPI_INFO_CHKPT_IN_MEMORY)) == MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK(befores == 3 * each && afters == 3 * each);  // none of these was a sync point
  MPI_Info_free(&info);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(AMPI_Migrate(AMPI_INFO_LB_SYNC) == MPI_SUCCESS);
  CHECK(AMPI_Register_about_to_migrate(before) == MPI_SUCCESS);
  CHECK(AMPI_Register_just_migrated(after) == MPI_SUCCESS);
  // Without load balancing there are sync points at which no rank can move, and no callback is called.
  CHECK(AMPI_Migrate(AMPI_INFO_LB_SYNC) == MPI_SUCCESS);
  CHECK(befores == afters && befores <= 1);
  hints();
  CHECK(AMPI_Register_about_to_migrate(NULL) == MPI_SUCCESS);
  CHECK(AMPI_Register_just_migrated(NULL) == MPI_SUCCESS);

  CHECK(place(AMPI_MY_WTH) >= 0 && place(AMPI_MY_WTH) < place(AMPI_NUM_WTHS));
  CHECK(place(AMPI_MY_PROCESS) == place(AMPI_MY_WTH) && place(AMPI_NUM_PROCESSES) == place(AMPI_NUM_WTHS));

  // A rank that is not migratable stays, whatever the strategy wants.
  CHECK(AMPI_Set_migratable(my_rank % 2) == MPI_SUCCESS);
  const int start = place(AMPI_MY_WTH);
  for (int k = 0; k < 20; ++k) {
    CHECK(AMPI_Migrate(AMPI_INFO_LB_SYNC) == MPI_SUCCESS);
    CHECK(my_rank % 2 || place(AMPI_MY_WTH) == start);
  }
  CHECK(AMPI_Set_migratable(1) == MPI_SUCCESS);

  CHECK(AMPI_Load_stop_measure() == MPI_SUCCESS && AMPI_Load_start_measure() == MPI_SUCCESS);
  CHECK(AMPI_Load_reset_measure() == MPI_SUCCESS && AMPI_Load_set_value(1.5) == MPI_SUCCESS);
  CHECK(class_of(AMPI_Load_set_value(-1)) == MPI_ERR_ARG);
  CHECK(class_of(AMPI_Migrate_to_pe(0)) == MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK(AMPI_Yield() == MPI_SUCCESS);
  CHECK(AMPI_Migrate(AMPI_INFO_LB_SYNC) == MPI_SUCCESS);
  finish("ampi");
  return 0;
}
