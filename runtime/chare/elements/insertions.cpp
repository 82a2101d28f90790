// SPDX-License-Identifier: Apache-2.0
// Insertions: when one is granted (insertion_grants.hpp), a message goes to the PE that makes the element.
#include "runtime/chare/calls/charging.hpp"
#include "runtime/chare/calls/registry.hpp"
#include "runtime/chare/calls/task.hpp"
#include "runtime/chare/elements/broadcasts.hpp"
#include "runtime/chare/elements/families.hpp"
#include "runtime/chare/elements/insertion_grants.hpp"
#include "runtime/chare/messages/early.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/record/execution_record.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

struct InsertionHeader {
  std::uint32_t array, function;
  std::uint32_t number;    ///< of the insertion
  std::uint32_t partners;  ///< Beginnings that follow, of arrays bound to it, then its own
  std::int64_t priority;
};

/// Ends the job if the array is bound. `index` is at its place in what Creation packed.
void check_not_bound(const ArrayBase& array, Bytes index) {
  if (!array.leader) return;
  fail("an insertion of " + array.name() + array.text(index) + ": its array is bound to that of " +
       array.leader->name() + ", where the element is inserted");
}

/// Makes the element of an insertion message, when the arrays are known here.
void make_element(Bytes message) {
  const auto header = unpack_front<InsertionHeader>(message);
  std::vector<Beginning> partners(header.partners);
  for (Beginning& partner : partners) partner = unpack_front<Beginning>(message);
  const auto own = unpack_front<Beginning>(message);
  birth.number = header.number;
  function_number(header.function).call(message);
  ArrayBase& array = array_number(header.array);
  const Bytes index = message.subspan(kBeforeCreatedIndex);
  Element& element = *array.element_at(index);
  element.contributions = own.reduction;
  begin_broadcasts_at(element, own.broadcast);
  begin_measuring(element);
  if (settings.tickets_kept) [[unlikely]]
    record_insertion(element);
  if (!array.bound.empty()) complete_family(array, index, partners);
}

/// Makes an element with a priority. LB steps do not put it aside: its existence has been granted.
struct MakeElement final : Task {
  std::vector<std::byte> message;
  explicit MakeElement(Bytes what) : message(what.begin(), what.end()) {}
  void run() override { make_element(message); }
  bool may_be_held() const override { return false; }
};

void on_insertion(int from_pe, Bytes message) {
  Bytes rest = message;
  const auto header = unpack_front<InsertionHeader>(rest);
  if (!await_array(on_insertion, from_pe, header.array, message)) return;
  for (std::uint32_t i = 0; i < header.partners; ++i) {
    const auto partner = unpack_front<Beginning>(rest);
    if (!await_array(on_insertion, from_pe, partner.array, message)) return;
  }
  if (header.priority == 0) return make_element(message);
  enqueue(std::make_unique<MakeElement>(message), header.priority);
}

/// An insertion that this PE is asked for, kept until it knows the array.
struct Wish {
  std::uint32_t array, function;
  std::int32_t pe;
  std::uint32_t index_bytes;
  std::int64_t priority;
};

void on_own_wish(int from_pe, Bytes message) {
  Bytes arguments = message;
  const auto wish = unpack_front<Wish>(arguments);
  if (!await_array(on_own_wish, from_pe, wish.array, message)) return;
  const ArrayBase& array = array_number(wish.array);
  const Bytes index = arguments.subspan(kBeforeCreatedIndex, wish.index_bytes);
  check_not_bound(array, index);
  const int pe = wish.pe == kPeOfMap ? array.home_pe(index) : wish.pe;
  if (pe < 0 || pe >= pe_count())
    fail("an element of " + array.name() + " is inserted on PE " + std::to_string(pe) + ": there are " +
         std::to_string(pe_count()));
  const Ticket ticket =
      settings.tickets_kept ? ticket_of_posted(trace::EventKind::create, arguments.size()) : Ticket{};
  ask_for_insertion(wish.array, [=, kept = std::vector(arguments.begin(), arguments.end())](
                                    std::uint32_t number, std::span<const Beginning> beginnings) {
    const Consequences of(ticket);
    const InsertionHeader header{wish.array, wish.function, number,
                                 static_cast<std::uint32_t>(beginnings.size() - 1), wish.priority};
    std::vector<std::byte> rest;
    for (const Beginning& beginning : beginnings) append(rest, bytes_of(beginning));
    append(rest, kept);
    post(pe, Kind::insertion, bytes_of(header), rest);
  });
}

const Receives granted_insertions(Kind::insertion, on_insertion);

}  // namespace

void insert_element(std::uint32_t array, int pe, const FunctionInfo& create, Bytes packed,
                    std::size_t index_bytes, std::int64_t priority) {
  if (settings.running_again) return;
  const Wish wish{array, create.number, pe, static_cast<std::uint32_t>(index_bytes), priority};
  std::vector<std::byte> message;
  append(message, bytes_of(wish));
  append(message, packed);
  on_own_wish(net::world.pe, message);
}

}  // namespace skein::chare
