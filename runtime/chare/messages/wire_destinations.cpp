// SPDX-License-Identifier: Apache-2.0
// Delivers results to the targets of callbacks.

#include <tuple>

#include "runtime/chare/messages/wire.hpp"
#include "runtime/net/transport.hpp"
#include "skein/chare/delivery.hpp"
#include "skein/chare/section_base.hpp"
#include "skein/future.hpp"

namespace skein::chare {
namespace {

void deliver_to_element(const Destination& destination, Bytes packed) {
  const Bytes index = Bytes(destination.index).first(destination.index_bytes);
  PackedCall call{&entry_number(destination.target), net::world.pe, packed};
  if (ArrayBase* const known = known_array(destination.array))
    known->receive(index, std::move(call));
  else
    send_call(net::world.pe, destination.array, index, std::move(call));  // the call waits here
}

}  // namespace

void deliver(const Destination& destination, Bytes packed) {
  if (destination.drops_value) packed = {};
  switch (destination.kind) {
    case Destination::Kind::none:
      return;
    case Destination::Kind::element:
      return deliver_to_element(destination, packed);
    case Destination::Kind::waiting_element:
      return deliver_to_element(
          destination, pack(std::tuple(destination.future, std::vector(packed.begin(), packed.end()))));
    case Destination::Kind::all:
      broadcast_call(destination.array, entry_number(destination.target), packed);
      return;
    case Destination::Kind::section: {
      SectionName section;
      memcpy(&section, destination.index, sizeof section);
      broadcast_to_section(section, entry_number(destination.target), packed);
      return;
    }
    case Destination::Kind::function:
      if (destination.pe < 0 || destination.pe >= pe_count())
        fail("a callback is to run a function on PE " + std::to_string(destination.pe) + ": there are " +
             std::to_string(pe_count()));
      post(destination.pe, Kind::function, bytes_of(destination.target), packed);
      return;
    case Destination::Kind::future:
      set_future(destination.future, packed);
  }
}

std::string target_of(const Destination& destination) {
  const auto method = [&] { return entry_number(destination.target).name + std::string(" of "); };
  const auto array = [&] { return array_number(destination.array).name(); };
  switch (destination.kind) {
    case Destination::Kind::none:
      return "nowhere";
    case Destination::Kind::element:
    case Destination::Kind::waiting_element:
      return method() + array() +
             array_number(destination.array).text(Bytes(destination.index).first(destination.index_bytes));
    case Destination::Kind::all:
      return method() + "all elements of " + array();
    case Destination::Kind::section:
      return method() + "the members of a section of " + array();
    case Destination::Kind::function:
      return "function " + std::to_string(destination.target) + " on PE " + std::to_string(destination.pe);
    case Destination::Kind::future:
      return name_of(destination.future);
  }
  return "";
}

}  // namespace skein::chare
