// SPDX-License-Identifier: Apache-2.0
// The arguments of sends and receives, blocking or not, as the program passes them, and the checks of these
// arguments.
#pragma once

#include "runtime/rank/recorded.hpp"
#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/p2p/recurring.hpp"

namespace skein::vmpi {

/// (buffer, count, datatype, peer, tag) of a send or a receive.
struct MessageArguments {
  const void* buffer;
  MPI_Count count;
  MPI_Datatype datatype;
  int peer;
  int tag;
};

/// Turns contiguous data into plain bytes: so its address is found once, and the program may free its type.
/// With --check types are compared, and stay.
[[gnu::always_inline]] inline void leave_type_behind(Data& data) {
  std::byte* const first = contiguous_data(data.buffer, data.count, *data.type);
  if (!first || settings.checking) return;
  if (data.switched_out) data.switched_out += first - static_cast<std::byte*>(data.buffer);
  data.buffer = first;
  data.count = static_cast<MPI_Count>(data.bytes);
  data.type = nullptr;
}

/// Returns the call as recurring.hpp keeps it, with 0 bytes for data that is not kept.
inline RepeatableCall wanted_of(RequestKind kind, SendMode mode, const MessageArguments& message) {
  return {kind,           mode,
          message.peer,   message.tag,
          message.buffer, static_cast<std::size_t>(message.count) * block_size_of_named(message.datatype)};
}

/// Returns true for the most frequent kind of call: peer and tag are valid and no wildcards, the data is one
/// block of elements of a predefined type, not among thread-local variables, and nothing is checked or
/// recorded. These calls have a short path of their own.
[[gnu::always_inline]] inline bool is_common(const Comm* comm, const MessageArguments& message,
                                             const RepeatableCall& wanted) {
  if (!comm || wanted.bytes == 0) return false;
  if (static_cast<unsigned>(message.peer) >= static_cast<unsigned>(comm->size())) return false;
  if (static_cast<unsigned>(message.tag) > static_cast<unsigned>(kLargestTag)) return false;
  if (message.count <= 0 || !message.buffer || among_thread_locals(message.buffer)) return false;
  return !settings.checking && !trace::recording;
}
/// Returns the data of a call that is_common().
inline Data common_data(const RepeatableCall& wanted) {
  return {const_cast<void*>(wanted.buffer), 0, nullptr, wanted.bytes, nullptr};
}

/// Gets data of any type.
[[nodiscard, gnu::noinline]] inline int get_typed_data(const ApiCall& call, Comm* comm,
                                                       const MessageArguments& message, Data& data) {
  SKEIN_TRY(get_data(call, comm, message.buffer, message.count, message.datatype, data));
  leave_type_behind(data);
  return MPI_SUCCESS;
}

// The following functions are inline, so that their results stay in registers until they are written into a
// request: a processor has to wait when it reads in wide pieces what was written in short ones. So no
// function gets the address of `data`.

/// Gets the data of a message. Most messages are elements of a predefined type, one after another.
[[nodiscard, gnu::always_inline]] inline int get_message_data(const ApiCall& call, Comm* comm,
                                                              const MessageArguments& message, Data& data) {
  const std::size_t element = block_size_of_named(message.datatype);
  if (element != 0 && message.count > 0 && message.buffer && !settings.checking) [[likely]] {
    data = byte_data(const_cast<void*>(message.buffer), static_cast<std::size_t>(message.count) * element);
    return MPI_SUCCESS;
  }
  const MessageArguments same = message;
  Data typed;
  SKEIN_TRY(get_typed_data(call, comm, same, typed));
  data = typed;
  return MPI_SUCCESS;
}

/// Checks a send. With MPI_PROC_NULL only the communicator is checked: `data` stays empty (MPI 4.1, 3.10).
[[nodiscard, gnu::always_inline]] inline int check_send(const ApiCall& call, const MessageArguments& message,
                                                        MPI_Comm handle, Comm*& comm, Data& data) {
  SKEIN_TRY(get_comm(call, handle, comm));
  if (message.peer == MPI_PROC_NULL) [[unlikely]]
    return MPI_SUCCESS;
  SKEIN_TRY(check_rank(call, comm, message.peer));
  SKEIN_TRY(check_tag(call, comm, message.tag));
  return get_message_data(call, comm, message, data);
}

[[nodiscard, gnu::always_inline]] inline int check_receive(const ApiCall& call,
                                                           const MessageArguments& message, MPI_Comm handle,
                                                           Comm*& comm, Data& data) {
  SKEIN_TRY(get_comm(call, handle, comm));
  if (message.peer == MPI_PROC_NULL) [[unlikely]]
    return MPI_SUCCESS;
  if (message.peer != MPI_ANY_SOURCE) SKEIN_TRY(check_rank(call, comm, message.peer));
  SKEIN_TRY(check_receive_tag(call, comm, message.tag));
  return get_message_data(call, comm, message, data);
}

}  // namespace skein::vmpi
