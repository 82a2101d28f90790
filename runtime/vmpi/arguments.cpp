// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/arguments.hpp"

#include "runtime/vmpi/datatype/lookup.hpp"

namespace skein::vmpi {

int get_comm(const ApiCall& call, MPI_Comm handle, Comm*& comm) {
  comm = find_comm(call.state, handle);
  if (comm) return MPI_SUCCESS;
  if (handle == MPI_COMM_NULL) return raise(call, nullptr, MPI_ERR_COMM, "the communicator is MPI_COMM_NULL");
  return raise(call, nullptr, MPI_ERR_COMM, "0x%zx is no communicator, or one that was freed",
               static_cast<std::size_t>(handle_value(handle)));
}

int get_group(const ApiCall& call, MPI_Group handle, Group*& group) {
  group = find_group(call.state, handle);
  if (group) return MPI_SUCCESS;
  return raise(call, nullptr, MPI_ERR_GROUP, "0x%zx is no group, or one that was freed",
               static_cast<std::size_t>(handle_value(handle)));
}

int get_type(const ApiCall& call, Comm* comm, MPI_Datatype handle, const Datatype*& type) {
  type = find_type(call.state, handle);
  if (!type)
    return raise(call, comm, MPI_ERR_TYPE, "0x%zx is no datatype, or one that was freed",
                 static_cast<std::size_t>(handle_value(handle)));
  if (!type->committed())
    return raise(call, comm, MPI_ERR_TYPE, "the datatype is not committed: MPI_Type_commit");
  return MPI_SUCCESS;
}

int get_data(const ApiCall& call, Comm* comm, const void* buffer, MPI_Count count, MPI_Datatype datatype,
             Data& data) {
  if (count < 0) return raise(call, comm, MPI_ERR_COUNT, "the count is %lld", static_cast<long long>(count));
  const Datatype* type = nullptr;
  SKEIN_TRY(get_type(call, comm, datatype, type));
  data = make_data(buffer, count, *type);
  if (buffer == nullptr && data.bytes > 0 && type->predefined())
    return raise(call, comm, MPI_ERR_BUFFER, "the buffer is null, the count is %lld",
                 static_cast<long long>(count));
  return MPI_SUCCESS;
}

int check_peer(const ApiCall& call, Comm* comm, int rank) {
  if ((rank >= 0 && rank < comm->size()) || rank == MPI_PROC_NULL) return MPI_SUCCESS;
  return raise(call, comm, MPI_ERR_RANK, "rank %d of a communicator of %d", rank, comm->size());
}

int check_source(const ApiCall& call, Comm* comm, int rank) {
  return rank == MPI_ANY_SOURCE ? MPI_SUCCESS : check_peer(call, comm, rank);
}

int check_root(const ApiCall& call, Comm* comm, int rank) {
  if (rank >= 0 && rank < comm->size()) return MPI_SUCCESS;
  return raise(call, comm, MPI_ERR_ROOT, "root %d of a communicator of %d", rank, comm->size());
}

int check_tag(const ApiCall& call, Comm* comm, int tag) {
  if (tag >= 0 && tag <= largest_tag) return MPI_SUCCESS;
  return raise(call, comm, MPI_ERR_TAG, "tag %d; tags are 0 to %d", tag, largest_tag);
}

int check_receive_tag(const ApiCall& call, Comm* comm, int tag) {
  return tag == MPI_ANY_TAG ? MPI_SUCCESS : check_tag(call, comm, tag);
}

int check_pointer(const ApiCall& call, Comm* comm, const void* pointer, const char* argument) {
  return pointer ? MPI_SUCCESS : raise(call, comm, MPI_ERR_ARG, "%s is a null pointer", argument);
}

}  // namespace skein::vmpi
