// SPDX-License-Identifier: Apache-2.0
// The arguments of sends and receives, blocking or not, as the program passes them, and their checks.
#pragma once

#include "runtime/vmpi/arguments.hpp"

namespace skein::vmpi {

/// Of a send, or of a receive: (buffer, count, datatype, peer, tag).
struct MessageArguments {
  const void* buffer;
  MPI_Count count;
  MPI_Datatype datatype;
  int peer;
  int tag;
};

/// Of MPI_PROC_NULL nothing is looked at but the communicator: `data` stays empty (MPI 4.1, 3.10).
[[nodiscard]] inline int check_send(const ApiCall& call, const MessageArguments& message, MPI_Comm handle,
                                    Comm*& comm, Data& data) {
  SKEIN_TRY(get_comm(call, handle, comm));
  if (message.peer == MPI_PROC_NULL) return MPI_SUCCESS;
  SKEIN_TRY(check_peer(call, comm, message.peer));
  SKEIN_TRY(check_tag(call, comm, message.tag));
  return get_data(call, comm, message.buffer, message.count, message.datatype, data);
}

[[nodiscard]] inline int check_receive(const ApiCall& call, const MessageArguments& message, MPI_Comm handle,
                                       Comm*& comm, Data& data) {
  SKEIN_TRY(get_comm(call, handle, comm));
  if (message.peer == MPI_PROC_NULL) return MPI_SUCCESS;
  SKEIN_TRY(check_source(call, comm, message.peer));
  SKEIN_TRY(check_receive_tag(call, comm, message.tag));
  return get_data(call, comm, message.buffer, message.count, message.datatype, data);
}

}  // namespace skein::vmpi
