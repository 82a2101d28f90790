// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/insertions.hpp"

#include <algorithm>

#include "runtime/balance/lazy.hpp"
#include "runtime/chare/arrays.hpp"
#include "runtime/chare/broadcasts.hpp"
#include "runtime/chare/execution_record.hpp"
#include "runtime/chare/families.hpp"
#include "runtime/chare/reductions.hpp"
#include "runtime/chare/registry.hpp"
#include "runtime/chare/wire.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

struct InsertionHeader {
  std::uint32_t array, function;
  std::int32_t pe;
  std::uint32_t number = 0;    ///< of the insertion: PE 0 numbers all of the job
  std::uint32_t partners = 0;  ///< as many Beginnings follow, of the arrays bound to it
};
std::uint32_t insertions = 0;  // so far, on PE 0

void on_insertion_wish(int, Bytes message) {
  Bytes rest = message;
  auto header = unpack_front<InsertionHeader>(rest);
  header.number = ++insertions;
  std::vector<std::byte> packed;
  for (const ArrayBase* const bound : array_number(header.array).bound) {
    const std::uint32_t number = bound->number();
    append(packed, bytes_of(Beginning{number, note_birth(number), next_broadcast(number)}));
    ++header.partners;
  }
  append(packed, bytes_of(Beginning{header.array, note_birth(header.array), next_broadcast(header.array)}));
  append(packed, rest);
  post(header.pe, Kind::insertion, bytes_of(header), packed);
}

void on_insertion(int from_pe, Bytes message) {
  Bytes rest = message;
  const auto header = unpack_front<InsertionHeader>(rest);
  if (!await_array(on_insertion, from_pe, header.array, message)) return;
  std::vector<Beginning> partners(header.partners);
  for (Beginning& partner : partners) {
    partner = unpack_front<Beginning>(rest);
    if (!await_array(on_insertion, from_pe, partner.array, message)) return;
  }
  const auto own = unpack_front<Beginning>(rest);
  birth.number = header.number;
  function_number(header.function).call(rest);
  ArrayBase& array = array_number(header.array);
  const Bytes index = rest.subspan(before_created_index);
  Element& element = *array.element_at(index);
  element.contributions = own.reduction;
  begin_broadcasts_at(element, own.broadcast);
  element.measured_at = std::max(element.sync_points, static_cast<std::uint32_t>(balance::newest_share()));
  if (tickets_kept) [[unlikely]]
    record_insertion(element);
  if (!array.bound.empty()) complete_family(array, index, partners);
}

}  // namespace

void start_insertions() {
  set_receiver(Kind::insertion_wish, on_insertion_wish);
  set_receiver(Kind::insertion, on_insertion);
}

void insert_element(std::uint32_t array, int pe, const FunctionInfo& create, Bytes packed) {
  if (pe < 0 || pe >= pe_count())
    fail("an element of " + array_number(array).name() + " is inserted on PE " + std::to_string(pe) +
         ": there are " + std::to_string(pe_count()));
  post(0, Kind::insertion_wish, bytes_of(InsertionHeader{array, create.number, pe}), packed);
}

}  // namespace skein::chare
