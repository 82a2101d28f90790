// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/calls/call_functions.hpp"

#include <cstring>
#include <memory>

#include "skein/chare/array_base.hpp"
#include "skein/chare/control.hpp"
#include "skein/chare/passage.hpp"

namespace skein::chare {
namespace {

const void* arguments_of(const Message& message) { return arguments_of(const_cast<Message&>(message)); }
Passing passing(Message& message) { return {*message.entry->arguments.passage, arguments_of(message)}; }

Message* unpack(const EntryInfo& entry, std::span<const std::byte> bytes, pup::Blocks& blocks) {
  const ArgumentsInfo& arguments = entry.arguments;
  Message& call = bare_call(entry);
  if (arguments.plain_bytes > 0 && bytes.size() == arguments.plain_bytes) {
    memcpy(arguments_of(call), bytes.data(), bytes.size());
    return &call;
  }
  if (arguments.construct)
    arguments.construct(arguments_of(call));
  else
    memset(arguments_of(call), 0, arguments.bytes);
  try {
    passing(call).unpack_all(bytes, blocks);
  } catch (const CorruptBuffer& error) {
    fail(std::string("the arguments of ") + entry.name +
         " do not unpack as they were packed: " + error.what());
  }
  return &call;
}

void pack(Message& message, pup::Blocks& blocks, pup::Room& room) {
  passing(message).pack_into(room, blocks);
}

struct Drop {
  void operator()(Message* message) const { drop_call(*message); }
};
using Call = std::unique_ptr<Message, Drop>;  // ends the message also when the called method throws

void copy_arguments(void* to, const Message& message) {
  const ArgumentsInfo& arguments = message.entry->arguments;
  if (arguments.copy)
    arguments.copy(to, arguments_of(message));
  else
    memcpy(to, arguments_of(message), arguments.bytes);
}

Call copy_of(const Message& message) {
  Message& copy = bare_call(*message.entry);
  copy_arguments(arguments_of(copy), message);
  return Call(&copy);
}

void call_plain(const Message& message, Element& element) {
  const EntryInfo& entry = *message.entry;
  alignas(std::max_align_t) std::byte room[256];  // enough for nearly all arguments
  if (entry.arguments.bytes > sizeof room) {
    const Call copy = copy_of(message);
    return entry.invoke(element, arguments_of(*copy));
  }
  copy_arguments(room, message);
  const struct End {
    const ArgumentsInfo& arguments;
    void* copy;
    ~End() {
      if (arguments.destroy) arguments.destroy(copy);
    }
  } end{entry.arguments, room};
  entry.invoke(element, room);
}

void run_awaited(Message& message) { control_of(*message.to).keep(message); }
void call_awaited(const Message& message, Element& element) {
  control_of(element).keep(*copy_of(message).release());
}

}  // namespace

void drop_call(Message& message) { end_call(message); }

constinit const CallFunctions plain_calls{nullptr, call_plain, drop_call, unpack, pack};
constinit const CallFunctions awaited_calls{run_awaited, call_awaited, drop_call, unpack, pack};

}  // namespace skein::chare
