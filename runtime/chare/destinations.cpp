// SPDX-License-Identifier: Apache-2.0
// Where results go: the targets of callbacks.
#include <tuple>

#include "runtime/chare/wire.hpp"
#include "runtime/net/transport.hpp"
#include "skein/chare/section_base.hpp"
#include "skein/future.hpp"

namespace skein::chare {
namespace {

void deliver_to_element(const Destination& destination, Bytes packed) {
  array_number(destination.array)
      .receive(Bytes(destination.index).first(destination.index_bytes),
               {&entry_number(destination.target), net::world.pe, packed});
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

}  // namespace skein::chare
