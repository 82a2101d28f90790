// SPDX-License-Identifier: Apache-2.0
// Who was told just now where an element is. A PE whose calls come to the wrong place has mostly sent many
// before it hears that: one message is enough. Were it lost on that PE, which may forget places, the next
// would say it again.
#include <array>

#include "runtime/chare/messages/wire.hpp"

namespace skein::chare {
namespace {

struct Told {
  std::uint64_t name = 0;  ///< of PE, array and index; of two with one name, calls of the second go on longer
  std::int32_t at = -1;
  std::uint32_t moves = 0, insertion = 0;
  std::uint32_t left_out = 0;  ///< messages, since the last
};
constexpr std::uint32_t most_left_out = 63;
std::array<Told, 256> told;

std::uint64_t name_of(int pe, std::uint32_t array, Bytes index) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  const auto add = [&hash](std::uint64_t value) { hash = (hash ^ value) * 1099511628211u; };
  add(static_cast<std::uint64_t>(pe));
  add(array);
  for (const std::byte each : index) add(static_cast<std::uint64_t>(each));
  return hash;
}

}  // namespace

void tell_caller(int pe, std::uint32_t array, Bytes index, const Place& place) {
  const std::uint64_t name = name_of(pe, array, index);
  Told& last = told[(name ^ name >> 32) % told.size()];
  const bool same = last.name == name && last.at == place.pe && last.moves == place.moves &&
                    last.insertion == place.insertion;
  if (same && ++last.left_out <= most_left_out) return;
  last = {name, place.pe, place.moves, place.insertion};
  send_location(pe, array, index, place);
}

}  // namespace skein::chare
