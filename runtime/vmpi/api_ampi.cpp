// SPDX-License-Identifier: Apache-2.0
// The extensions of Adaptive MPI (its manual, section "Extensions for Migrations"), for sources written for
// it.
#include <optional>
#include <string>
#include <string_view>

#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/comm/info.hpp"
#include "runtime/vmpi/load.hpp"
#include "runtime/vmpi/sync.hpp"

namespace skein::vmpi {
namespace {

/// The requests in the hints of a sync point.
struct Hints {
  bool balance = false;
  std::optional<StatesAre> state{};
};

int read_state_hint(const ApiCall& call, std::string_view text, Hints& hints) {
  if (text == "in_memory")
    hints.state = StatesAre::in_memory;
  else if (text.starts_with("to_file="))
    hints.state = StatesAre::in_files;
  else if (text != "false")
    return raise(call, nullptr, MPI_ERR_INFO_VALUE,
                 "ampi_checkpoint is '%s'; it can be to_file=NAME, in_memory or false",
                 std::string(text).c_str());
  return MPI_SUCCESS;
}

int read_balance_hint(const ApiCall& call, std::string_view text, Hints& hints) {
  hints.balance = text == "sync" || text == "async";
  if (hints.balance || text == "false") return MPI_SUCCESS;
  return raise(call, nullptr, MPI_ERR_INFO_VALUE, "ampi_load_balance is '%s'; it can be sync, async or false",
               std::string(text).c_str());
}

/// Reads the hints of a sync point. MPI_INFO_NULL asks for load balancing.
int read_hints(const ApiCall& call, MPI_Info object, Hints& hints) {
  hints.balance = object == MPI_INFO_NULL || object == AMPI_INFO_LB_SYNC || object == AMPI_INFO_LB_ASYNC;
  if (object == AMPI_INFO_CHKPT_IN_MEMORY) hints.state = StatesAre::in_memory;
  if (hints.balance || hints.state) return MPI_SUCCESS;
  const Info* const info = call.state.infos.find(object);
  if (!info)
    return raise(call, nullptr, MPI_ERR_INFO, "0x%zx is no info object, or one that was freed",
                 static_cast<std::size_t>(handle_value(object)));
  if (const auto* const text = info->find("ampi_checkpoint")) SKEIN_TRY(read_state_hint(call, *text, hints));
  if (const auto* const text = info->find("ampi_load_balance"))
    SKEIN_TRY(read_balance_hint(call, *text, hints));
  return MPI_SUCCESS;
}

int ask_for_state(const ApiCall& call, StatesAre kind) {
  if (want_state(kind)) return MPI_SUCCESS;
  return raise(call, nullptr, MPI_ERR_UNSUPPORTED_OPERATION,
               kind == StatesAre::in_memory ? "the job keeps no states in memory: start it with --survive"
                                            : "the job writes no states: start it with --checkpoint FOLDER");
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int AMPI_Migrate(MPI_Info hints) {
  ApiCall call("AMPI_Migrate");
  Hints wanted;
  SKEIN_TRY(read_hints(call, hints, wanted));
  if (wanted.state) SKEIN_TRY(ask_for_state(call, *wanted.state));
  if (wanted.balance || wanted.state) pass_own_sync_point(call.state);
  return MPI_SUCCESS;
}

int AMPI_Migrate_to_pe(int dest) {
  ApiCall call("AMPI_Migrate_to_pe");
  return raise(call, nullptr, MPI_ERR_UNSUPPORTED_OPERATION,
               "a single rank cannot be moved, to PE %d or elsewhere: the strategy moves ranks at sync "
               "points",
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
