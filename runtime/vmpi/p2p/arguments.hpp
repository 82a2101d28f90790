// SPDX-License-Identifier: Apache-2.0
// The arguments of sends and receives, blocking or not, as the program passes them, and their checks.
#pragma once

#include "runtime/rank/recorded.hpp"
#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/p2p/recurring.hpp"

namespace skein::vmpi {

/// The arguments of a send or a receive: (buffer, count, datatype, peer, tag).
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
  if (!first || settings.checking) return;
  if (data.switched_out) data.switched_out += first - static_cast<std::byte*>(data.buffer);
  data.buffer = first;
  data.count = static_cast<MPI_Count>(data.bytes);
  data.type = nullptr;
}

/// Without a byte where the data is not of the kind that is kept (recurring.hpp).
inline RepeatableCall wanted_of(RequestKind kind, SendMode mode, const MessageArguments& message) {
  return {kind,           mode,
          message.peer,   message.tag,
          message.buffer, static_cast<std::size_t>(message.count) * block_size_of_named(message.datatype)};
}

/// Whether most of what calls are made with is so: peer and tag are ranks and tags, the data is one block of
/// elements of a predefined type, not among thread-local variables, and nothing is checked or recorded. Such
/// calls have a way of their own, without what only others need.
[[gnu::always_inline]] inline bool is_common(const Comm* comm, const MessageArguments& message,
                                             const RepeatableCall& wanted) {
  if (!comm || wanted.bytes == 0) return false;
  if (static_cast<unsigned>(message.peer) >= static_cast<unsigned>(comm->size())) return false;
  if (static_cast<unsigned>(message.tag) > static_cast<unsigned>(kLargestTag)) return false;
  if (message.count <= 0 || !message.buffer || among_thread_locals(message.buffer)) return false;
  return !settings.checking && !trace::recording;
}
/// The data of such a call.
inline Data common_data(const RepeatableCall& wanted) {
  return {const_cast<void*>(wanted.buffer), 0, nullptr, wanted.bytes, nullptr};
}

/// Data of any type.
[[nodiscard, gnu::noinline]] inline int get_typed_data(const ApiCall& call, Comm* comm,
                                                       const MessageArguments& message, Data& data) {
  SKEIN_TRY(get_data(call, comm, message.buffer, message.count, message.datatype, data));
  leave_type_behind(data);
  return MPI_SUCCESS;
}

// Inline, so that what they find stays in registers until it is written into a request: what is written in
// pieces and read in wider ones makes a processor wait. So no function gets the address of `data`.

/// Most messages are elements of a predefined type, one after another.
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
