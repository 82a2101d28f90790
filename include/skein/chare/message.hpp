// SPDX-License-Identifier: Apache-2.0
// Calls in a PE's queue, and the table of entry methods, which all PEs number alike.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <span>

#include "skein/chare/element.hpp"
#include "skein/chare/ticket.hpp"
#include "skein/pup/blocks.hpp"

namespace skein::chare {

struct Message;
struct Passage;
class EntryInfo;

/// The type of a tuple of arguments, as far as calls need it. A program has many entry methods and few
/// parameter lists, and each function here costs compile time, so the list is kept short.
struct ArgumentsInfo {
  std::size_t bytes;            ///< of the tuple
  std::size_t offset;           ///< of the tuple in a call, which begins with its Message
  std::size_t call_bytes;       ///< of both
  std::size_t plain_bytes;      ///< their first bytes, which are their packed form; 0: packed by `passage`
  void (*construct)(void* at);  ///< makes a tuple to unpack into. Null: zeros suffice
  void (*copy)(void* to, const void* from);  ///< Null: bytes may be copied
  void (*destroy)(void* arguments);          ///< Null: nothing to do
  const Passage* passage;
};

/// The operations on calls. Those of plain methods and of awaited ones (call_functions.cpp) work for any
/// arguments.
struct CallFunctions {
  void (*run)(Message& message);  ///< calls message.to, and ends the message. Null: by EntryInfo::invoke
  void (*call)(const Message& message, Element& element);  ///< calls with copies of the arguments
  void (*drop)(Message& message);                          ///< ends the message without a call
  /// Unpacks a call. Bytes that `pack` does not give end the job.
  Message* (*unpack)(const EntryInfo& entry, std::span<const std::byte> arguments, pup::Blocks& blocks);
  void (*pack)(Message& message, pup::Blocks& blocks, pup::Room& room);
  bool for_existing_only = false;  ///< a call is dropped, not kept, where the element does not exist yet
};
extern const CallFunctions plain_calls, awaited_calls;
/// CallFunctions::drop of plain_calls and awaited_calls.
void drop_call(Message& message);

/// An entry method, with its types erased. It must be small, as there are many.
class EntryInfo : public CallFunctions {
 public:
  /// Calls the method with the tuple that `arguments` points to, which it may use up.
  using Invoke = void (*)(Element& element, void* arguments);

  /// Registers itself, while static objects are made: in an order that is equal on all PEs, which run one
  /// program.
  EntryInfo(const CallFunctions& calls, const ArgumentsInfo& its_arguments, Invoke its_invoke,
            const char* its_name);
  EntryInfo(const EntryInfo&) = delete;
  EntryInfo& operator=(const EntryInfo&) = delete;

  const ArgumentsInfo& arguments;
  const Invoke invoke;         ///< null: for awaited methods
  const char* const name;      ///< "Cell::positions"
  const std::uint32_t number;  ///< equal on all PEs
};
const EntryInfo& entry_number(std::uint32_t number);

/// Returns the name of the entry method that is the template argument `method` of the function with this
/// __PRETTY_FUNCTION__. Lives as long as the program.
const char* name_in_signature(const char* signature);

/// A call on its way between PEs.
struct PackedCall {
  const EntryInfo* entry;
  int origin;  ///< the sending PE, which is told where the element is
  std::span<const std::byte> arguments;
  std::int64_t priority = 0;
  pup::Blocks blocks = {};
  std::uint16_t hops = 0;  ///< how often it was passed on because its element had left
};

/// A call that was passed on so often runs before its element moves again. So a call chases no element for
/// long, and n calls for an element that moves after each of them are passed on at most n times this number.
inline constexpr std::uint16_t kLongestChase = 4;
/// Returns one hop more, up to the largest count that matters.
inline std::uint16_t next_hop(std::uint16_t hops) {
  return hops < kLongestChase ? static_cast<std::uint16_t>(hops + 1) : hops;
}
/// Notes that a call with so many hops has been queued.
inline void note_hops(Element& element, std::uint16_t hops) {
  static_assert(kLongestChase < 8, "Element::hops has three bits");
  if (hops > element.hops) element.hops = std::min(hops, kLongestChase) & 7;
  element.chased |= hops >= kLongestChase;
}

/// One call, in the queue. A derived class adds the arguments.
struct Message {
  Message* next = nullptr;
  const EntryInfo* entry = nullptr;
  Element* to = nullptr;  ///< null: a Task (runtime/chare/calls/task.hpp)
};

// ---- memory of messages: lists of free blocks, because a call lives for nanoseconds

inline constexpr std::size_t kBlockStep = 64, kBlockSizes = 8;
struct FreeBlock {
  FreeBlock* next;
};
struct MessageBlocks {
  FreeBlock* free[kBlockSizes] = {};
  std::size_t made[kBlockSizes] = {};  ///< existing blocks, free or not
  std::size_t freed_bytes = 0;         ///< of calls, given to malloc(): some may go back to the system
};
extern MessageBlocks message_blocks;

inline void* take_block(std::size_t bytes) {
  const std::size_t size = (bytes - 1) / kBlockStep;
  if (size >= kBlockSizes) return ::operator new(bytes);
  FreeBlock* const block = message_blocks.free[size];
  if (!block) {
    ++message_blocks.made[size];
    return ::operator new((size + 1) * kBlockStep);
  }
  message_blocks.free[size] = block->next;
  return block;
}

inline void give_block(void* memory, std::size_t bytes) {
  const std::size_t size = (bytes - 1) / kBlockStep;
  if (size >= kBlockSizes) return ::operator delete(memory);
  auto* const block = static_cast<FreeBlock*>(memory);
  block->next = message_blocks.free[size];
  message_blocks.free[size] = block;
}

/// Allocate and free messages with room for the ticket in front.
[[gnu::cold]] void* allocate_with_ticket(std::size_t bytes);
[[gnu::cold]] void free_with_ticket(void* message, std::size_t bytes);

inline void* allocate_message(std::size_t bytes) {
  return settings.tickets_kept ? allocate_with_ticket(bytes) : take_block(bytes);
}
inline void free_message(void* message, std::size_t bytes) {
  settings.tickets_kept ? free_with_ticket(message, bytes) : give_block(message, bytes);
}

// ---- the queue of this PE: first in, first out. Calls with a priority other than 0 are in queues of their
// own.

struct Queue {
  Message* first = nullptr;
  Message* last = nullptr;

  void push(Message& message) {
    message.next = nullptr;
    if (first)
      last->next = &message;
    else
      first = &message;
    last = &message;
  }
  Message* pop() {
    Message* const message = first;
    first = message->next;
    return message;
  }
  /// Puts the messages of `earlier` before all others.
  void prepend(Queue earlier) {
    if (!earlier.first) return;
    earlier.last->next = first;
    if (!first) last = earlier.last;
    first = earlier.first;
  }
};

/// The element and the method that run now, for error messages. Null: none.
struct Running {
  Element* element = nullptr;
  const EntryInfo* entry = nullptr;
};

struct CallsHere {
  Queue queue;
  Running running;
  bool any_aggregated = false;  ///< buffers of aggregators (batches.hpp) may hold calls
};
extern CallsHere calls_here;

inline void enqueue(Message& message) {
  if (settings.tickets_kept) [[unlikely]]
    give_ticket(message);
  ++message.to->queued;
  calls_here.queue.push(message);
}

inline constexpr std::int64_t kMostUrgent = std::numeric_limits<std::int64_t>::min();
void enqueue_prioritized(Message& message, std::int64_t priority);
inline void enqueue(Message& message, std::int64_t priority) {
  if (priority == 0) [[likely]]
    enqueue(message);
  else
    enqueue_prioritized(message, priority);
}

}  // namespace skein::chare
