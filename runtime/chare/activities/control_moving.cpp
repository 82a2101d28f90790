// SPDX-License-Identifier: Apache-2.0
// Moves an element's calls, values and sync points with it.
#include "skein/chare/control.hpp"
#include "skein/pup.hpp"

namespace skein::chare {
namespace {

/// A call of a Control that travels.
struct TravellingCall {
  std::uint32_t entry = 0;
  std::vector<std::byte> arguments;
  TravellingCall() = default;
  /// Packs the call. Ends the message, unless it stays, when the blocks that it has lent have been sent.
  TravellingCall(Message& call, pup::Blocks& blocks, bool stays) : entry(call.entry->number) {
    const std::shared_ptr<Message> lender(&call, [stays](Message* sent) {
      if (!stays) sent->entry->drop(*sent);
    });
    const std::size_t blocks_before = blocks.size();
    pup::Room room;
    call.entry->pack(call, blocks, room);
    arguments.assign(room.bytes().begin(), room.bytes().end());
    if (blocks.size() > blocks_before) blocks.keep(lender);
  }
  Message& unpack(pup::Blocks& blocks) const {
    const EntryInfo& info = entry_number(entry);
    return *info.unpack(info, arguments, blocks);
  }
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& entry& arguments;
  }
};
struct TravellingValue {
  FutureName future;
  std::optional<std::vector<std::byte>> value;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& future& value;
  }
};
struct TravellingControl {
  std::vector<TravellingCall> calls;
  std::vector<TravellingValue> values;
  std::optional<TravellingCall> after_sync;
  std::uint32_t barriers = 0;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& calls& values& after_sync& barriers;
  }
};

}  // namespace

std::vector<std::byte> Control::pack(pup::Blocks& blocks, bool stays) {
  TravellingControl state;
  for (Calls& of_method : calls_) {
    for (Message* const call : of_method.calls) state.calls.emplace_back(*call, blocks, stays);
    if (stays) continue;
    note_taken(of_method.calls.size());
    of_method.calls.clear();
  }
  for (const auto& [future, value] : values_) state.values.push_back({future, value});
  if (after_sync_) state.after_sync.emplace(*after_sync_, blocks, stays);
  if (!stays) after_sync_ = nullptr;
  state.barriers = barriers_;
  return skein::pack(state);
}

void Control::unpack(std::span<const std::byte> packed, pup::Blocks& blocks) {
  const auto state = skein::unpack<TravellingControl>(packed);
  for (const TravellingCall& call : state.calls) keep(call.unpack(blocks));
  for (const TravellingValue& value : state.values) values_[value.future] = value.value;
  if (state.after_sync) after_sync_ = &state.after_sync->unpack(blocks);
  barriers_ = state.barriers;
}

}  // namespace skein::chare
