// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/messages/early.hpp"

#include "runtime/base/pe_runtime.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/messages/waiting.hpp"
#include "runtime/chare/record/execution_record.hpp"

namespace skein::chare {
namespace {

struct Early {
  Receiver receive;  // null: receive_with_blocks
  BlockReceiver receive_with_blocks;
  int from_pe;
  std::vector<std::byte> message;
  pup::Blocks blocks;
  Ticket because;
};
/// Early messages by array; kNoArray: for read-only values.
PerRuntime<std::map<std::uint32_t, std::vector<Early>>> early;

void keep(std::uint32_t array, Early&& message) {
  message.because = inherited_ticket();
  (*early)[array].push_back(std::move(message));
}

std::size_t count_early() {
  std::size_t count = 0;
  for (const auto& [array, messages] : *early) count += messages.size();
  return count;
}
void describe_early(std::vector<std::string>& lines) {
  for (const auto& [array, messages] : *early)
    lines.push_back(std::to_string(messages.size()) + " messages wait for " +
                    (array == kNoArray ? "the read-only values" : text_of_number(array)) +
                    ", which this PE does not have yet");
}

const WaitSource waits(Way::early_message, count_early, describe_early);

}  // namespace

void receive_later(Receiver receiver, int from_pe, std::uint32_t array, Bytes message) {
  keep(array, {receiver, nullptr, from_pe, {message.begin(), message.end()}, {}, {}});
}

bool await_array(Receiver receiver, int from_pe, std::uint32_t array, Bytes message) {
  if (known_array(array)) return true;
  receive_later(receiver, from_pe, array, message);
  return false;
}

bool await_array(BlockReceiver receiver, int from_pe, std::uint32_t array, Bytes message,
                 pup::Blocks&& blocks) {
  if (known_array(array)) return true;
  keep(array, {nullptr, receiver, from_pe, {message.begin(), message.end()}, std::move(blocks), {}});
  return false;
}
void receive_early(std::uint32_t array) {
  auto messages = early->extract(array);
  if (messages.empty()) return;
  for (Early& each : messages.mapped()) {
    const Consequences of(each.because);
    if (each.receive)
      each.receive(each.from_pe, each.message);
    else
      each.receive_with_blocks(each.from_pe, each.message, std::move(each.blocks));
  }
}

}  // namespace skein::chare
