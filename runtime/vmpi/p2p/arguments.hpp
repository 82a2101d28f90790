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

/// Data in one piece is plain bytes from here on: so its place is found once, and nobody needs its type any
/// more, which the program may free. With --check types are compared, and stay.
[[gnu::always_inline]] inline void leave_type_behind(Data& data) {
  std::byte* const first = contiguous_data(data.buffer, data.count, *data.type);
  if (!first || checking) return;
  if (data.switched_out) data.switched_out += first - static_cast<std::byte*>(data.buffer);
  data.buffer = first;
  data.count = static_cast<MPI_Count>(data.bytes);
  data.type = nullptr;
}

// Inline, so that what they find stays in registers until it is written into a request: what is written in
// pieces and read in wider ones makes a processor wait.

/// Of MPI_PROC_NULL nothing is looked at but the communicator: `data` stays empty (MPI 4.1, 3.10).
[[nodiscard, gnu::always_inline]] inline int check_send(const ApiCall& call, const MessageArguments& message,
                                                        MPI_Comm handle, Comm*& comm, Data& data) {
  SKEIN_TRY(get_comm(call, handle, comm));
  if (message.peer == MPI_PROC_NULL) return MPI_SUCCESS;
  SKEIN_TRY(check_peer(call, comm, message.peer));
  SKEIN_TRY(check_tag(call, comm, message.tag));
  SKEIN_TRY(get_data_inline(call, comm, message.buffer, message.count, message.datatype, data));
  leave_type_behind(data);
  return MPI_SUCCESS;
}

[[nodiscard, gnu::always_inline]] inline int check_receive(const ApiCall& call,
                                                           const MessageArguments& message, MPI_Comm handle,
                                                           Comm*& comm, Data& data) {
  SKEIN_TRY(get_comm(call, handle, comm));
  if (message.peer == MPI_PROC_NULL) return MPI_SUCCESS;
  SKEIN_TRY(check_source(call, comm, message.peer));
  SKEIN_TRY(check_receive_tag(call, comm, message.tag));
  SKEIN_TRY(get_data_inline(call, comm, message.buffer, message.count, message.datatype, data));
  leave_type_behind(data);
  return MPI_SUCCESS;
}

}  // namespace skein::vmpi
