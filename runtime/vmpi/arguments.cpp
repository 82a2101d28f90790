// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/arguments.hpp"

namespace skein::vmpi {
namespace {

template <class Handle>
std::size_t shown(Handle handle) {
  return static_cast<std::size_t>(handle_value(handle));
}

}  // namespace

int raise_bad_comm(const ApiCall& call, MPI_Comm handle) {
  require_running(call);
  if (handle == MPI_COMM_NULL) return raise(call, nullptr, MPI_ERR_COMM, "the communicator is MPI_COMM_NULL");
  return raise(call, nullptr, MPI_ERR_COMM, "0x%zx is no communicator, or one that was freed", shown(handle));
}

int get_group(const ApiCall& call, MPI_Group handle, Group*& group, Comm* comm) {
  group = find_group(call.state, handle);
  if (group) return MPI_SUCCESS;
  return raise(call, comm, MPI_ERR_GROUP, "0x%zx is no group, or one that was freed", shown(handle));
}

int raise_bad_type(const ApiCall& call, Comm* comm, MPI_Datatype handle) {
  if (!find_type(call.state, handle))
    return raise(call, comm, MPI_ERR_TYPE, "0x%zx is no datatype, or one that was freed", shown(handle));
  return raise(call, comm, MPI_ERR_TYPE, "the datatype is not committed: call MPI_Type_commit first");
}

int raise_bad_count(const ApiCall& call, Comm* comm, MPI_Count count) {
  return raise(call, comm, MPI_ERR_COUNT, "the count is %lld", static_cast<long long>(count));
}

int raise_null_buffer(const ApiCall& call, Comm* comm, MPI_Count count) {
  return raise(call, comm, MPI_ERR_BUFFER, "the buffer is null, the count is %lld",
               static_cast<long long>(count));
}

int raise_bad_peer(const ApiCall& call, Comm* comm, int rank) {
  return raise(call, comm, MPI_ERR_RANK, "rank %d of a communicator of %d", rank, comm->size());
}

int raise_bad_root(const ApiCall& call, Comm* comm, int rank) {
  return raise(call, comm, MPI_ERR_ROOT, "root %d of a communicator of %d", rank, comm->size());
}

int raise_wrong_kind(const ApiCall& call, Comm* comm, const char* wanted) {
  return raise(call, comm, MPI_ERR_COMM, "the communicator is no %s", wanted);
}

int raise_bad_tag(const ApiCall& call, Comm* comm, int tag) {
  return raise(call, comm, MPI_ERR_TAG, "tag %d; tags are 0 to %d", tag, kLargestTag);
}

int raise_null_pointer(const ApiCall& call, Comm* comm, const char* argument) {
  return raise(call, comm, MPI_ERR_ARG, "%s is a null pointer", argument);
}

}  // namespace skein::vmpi
