// SPDX-License-Identifier: Apache-2.0
// Starting and ending MPI, inquiry, time, memory, MPI_Abort.
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/net/job_clock.hpp"
#include "runtime/rank/end_job.hpp"
#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/coll/api/collectives.hpp"
#include "runtime/vmpi/comm/attributes.hpp"
#include "runtime/vmpi/record/collectives.hpp"
#include "runtime/vmpi/running.hpp"

namespace skein::vmpi {
namespace {

int initialise(const char* function, int required, int* provided) {
  ApiCall call(function, Outside::is_allowed);
  if (call.state.world_stage != MpiStage::before_init)
    return raise(call, nullptr, MPI_ERR_OTHER, "MPI was initialised before");
  begin_running(call.state);
  call.state.thread_level = std::min(required, static_cast<int>(MPI_THREAD_MULTIPLE));
  tell_of_thread_level(call.state.rank, required);
  if (provided) *provided = call.state.thread_level;
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Init(int*, char***) { return initialise("MPI_Init", MPI_THREAD_SINGLE, nullptr); }
int MPI_Init_thread(int*, char***, int required, int* provided) {
  return initialise("MPI_Init_thread", required, provided);
}

int MPI_Initialized(int* flag) {
  *flag = current_state().world_stage != MpiStage::before_init;
  return MPI_SUCCESS;
}

int MPI_Finalized(int* flag) {
  *flag = current_state().world_stage == MpiStage::finalized;
  return MPI_SUCCESS;
}

int MPI_Finalize(void) {
  ApiCall call("MPI_Finalize");
  if (call.state.world_stage != MpiStage::running) refuse_outside(call);  // a session is no MPI_Init
  // Attributes of self go first: the standard's way to run code at the end (MPI 4.1, 11.2.4).
  (void)delete_attributes(call.state, MPI_COMM_SELF, call.state.self->attributes);
  const RecordedCollective recorded(call.state);
  wait_for_finalize(*call.state.world);
  recorded.was(call.state,
               [&] { return collective_event(skein::trace::Collective::barrier, *call.state.world, 0); });
  end_running(call.state);
  return MPI_SUCCESS;
}

int MPI_Query_thread(int* provided) {
  ApiCall call("MPI_Query_thread");
  *provided = call.state.thread_level;
  return MPI_SUCCESS;
}

int MPI_Is_thread_main(int* flag) {
  ApiCall call("MPI_Is_thread_main");
  *flag = 1;
  return MPI_SUCCESS;
}

int MPI_Abort(MPI_Comm, int errorcode) {
  ApiCall call("MPI_Abort", Outside::is_allowed);
  skein::end_job(call.state.rank, errorcode, "MPI_Abort with error code %d", errorcode);
}

int MPI_Get_version(int* version, int* subversion) {
  *version = MPI_VERSION;
  *subversion = MPI_SUBVERSION;
  return MPI_SUCCESS;
}

int MPI_Get_library_version(char* version, int* resultlen) {
  *resultlen = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "Skein %s", SKEIN_VERSION);
  return MPI_SUCCESS;
}

int MPI_Abi_get_version(int* abi_major, int* abi_minor) {
  *abi_major = MPI_ABI_VERSION;
  *abi_minor = MPI_ABI_SUBVERSION;
  return MPI_SUCCESS;
}

int MPI_Get_processor_name(char* name, int* resultlen) {
  ApiCall call("MPI_Get_processor_name");
  if (gethostname(name, MPI_MAX_PROCESSOR_NAME) != 0) strcpy(name, "unknown");
  name[MPI_MAX_PROCESSOR_NAME - 1] = '\0';
  *resultlen = static_cast<int>(strlen(name));
  return MPI_SUCCESS;
}

double MPI_Wtime(void) { return skein::net::job_seconds(); }
double MPI_Wtick(void) { return 1e-9; }

/// Reads the name only for levels that can have one: programs may pass the level alone.
int MPI_Pcontrol(const int level, ...) {
  if (!skein::trace::recording) return MPI_SUCCESS;
  va_list arguments;
  va_start(arguments, level);
  const char* const name = level == 1 || level == -1 ? va_arg(arguments, const char*) : nullptr;
  va_end(arguments);
  control_recording(level, name);
  return MPI_SUCCESS;
}

/// Allocates from the rank's heap, which is as fit for communication as any memory.
int MPI_Alloc_mem(MPI_Aint size, MPI_Info, void* baseptr) {
  ApiCall call("MPI_Alloc_mem");
  void* const block = call.state.rank.heap.allocate_aligned(64, static_cast<std::size_t>(size));
  if (!block)
    return raise(call, nullptr, MPI_ERR_NO_MEM, "%lld bytes do not fit the slot: raise --slot-size",
                 static_cast<long long>(size));
  *static_cast<void**>(baseptr) = block;
  return MPI_SUCCESS;
}

int MPI_Free_mem(void* base) {
  ApiCall call("MPI_Free_mem");
  free(base);
  return MPI_SUCCESS;
}

}  // extern "C"
