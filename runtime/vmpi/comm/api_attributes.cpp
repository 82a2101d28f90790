// SPDX-License-Identifier: Apache-2.0
// Attributes of communicators, the predefined ones included, under their present and their MPI-1 names.
#include "runtime/net/transport.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/comm/attributes.hpp"

namespace skein::vmpi {
namespace {

struct WorldAttributes {
  /// Predefined attributes are pointers to ints (MPI 4.1, 9.1.2). Static data of the launcher, which has the
  /// same address on all PEs. Attributes that differ between ranks are in their state.
  int tag_limit = kLargestTag;
  int any_rank_does_io = MPI_ANY_SOURCE;
  int no_host = MPI_PROC_NULL;
  int wtime_is_global = 1;  // runtime/net/job_clock.hpp
  int app_number = 0;
};
constexpr WorldAttributes kWorldAttributes;

/// Returns an attribute of AMPI. A PE is one process with one worker thread, so both have its number.
int* place_attribute(RankState& state, int keyval) {
  int& value = state.place[keyval - AMPI_MY_WTH];
  const bool number = keyval == AMPI_MY_WTH || keyval == AMPI_MY_PROCESS;
  value = number ? own_pe : net::world.pes;
  return &value;
}

const int* predefined_attribute(RankState& state, const Comm& comm, int keyval) {
  if (comm.handle != MPI_COMM_WORLD && keyval != MPI_TAG_UB) return nullptr;
  switch (keyval) {
    case MPI_TAG_UB:
      return &kWorldAttributes.tag_limit;
    case MPI_IO:
      return &kWorldAttributes.any_rank_does_io;
    case MPI_HOST:
      return &kWorldAttributes.no_host;
    case MPI_WTIME_IS_GLOBAL:
      return &kWorldAttributes.wtime_is_global;
    case MPI_LASTUSEDCODE:
      return &state.last_used_code;
    case MPI_APPNUM:
      return &kWorldAttributes.app_number;
    case MPI_UNIVERSE_SIZE:
      return &job_ranks.count;
    case AMPI_MY_WTH:
    case AMPI_NUM_WTHS:
    case AMPI_MY_PROCESS:
    case AMPI_NUM_PROCESSES:
      return place_attribute(state, keyval);
    default:
      return nullptr;
  }
}

bool predefined_key(int keyval) {
  return (keyval >= MPI_TAG_UB && keyval < MPI_TAG_UB + 100) ||
         (keyval >= AMPI_MY_WTH && keyval <= AMPI_NUM_PROCESSES);
}

int remove(const char* function, MPI_Comm handle, int keyval) {
  ApiCall call(function);
  SKEIN_GET(Comm*, comm, get_comm(call, handle, comm));
  const int error = delete_attribute(call.state, handle, KeyvalOwner::comm, comm->attributes, keyval);
  return error == MPI_SUCCESS ? error : raise(call, comm, error, "attribute key %d", keyval);
}

}  // namespace

int get_attribute(const char* function, MPI_Comm owner, int keyval, void** value, int* flag, ValueForm form) {
  ApiCall call(function);
  SKEIN_GET(Comm*, comm, get_comm(call, owner, comm));
  if (predefined_key(keyval)) {
    const int* const predefined = predefined_attribute(call.state, *comm, keyval);
    *flag = predefined != nullptr;
    if (predefined)
      *value = form == ValueForm::pointer ? const_cast<int*>(predefined)
                                          : reinterpret_cast<void*>(static_cast<MPI_Aint>(*predefined));
    return MPI_SUCCESS;
  }
  if (!find_keyval(call.state, keyval))
    return raise(call, comm, MPI_ERR_KEYVAL, "%d is no attribute key, or one that was freed", keyval);
  const Attribute* const attribute = find_attribute(comm->attributes, keyval);
  *flag = attribute != nullptr;
  if (attribute) *value = value_in(*attribute, form);
  return MPI_SUCCESS;
}

int set_attribute(const char* function, MPI_Comm owner, int keyval, void* value, ValueForm form) {
  ApiCall call(function);
  SKEIN_GET(Comm*, comm, get_comm(call, owner, comm));
  const int error =
      set_attribute(call.state, owner, KeyvalOwner::comm, comm->attributes, keyval, value, form);
  return error == MPI_SUCCESS ? error : raise(call, comm, error, "attribute key %d", keyval);
}

}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Comm_delete_attr(MPI_Comm comm, int keyval) { return remove("MPI_Comm_delete_attr", comm, keyval); }
int MPI_Attr_delete(MPI_Comm comm, int keyval) { return remove("MPI_Attr_delete", comm, keyval); }

}  // extern "C"

#include "mpi_forwards_attributes.inc"
