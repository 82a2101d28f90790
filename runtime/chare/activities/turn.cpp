// SPDX-License-Identifier: Apache-2.0
// Calls over ordered channels. Each is wrapped in a message with the channel and its number in it; an element
// keeps a call until it has run the preceding one. So order does not depend on the way that calls take, and
// only a number for each channel moves with an element.
#include "skein/chare/turn.hpp"

#include <algorithm>

#include "runtime/chare/activities/activities_state.hpp"
#include "runtime/chare/calls/call_functions.hpp"
#include "runtime/chare/messages/waiting.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/record/execution_record.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {

struct OrderedCall : Message {
  Turn turn;
  Message* call = nullptr;
};

namespace {

struct Header {
  Turn turn;
  std::uint32_t entry, unused = 0;
};

extern const EntryInfo ordered_entry;

Message& wrap(const Turn& turn, Message& call) {
  auto* const ordered = ::new (allocate_message(sizeof(OrderedCall))) OrderedCall;
  ordered->entry = &ordered_entry;
  ordered->turn = turn;
  ordered->call = &call;
  return *ordered;
}

void end(OrderedCall& ordered) { free_message(&ordered, sizeof(OrderedCall)); }

void run(Message& message) {
  auto& ordered = static_cast<OrderedCall&>(message);
  Element& element = *message.to;
  element.ordered = true;
  Channel& channel = activities->channels.of[&element][ordered.turn.channel];
  if (ordered.turn.number != channel.next) {
    channel.too_early.emplace(ordered.turn.number, &ordered);
    ++activities->channels.kept;
    return;
  }
  ++channel.next;
  // The next call goes through the queue: the element may be about to move, or to end.
  if (const auto next = channel.too_early.find(channel.next); next != channel.too_early.end()) {
    enqueue(*next->second);
    channel.too_early.erase(next);
    --activities->channels.kept;
  }
  Message& call = *ordered.call;
  end(ordered);
  call.to = &element;
  calls_here.running.entry = call.entry;
  run_message(call);
}

void drop(Message& message) {
  auto& ordered = static_cast<OrderedCall&>(message);
  ordered.call->entry->drop(*ordered.call);
  end(ordered);
}

void pack(Message& message, pup::Blocks& blocks, pup::Room& room) {
  auto& ordered = static_cast<OrderedCall&>(message);
  const Header header{ordered.turn, ordered.call->entry->number};
  pup::Room arguments;
  ordered.call->entry->pack(*ordered.call, blocks, arguments);
  const std::span<std::byte> packed = room.make(sizeof header + arguments.bytes().size());
  memcpy(packed.data(), &header, sizeof header);
  std::ranges::copy(arguments.bytes(), packed.begin() + sizeof header);
}

Message* unpack(const EntryInfo&, Bytes packed, pup::Blocks& blocks) {
  const auto header = unpack_front<Header>(packed);
  const EntryInfo& entry = entry_number(header.entry);
  return &wrap(header.turn, *entry.unpack(entry, packed, blocks));
}

/// The held call is handled by these functions alone.
constexpr ArgumentsInfo kHeld{
    sizeof(OrderedCall), 0, sizeof(OrderedCall), 0, nullptr, nullptr, nullptr, nullptr};
const EntryInfo ordered_entry({run, nullptr, drop, unpack, pack}, kHeld, nullptr, "ordered call");

std::size_t count_kept() { return activities->channels.kept; }
void describe_kept(std::vector<std::string>& lines) {
  for (const auto& [element, channels] : activities->channels.of)
    for (const auto& [number, channel] : channels)
      if (!channel.too_early.empty())
        lines.push_back(name_of(*element) + " has " + std::to_string(channel.too_early.size()) +
                        " ordered calls that wait for one before them");
}

const WaitSource ordered_call_waits(Way::ordered_call, count_kept, describe_kept);

}  // namespace

std::uint64_t new_channel() {
  return (static_cast<std::uint64_t>(net::world.pe) << 40) + activities->channels.made++;
}

std::uint64_t& channels_made() { return activities->channels.made; }

Message& in_turn(const Turn& turn, Message& call) { return wrap(turn, call); }

std::vector<std::byte> take_turns(Element& element) {
  element.ordered = false;
  const auto found = activities->channels.of.extract(&element);
  std::vector<std::byte> turns;
  for (auto& [number, channel] : found.mapped()) {
    const Turn turn{number, channel.next};
    const Bytes bytes = bytes_of(turn);
    turns.insert(turns.end(), bytes.begin(), bytes.end());
    for (const auto& [place, call] : channel.too_early) {
      const Consequences of(ticket_of(*call));
      enqueue(*call);
    }
    activities->channels.kept -= channel.too_early.size();
  }
  return turns;
}

void give_turns(Element& element, Bytes turns) {
  element.ordered = true;
  Channels& channels = activities->channels.of[&element];
  while (!turns.empty()) {
    const auto turn = unpack_front<Turn>(turns);
    channels[turn.channel].next = turn.number;
  }
}

const char* method_of(const PackedCall& call) {
  if (call.entry != &ordered_entry) return call.entry->name;
  Bytes packed = call.arguments;
  return entry_number(unpack_front<Header>(packed).entry).name;
}

}  // namespace skein::chare
