// SPDX-License-Identifier: Apache-2.0
// Checks of the arguments that a program passes to MPI. Each function returns MPI_SUCCESS, or raises the
// error through the right handler and returns it. SKEIN_TRY passes errors on. SKEIN_GET declares a variable
// that a function sets by reference, and passes errors on.
#pragma once

#include <span>

#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/datatype/rank_types.hpp"
#include "runtime/vmpi/errors.hpp"
#include "runtime/vmpi/p2p/data.hpp"
#include "runtime/vmpi/state.hpp"

#define SKEIN_TRY(expression)                                                                 \
  do {                                                                                        \
    if (const int skein_error = (expression); skein_error != MPI_SUCCESS) return skein_error; \
  } while (0)

#define SKEIN_GET(Type, variable, get) \
  Type variable{};                     \
  SKEIN_TRY(get)

namespace skein::vmpi {

/// Raise the errors of wrong arguments, out of the way of calls without errors.
[[nodiscard, gnu::cold]] int raise_bad_comm(const ApiCall& call, MPI_Comm handle);
[[nodiscard, gnu::cold]] int raise_bad_type(const ApiCall& call, Comm* comm, MPI_Datatype handle);
[[nodiscard, gnu::cold]] int raise_bad_count(const ApiCall& call, Comm* comm, MPI_Count count);
[[nodiscard, gnu::cold]] int raise_null_buffer(const ApiCall& call, Comm* comm, MPI_Count count);
[[nodiscard, gnu::cold]] int raise_bad_peer(const ApiCall& call, Comm* comm, int rank);
[[nodiscard, gnu::cold]] int raise_bad_root(const ApiCall& call, Comm* comm, int rank);
[[nodiscard, gnu::cold]] int raise_wrong_kind(const ApiCall& call, Comm* comm, const char* wanted);
[[nodiscard, gnu::cold]] int raise_bad_tag(const ApiCall& call, Comm* comm, int tag);
[[nodiscard, gnu::cold]] int raise_null_pointer(const ApiCall& call, Comm* comm, const char* argument);

/// The largest tag, the value of MPI_TAG_UB.
inline constexpr int kLargestTag = 0x3fffffff;

[[nodiscard]] inline int get_comm(const ApiCall& call, MPI_Comm handle, Comm*& comm) {
  comm = find_comm(call.state, handle);
  return comm ? MPI_SUCCESS : raise_bad_comm(call, handle);
}

/// Get a communicator for functions that have a meaning for one kind only.
[[nodiscard]] inline int get_intracomm(const ApiCall& call, MPI_Comm handle, Comm*& comm) {
  if (const int error = get_comm(call, handle, comm); error != MPI_SUCCESS) return error;
  return comm->remote ? raise_wrong_kind(call, comm, "intracommunicator") : MPI_SUCCESS;
}
[[nodiscard]] inline int get_intercomm(const ApiCall& call, MPI_Comm handle, Comm*& comm) {
  if (const int error = get_comm(call, handle, comm); error != MPI_SUCCESS) return error;
  return comm->remote ? MPI_SUCCESS : raise_wrong_kind(call, comm, "intercommunicator");
}

/// Gets a group. `comm`: the communicator whose handler gets errors, or null.
[[nodiscard]] int get_group(const ApiCall& call, MPI_Group handle, Group*& group, Comm* comm = nullptr);

/// Gets a committed type.
[[nodiscard]] inline int get_type(const ApiCall& call, Comm* comm, MPI_Datatype handle,
                                  const Datatype*& type) {
  type = find_type(call.state, handle);
  return type && type->committed() ? MPI_SUCCESS : raise_bad_type(call, comm, handle);
}

/// Gets the data of (buffer, count, datatype). The count must not be negative, the type committed, and the
/// buffer not null unless it is MPI_BOTTOM with an absolute type. For a count of 0 programs may pass
/// MPI_DATATYPE_NULL.
[[nodiscard]] inline int get_data(const ApiCall& call, Comm* comm, const void* buffer, MPI_Count count,
                                  MPI_Datatype datatype, Data& data) {
  if (count < 0) return raise_bad_count(call, comm, count);
  const Datatype* type = nullptr;
  if (count == 0 && datatype == MPI_DATATYPE_NULL) datatype = MPI_BYTE;
  SKEIN_TRY(get_type(call, comm, datatype, type));
  data = make_data(buffer, count, *type);
  if (buffer == nullptr && data.bytes > 0 && type->predefined()) return raise_null_buffer(call, comm, count);
  return MPI_SUCCESS;
}

/// Checks for a rank of the communicator.
[[nodiscard]] inline int check_rank(const ApiCall& call, Comm* comm, int rank) {
  const bool good = static_cast<unsigned>(rank) < static_cast<unsigned>(comm->size());
  return good ? MPI_SUCCESS : raise_bad_peer(call, comm, rank);
}
/// Checks for a rank or MPI_PROC_NULL.
[[nodiscard]] inline int check_peer(const ApiCall& call, Comm* comm, int rank) {
  return rank == MPI_PROC_NULL ? MPI_SUCCESS : check_rank(call, comm, rank);
}
/// Checks for a rank, MPI_PROC_NULL or MPI_ANY_SOURCE.
[[nodiscard]] inline int check_source(const ApiCall& call, Comm* comm, int rank) {
  return rank == MPI_ANY_SOURCE ? MPI_SUCCESS : check_peer(call, comm, rank);
}
/// Checks for a root: a rank; on an intercommunicator a rank of the remote group or, in the root's own group,
/// MPI_ROOT or MPI_PROC_NULL.
[[nodiscard]] inline int check_root(const ApiCall& call, Comm* comm, int rank) {
  const bool good = static_cast<unsigned>(rank) < static_cast<unsigned>(comm->size()) ||
                    (comm->remote && (rank == MPI_ROOT || rank == MPI_PROC_NULL));
  return good ? MPI_SUCCESS : raise_bad_root(call, comm, rank);
}
[[nodiscard]] inline int check_tag(const ApiCall& call, Comm* comm, int tag) {
  return static_cast<unsigned>(tag) <= static_cast<unsigned>(kLargestTag) ? MPI_SUCCESS
                                                                          : raise_bad_tag(call, comm, tag);
}
/// Checks for a tag or MPI_ANY_TAG.
[[nodiscard]] inline int check_receive_tag(const ApiCall& call, Comm* comm, int tag) {
  return tag == MPI_ANY_TAG ? MPI_SUCCESS : check_tag(call, comm, tag);
}
/// Checks that an output or array argument is not null.
[[nodiscard]] inline int check_pointer(const ApiCall& call, Comm* comm, const void* pointer,
                                       const char* argument) {
  return pointer ? MPI_SUCCESS : raise_null_pointer(call, comm, argument);
}

/// Returns an array of `n` numbers as a span.
inline std::span<const int> as_span(const int* values, int n) {
  return {values, static_cast<std::size_t>(n)};
}

}  // namespace skein::vmpi
