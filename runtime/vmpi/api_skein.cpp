// SPDX-License-Identifier: Apache-2.0
// Functions beyond the standard, under Skein's names: sync points, declared loads and positions.
#include "runtime/vmpi/load.hpp"
#include "runtime/vmpi/sync.hpp"

using namespace skein::vmpi;

extern "C" {

int MPI_Migrate(void) {
  ApiCall call("MPI_Migrate");
  pass_own_sync_point(call.state);
  return MPI_SUCCESS;
}

/// Calls no error handler on failure: a job can do without one state.
int MPIX_Checkpoint(void) {
  ApiCall call("MPIX_Checkpoint");
  return write_state(call.state) ? MPI_SUCCESS : MPI_ERR_OTHER;
}

int MPIX_Load_set(double load) {
  ApiCall call("MPIX_Load_set");
  return declare_load(call, load);
}

int MPIX_Position_set(double x, double y, double z) {
  ApiCall call("MPIX_Position_set");
  return declare_position(call, x, y, z);
}

}  // extern "C"
