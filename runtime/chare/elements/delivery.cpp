// SPDX-License-Identifier: Apache-2.0
// Calls, functions and places that are sent between PEs, and elements that move by themselves.
#include <bit>
#include <utility>

#include "runtime/base/check.hpp"
#include "runtime/chare/calls/call_functions.hpp"
#include "runtime/chare/calls/queue.hpp"
#include "runtime/chare/calls/registry.hpp"
#include "runtime/chare/elements/elements_state.hpp"
#include "runtime/chare/elements/families.hpp"
#include "runtime/chare/messages/early.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/shared/read_only.hpp"
#include "runtime/net/transport.hpp"
#include "skein/chare/batches.hpp"
#include "skein/chare/delivery.hpp"

namespace skein::chare {

PerRuntime<ElementsState> elements_state;

namespace {

/// The header of a call; the index follows, in whole words, then the arguments. It is written in words
/// because it is copied at once, and a processor stalls when it reads wider pieces than it has just written.
struct CallHeader {
  struct Callee {
    std::uint32_t array, entry;
  } callee;
  struct Way {
    std::int32_t origin;
    std::uint16_t index_bytes, hops;
  } way;
  std::int64_t priority;
};
using Word = std::uint64_t;
constexpr std::size_t kHeaderWords = sizeof(CallHeader) / sizeof(Word), kLongestIndex = 256;
static_assert(sizeof(CallHeader) == kHeaderWords * sizeof(Word));
constexpr std::size_t words_of(std::size_t bytes) { return (bytes + sizeof(Word) - 1) / sizeof(Word); }
struct LocationHeader {
  std::uint32_t array;
  std::int32_t pe;
  std::uint32_t moves, insertion;
};

/// A call's header and index.
class CallFront {
 public:
  CallFront(CallHeader::Callee callee, int origin, std::uint16_t hops, std::int64_t priority, Bytes index)
      : words_(kHeaderWords + words_of(index.size())) {
    SKEIN_CHECK(index.size() <= kLongestIndex, "an index of %zu bytes", index.size());
    front_[0] = std::bit_cast<Word>(callee);
    front_[1] = std::bit_cast<Word>(CallHeader::Way{origin, static_cast<std::uint16_t>(index.size()), hops});
    front_[2] = std::bit_cast<Word>(priority);
    if (std::uint32_t number; index.size() == sizeof number) [[likely]] {
      memcpy(&number, index.data(), sizeof number);
      front_[kHeaderWords] = number;
    } else {
      front_[words_ - 1] = 0;  // the last word's bytes behind the index
      memcpy(front_ + kHeaderWords, index.data(), index.size());
    }
  }
  Bytes bytes() const { return std::as_bytes(std::span(front_, words_)); }

 private:
  Word front_[kHeaderWords + words_of(kLongestIndex)];
  std::size_t words_;
};
// ---- receiving

void on_call_with_blocks(int from_pe, Bytes message, pup::Blocks&& blocks) {
  Bytes rest = message;
  const auto header = unpack_front<CallHeader>(rest);
  ArrayBase* const array = known_array(header.callee.array);
  if (!array) [[unlikely]]
    return void(await_array(on_call_with_blocks, from_pe, header.callee.array, message, std::move(blocks)));
  array->receive(rest.first(header.way.index_bytes),
                 {&entry_number(header.callee.entry), header.way.origin,
                  rest.subspan(words_of(header.way.index_bytes) * sizeof(Word)), header.priority,
                  std::move(blocks), header.way.hops});
}

/// Receives most calls: no block comes with the message, and the element is here. Kept short: a sender on the
/// other PE waits for each instruction of this.
void on_call(int from_pe, Bytes message) {
  Bytes rest = message;
  const auto header = unpack_front<CallHeader>(rest);
  ArrayBase* const array = known_array(header.callee.array);
  Element* const element = array ? array->element_at(rest.first(header.way.index_bytes)) : nullptr;
  if (!element) [[unlikely]]
    return on_call_with_blocks(from_pe, message, {});
  Message& call = unpack_call(entry_number(header.callee.entry),
                              rest.subspan(words_of(header.way.index_bytes) * sizeof(Word)));
  call.to = element;
  enqueue(call, header.priority);
  if (header.way.hops) [[unlikely]]
    note_hops(*element, header.way.hops);
}

void on_location(int from_pe, Bytes message) {
  Bytes rest = message;
  const auto header = unpack_front<LocationHeader>(rest);
  if (await_array(on_location, from_pe, header.array, message))
    array_number(header.array).learn(rest, header.pe, header.moves, header.insertion);
}

void on_element(int from_pe, Bytes message, pup::Blocks&& blocks) {
  const std::uint32_t unknown = unknown_array(message);
  if (unknown != kNoArray) return void(await_array(on_element, from_pe, unknown, message, std::move(blocks)));
  arrive_family(message, blocks, ArrayBase::Tell::home);
}

void on_batch(int from_pe, Bytes message) {
  Bytes rest = message;
  const auto front = unpack_front<BatchFront>(rest);
  if (await_array(on_batch, from_pe, front.array, message))
    enqueue_function(function_number(front.function), message, &array_number(front.array), front.priority);
}

void on_function(int from_pe, Bytes message) {
  if (!await_read_only(on_function, from_pe, message)) return;
  const auto number = unpack_front<std::uint32_t>(message);
  enqueue_function(function_number(number), message);
}

const Receives calls(Kind::call, on_call), calls_with_blocks(Kind::call, on_call_with_blocks);
const Receives locations(Kind::location, on_location), elements(Kind::element, on_element);
const Receives functions(Kind::function, on_function), batches(Kind::batch, on_batch);

// ---- sending

/// Packs a message into `room`. The message is used up.
PackedCall pack_message(Message& message, std::int64_t priority, std::uint16_t hops, pup::Room& room) {
  PackedCall packed{message.entry, net::world.pe, {}, priority, {}, hops};
  message.entry->pack(message, packed.blocks, room);
  packed.arguments = room.bytes();
  if (packed.blocks.empty())
    message.entry->drop(message);
  else
    packed.blocks.keep(
        std::shared_ptr<Message>(&message, [](Message* lender) { lender->entry->drop(*lender); }));
  return packed;
}
/// Sends any message: the body of send_message_to().
std::size_t send_packed_to(int pe, std::uint32_t array, Bytes index, Message& message,
                           std::int64_t priority) {
  pup::Room room;
  PackedCall packed = pack_message(message, priority, 0, room);
  const std::size_t bytes = packed.arguments.size() + packed.blocks.bytes();
  send_call(pe, array, index, std::move(packed));
  return bytes;
}

constexpr std::uint32_t kMostLeftOut = 63;  // of ToldCaller

std::uint64_t name_of(int pe, std::uint32_t array, Bytes index) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  const auto add = [&hash](std::uint64_t value) { hash = (hash ^ value) * 1099511628211u; };
  add(static_cast<std::uint64_t>(pe));
  add(array);
  for (const std::byte each : index) add(static_cast<std::uint64_t>(each));
  return hash;
}

}  // namespace

void send_call(int pe, std::uint32_t array, Bytes index, PackedCall&& call) {
  const CallFront front({array, call.entry->number}, call.origin, call.hops, call.priority, index);
  if (call.blocks.empty()) [[likely]]
    post(pe, Kind::call, front.bytes(), call.arguments);
  else
    post(pe, Kind::call, front.bytes(), call.arguments, std::move(call.blocks));
}

std::size_t send_message(ArrayBase& array, Bytes index, Message& message, std::int64_t priority,
                         std::uint16_t hops) {
  pup::Room room;
  PackedCall packed = pack_message(message, priority, hops, room);
  const std::size_t bytes = packed.arguments.size() + packed.blocks.bytes();
  if (!settings.running_again) array.receive(index, std::move(packed));
  return bytes;
}

void send_before_array(std::uint32_t array, Bytes index, Message& message, std::int64_t priority) {
  pup::Room room;
  send_call(net::world.pe, array, index, pack_message(message, priority, 0, room));
}

std::size_t send_message_to(int pe, std::uint32_t array, Bytes index, Message& message,
                            std::int64_t priority) {
  const EntryInfo& entry = *message.entry;
  const std::size_t bytes = entry.arguments.plain_bytes;
  if (bytes == 0) return send_packed_to(pe, array, index, message, priority);
  const CallFront front({array, entry.number}, net::world.pe, 0, priority, index);
  post(pe, Kind::call, front.bytes(), {static_cast<const std::byte*>(arguments_of(message)), bytes});
  end_call(message);
  return bytes;
}

void send_location(int pe, std::uint32_t array, Bytes index, const Place& place) {
  post(pe, Kind::location, bytes_of(LocationHeader{array, place.pe, place.moves, place.insertion}), index);
}

void tell_caller(int pe, std::uint32_t array, Bytes index, const Place& place) {
  const std::uint64_t name = name_of(pe, array, index);
  ToldCaller& last = elements_state->told[(name ^ name >> 32) % elements_state->told.size()];
  const bool same = last.name == name && last.at == place.pe && last.moves == place.moves &&
                    last.insertion == place.insertion;
  if (same && ++last.left_out <= kMostLeftOut) return;
  last = {name, place.pe, place.moves, place.insertion};
  send_location(pe, array, index, place);
}

}  // namespace skein::chare
