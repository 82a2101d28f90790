// SPDX-License-Identifier: Apache-2.0
// The extensions of Adaptive MPI (its manual, section "Extensions for Migrations"), for sources written for
// it.
#include <cstring>

#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/comm/info.hpp"
#include "runtime/vmpi/load.hpp"
#include "runtime/vmpi/sync.hpp"

namespace skein::vmpi {
namespace {

int raise_no_checkpoint(const ApiCall& call) {
  return raise(call, nullptr, MPI_ERR_UNSUPPORTED_OPERATION, "Skein has no checkpoints of ranks");
}

/// Whether the hints ask for load balancing. MPI_INFO_NULL does.
int read_hints(const ApiCall& call, MPI_Info hints, bool& balance) {
  balance = hints == MPI_INFO_NULL || hints == AMPI_INFO_LB_SYNC || hints == AMPI_INFO_LB_ASYNC;
  if (balance) return MPI_SUCCESS;
  if (hints == AMPI_INFO_CHKPT_IN_MEMORY) return raise_no_checkpoint(call);
  const Info* const info = call.state.infos.find(hints);
  if (!info)
    return raise(call, nullptr, MPI_ERR_INFO, "0x%zx is no info object, or one that was freed",
                 static_cast<std::size_t>(handle_value(hints)));
  const auto* const checkpoint = info->find("ampi_checkpoint");
  if (checkpoint && *checkpoint != "false") return raise_no_checkpoint(call);
  const auto* const wanted = info->find("ampi_load_balance");
  if (!wanted || *wanted == "false") return MPI_SUCCESS;
  balance = *wanted == "sync" || *wanted == "async";
  return balance ? MPI_SUCCESS
                 : raise(call, nullptr, MPI_ERR_INFO_VALUE,
                         "ampi_load_balance is '%s'; it can be sync, async or false", wanted->c_str());
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int AMPI_Migrate(MPI_Info hints) {
  ApiCall call("AMPI_Migrate");
  bool balance = false;
  SKEIN_TRY(read_hints(call, hints, balance));
  if (balance) pass_own_sync_point(call.state);
  return MPI_SUCCESS;
}

int AMPI_Migrate_to_pe(int dest) {
  ApiCall call("AMPI_Migrate_to_pe");
  return raise(call, nullptr, MPI_ERR_UNSUPPORTED_OPERATION,
               "no rank moves alone, to PE %d or elsewhere: ranks move at sync points, where the strategy "
               "wants them",
               dest);
}

int AMPI_Set_migratable(int migratable) {
  ApiCall call("AMPI_Set_migratable");
  call.state.rank.stays = !migratable;
  return MPI_SUCCESS;
}

int AMPI_Register_about_to_migrate(MPI_MigrateFn function) {
  ApiCall call("AMPI_Register_about_to_migrate");
  call.state.before_step = function;
  return MPI_SUCCESS;
}
int AMPI_Register_just_migrated(MPI_MigrateFn function) {
  ApiCall call("AMPI_Register_just_migrated");
  call.state.after_step = function;
  return MPI_SUCCESS;
}

int AMPI_Load_start_measure(void) {
  ApiCall call("AMPI_Load_start_measure");
  start_measuring(call.state);
  return MPI_SUCCESS;
}
int AMPI_Load_stop_measure(void) {
  ApiCall call("AMPI_Load_stop_measure");
  stop_measuring(call.state);
  return MPI_SUCCESS;
}
int AMPI_Load_reset_measure(void) {
  ApiCall call("AMPI_Load_reset_measure");
  reset_measuring(call.state);
  return MPI_SUCCESS;
}
int AMPI_Load_set_value(double value) {
  ApiCall call("AMPI_Load_set_value");
  return declare_load(call, value);
}

int AMPI_Yield(void) {
  ApiCall call("AMPI_Yield");
  skein::yield();
  return MPI_SUCCESS;
}

}  // extern "C"
