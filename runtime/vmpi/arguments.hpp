// SPDX-License-Identifier: Apache-2.0
// Checking of what a program passes to MPI. Each function returns MPI_SUCCESS or has raised the error through
// the right handler; SKEIN_TRY hands it on.
#pragma once

#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/errors.hpp"
#include "runtime/vmpi/p2p/data.hpp"
#include "runtime/vmpi/state.hpp"

#define SKEIN_TRY(expression)                                                                 \
  do {                                                                                        \
    if (const int skein_error = (expression); skein_error != MPI_SUCCESS) return skein_error; \
  } while (0)

namespace skein::vmpi {

[[nodiscard]] int get_comm(const ApiCall& call, MPI_Comm handle, Comm*& comm);
[[nodiscard]] int get_group(const ApiCall& call, MPI_Group handle, Group*& group);

/// A committed type.
[[nodiscard]] int get_type(const ApiCall& call, Comm* comm, MPI_Datatype handle, const Datatype*& type);
/// (buffer, count, datatype): count not negative, type committed, buffer not null unless it is MPI_BOTTOM
/// with an absolute type.
[[nodiscard]] int get_data(const ApiCall& call, Comm* comm, const void* buffer, MPI_Count count,
                           MPI_Datatype datatype, Data& data);

/// A rank of the communicator, or MPI_PROC_NULL.
[[nodiscard]] int check_peer(const ApiCall& call, Comm* comm, int rank);
[[nodiscard]] int check_source(const ApiCall& call, Comm* comm, int rank);  ///< MPI_ANY_SOURCE too
[[nodiscard]] int check_root(const ApiCall& call, Comm* comm, int rank);    ///< a rank only
[[nodiscard]] int check_tag(const ApiCall& call, Comm* comm, int tag);
[[nodiscard]] int check_receive_tag(const ApiCall& call, Comm* comm, int tag);  ///< MPI_ANY_TAG too
/// An output or array argument that must not be null.
[[nodiscard]] int check_pointer(const ApiCall& call, Comm* comm, const void* pointer, const char* argument);

/// The largest tag: what MPI_TAG_UB says.
inline constexpr int largest_tag = 0x3fffffff;

}  // namespace skein::vmpi
