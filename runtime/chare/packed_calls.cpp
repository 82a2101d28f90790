// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/array_base.hpp"
#include "skein/chare/message.hpp"
#include "skein/chare/passage.hpp"

namespace skein::chare {

namespace {
Passing arguments_in(Message& message, const EntryInfo& entry) {
  return {*entry.arguments.passage, entry.arguments.in(message)};
}
}  // namespace

Message* unpack_call(const EntryInfo& entry, std::span<const std::byte> bytes, pup::Blocks& blocks) {
  Message* const message = entry.arguments.blank(entry);
  try {
    arguments_in(*message, entry).unpack_all(bytes, blocks);
  } catch (const CorruptBuffer& error) {
    fail(std::string("the arguments of ") + entry.name +
         " do not unpack as they were packed: " + error.what());
  }
  return message;
}

void pack_call(Message& message, pup::Blocks& blocks, pup::Room& room) {
  arguments_in(message, *message.entry).pack_into(room, blocks);
}

}  // namespace skein::chare
