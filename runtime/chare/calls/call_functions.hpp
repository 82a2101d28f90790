// SPDX-License-Identifier: Apache-2.0
// Runs and ends calls whose arguments are known by an ArgumentsInfo alone: inline, as most calls of a program
// are of this kind and live for nanoseconds.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

#include "skein/chare/message.hpp"

namespace skein::chare {

inline void* arguments_of(Message& message) {
  return reinterpret_cast<std::byte*>(&message) + message.entry->arguments.offset;
}

/// Makes a call whose arguments are not constructed yet.
inline Message& bare_call(const EntryInfo& entry) {
  auto* const call = ::new (allocate_message(entry.arguments.call_bytes)) Message;
  call->entry = &entry;
  return *call;
}

/// Unpacks a call without blocks, like CallFunctions::unpack().
inline Message& unpack_call(const EntryInfo& entry, std::span<const std::byte> bytes) {
  if (bytes.empty() || bytes.size() != entry.arguments.plain_bytes) {
    pup::Blocks none;
    return *entry.unpack(entry, bytes, none);
  }
  Message& call = bare_call(entry);
  if (bytes.size() == sizeof(std::uint64_t)) [[likely]]
    memcpy(arguments_of(call), bytes.data(), sizeof(std::uint64_t));
  else
    memcpy(arguments_of(call), bytes.data(), bytes.size());
  return call;
}

/// Ends a call, like drop_call().
inline void end_call(Message& message) {
  const ArgumentsInfo& arguments = message.entry->arguments;
  if (arguments.destroy) arguments.destroy(arguments_of(message));
  free_message(&message, arguments.call_bytes);
}

/// Runs a call of any kind, by its CallFunctions.
inline void run_message(Message& message) {
  const EntryInfo& entry = *message.entry;
  if (entry.run) [[unlikely]]
    return entry.run(message);
  const struct End {
    Message& message;
    ~End() { end_call(message); }
  } end{message};  // also when the method throws
  entry.invoke(*message.to, arguments_of(message));
}

}  // namespace skein::chare
