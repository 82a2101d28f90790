// SPDX-License-Identifier: Apache-2.0
// Functions beyond the standard: sync points under Skein's and Adaptive MPI's names, declared loads.
#include <cmath>

#include "runtime/move/sync.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/arguments.hpp"

namespace skein::vmpi {
namespace {

int migrate(const char* function) {
  ApiCall call(function);
  move::sync_point(call.state.sync_points);
  return MPI_SUCCESS;
}

int set_load(const char* function, double load) {
  ApiCall call(function);
  if (!std::isfinite(load) || load < 0)
    return raise(call, nullptr, MPI_ERR_ARG, "a load of %g; loads are finite and not negative", load);
  call.state.declared_load = load;
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Migrate(void) { return migrate("MPI_Migrate"); }
int AMPI_Migrate(MPI_Info) { return migrate("AMPI_Migrate"); }

int MPIX_Load_set(double load) { return set_load("MPIX_Load_set", load); }
int AMPI_Load_set_value(double load) { return set_load("AMPI_Load_set_value", load); }

int AMPI_Yield(void) {
  ApiCall call("AMPI_Yield");
  skein::yield();
  return MPI_SUCCESS;
}

}  // extern "C"
