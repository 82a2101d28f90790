// SPDX-License-Identifier: Apache-2.0
// Functions beyond the standard, under Skein's names: sync points, declared loads.
#include "runtime/vmpi/load.hpp"
#include "runtime/vmpi/sync.hpp"

using namespace skein::vmpi;

extern "C" {

int MPI_Migrate(void) {
  ApiCall call("MPI_Migrate");
  pass_sync_point(call.state);
  return MPI_SUCCESS;
}

int MPIX_Load_set(double load) {
  ApiCall call("MPIX_Load_set");
  return declare_load(call, load);
}

}  // extern "C"
