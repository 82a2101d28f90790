// SPDX-License-Identifier: Apache-2.0
// The creation of an array: its PE makes it at once and tells PE 0, which counts its elements for reductions
// and tells all PEs down the tree. So PE 0 knows which arrays are bound before it numbers insertions, and on
// other PEs messages about the array may come before it: they wait (early.hpp).
#include "runtime/chare/elements/creation.hpp"

#include <utility>

#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/calls/charging.hpp"
#include "runtime/chare/calls/registry.hpp"
#include "runtime/chare/elements/broadcasts.hpp"
#include "runtime/chare/elements/elements_state.hpp"
#include "runtime/chare/elements/reductions.hpp"
#include "runtime/chare/messages/early.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/record/execution_record.hpp"
#include "runtime/chare/shared/read_only.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/pe_tree.hpp"
#include "runtime/net/transport.hpp"
#include "skein/chare/array_making.hpp"

namespace skein::chare {
namespace {

struct NewArrayHeader {
  std::uint32_t number, info, leader;
  std::uint32_t sync_points;  ///< passed by the element that creates it
  std::uint32_t by_element;
  std::uint32_t by_begin;  ///< made by the function given to run()
  std::uint64_t elements;  ///< 0 if it is bound
};

bool is_bound(const NewArrayHeader& header) { return header.leader != kNoArray; }

void begin_like_creator(ArrayBase& array, std::uint32_t sync_points) {
  for (Element* const element : array.elements()) {
    element->sync_points += sync_points;
    begin_measuring(*element);
    if (settings.tickets_kept) record_insertion(*element);
  }
}

void make_array_here(const NewArrayHeader& header, Bytes description) {
  const Birth of_creator = std::exchange(birth, {});  // the creator may be a constructor
  const ArrayInfo& info = array_info_number(header.info);
  ArrayBase& array = enter_array(info.make(header.number, description));
  info.populate(array, description);
  birth = of_creator;
  if (header.by_element && !is_bound(header)) begin_like_creator(array, header.sync_points);
  receive_early(header.number);
}

void take_new_array(int from_pe, Bytes message) {
  if (!await_read_only(take_new_array, from_pe, message)) return;
  Bytes rest = message;
  const auto header = unpack_front<NewArrayHeader>(rest);
  if (is_known(header.number)) return;  // it was created here
  if (is_bound(header) && !await_array(take_new_array, from_pe, header.leader, message)) return;
  make_array_here(header, rest);
}

void on_new_array(int from_pe, Bytes message) {
  pass_down(Kind::new_array, message);
  take_new_array(from_pe, message);
}

/// Keeps the message that created the array, so that a restart can create it again.
void note_creation(std::uint32_t array, Bytes message) {
  at_root(array).order = all_arrays().size();
  at_root(array).creation.assign(message.begin(), message.end());
}

/// Passes the message up the tree, so that it reaches PE 0 before the insertions that this PE asks for later.
void on_new_array_wish(int from_pe, Bytes message) {
  if (net::world.pe != 0) return post(net::place_in_tree().parent, Kind::new_array_wish, message);
  Bytes rest = message;
  const auto header = unpack_front<NewArrayHeader>(rest);
  if (is_bound(header) && !await_array(on_new_array_wish, from_pe, header.leader, message)) return;
  expect_contributions(header.number, is_bound(header) ? elements(header.leader) : header.elements);
  if (settings.states_wanted) note_creation(header.number, message);
  post_to_all(Kind::new_array, message);
}

const Receives new_array_wishes(Kind::new_array_wish, on_new_array_wish);
const Receives new_arrays(Kind::new_array, on_new_array);

NewArrayHeader header_of(const AtRoot& array) {
  Bytes message = array.creation;
  return unpack_front<NewArrayHeader>(message);
}
Bytes description_of(const AtRoot& array) { return Bytes(array.creation).subspan(sizeof(NewArrayHeader)); }

/// Returns the next array that the function given to run() creates in a job that continues from a state, or
/// null.
AtRoot* next_of_begin() {
  for (AtRoot* const array : created_arrays())
    if (header_of(*array).by_begin && !array->created_again) return array;
  return nullptr;
}

[[noreturn]] void fail_other_arrays() {
  fail(
      "the function given to run() creates other arrays than in the job that wrote the state: it runs again, "
      "and gets those by the order of their creation");
}

std::uint32_t create_again(const ArrayInfo& info) {
  AtRoot* const next = next_of_begin();
  if (!next || header_of(*next).info != info.number) fail_other_arrays();
  next->created_again = true;
  return header_of(*next).number;
}

}  // namespace

std::vector<std::byte> packed_creations() {
  std::vector<std::pair<AtRoot, std::uint32_t>> all;
  for (const AtRoot* const array : created_arrays())
    all.emplace_back(*array, next_broadcast(header_of(*array).number));
  return skein::pack(all);
}

void enter_created(Bytes packed) {
  std::vector<std::pair<AtRoot, std::uint32_t>> all;
  skein::unpack(packed, all);
  for (auto& [known, broadcast] : all) {
    const NewArrayHeader header = header_of(known);
    const ArrayInfo& info = array_info_number(header.info);
    ArrayBase& array = enter_array(info.make(header.number, description_of(known)));
    if (is_bound(header)) info.populate(array, description_of(known));  // binds it
    begin_broadcasts_behind(array, broadcast);
    at_root(header.number) = std::move(known);
  }
}

void check_created_again() {
  if (next_of_begin()) fail_other_arrays();
}

void make_groups_anew() {
  for (AtRoot* const known : created_arrays()) {
    const NewArrayHeader header = header_of(*known);
    ArrayBase& array = array_number(header.number);
    if (!array.tied_to_pes()) continue;
    array_info_number(header.info).populate(array, description_of(*known));
    array.open.clear();
    for (Element* const element : array.elements()) {
      element->contributions = known->next;
      begin_measuring(*element);
    }
    std::uint64_t elements[] = {array.live()};
    net::sum_polling(elements);
    known->elements = static_cast<std::int64_t>(elements[0]);
    known->changes.clear();
  }
}

std::uint64_t count_elements(std::span<const int> bounds, const std::type_info& type) {
  constexpr std::uint64_t most = std::uint64_t{1} << 32;
  std::uint64_t elements = 1;
  for (const int bound : bounds) {
    // Checked before the next factor, of at most 2^31, could overflow.
    if (bound < 0 || (elements *= static_cast<std::uint64_t>(bound)) > most)
      fail("an array of " + class_name(type) + " has the bounds " + text_of_coordinates(bounds) +
           ": none is negative, and there are at most 2^32 elements");
  }
  return elements;
}

std::uint32_t create_array(const ArrayInfo& info, Bytes description, std::uint64_t elements,
                           std::uint32_t leader) {
  if (settings.running_again) return create_again(info);
  const Element* const creator = calls_here.running.element;
  const NewArrayHeader header{.number = new_array_number(),
                              .info = info.number,
                              .leader = leader,
                              .sync_points = creator ? creator->sync_points : 0,
                              .by_element = creator != nullptr,
                              .by_begin = may_set_values() && !birth.array,
                              .elements = elements};
  // First, so that messages of constructors here reach PE 0 after it, unless it is long.
  post(net::place_in_tree().parent, Kind::new_array_wish, bytes_of(header), description);
  const Consequences of(creator ? inherited_ticket() : Ticket{0, kOwn, 0});
  if (!is_known(header.number) && (leader == kNoArray || known_array(leader)))
    make_array_here(header, description);
  return header.number;
}

}  // namespace skein::chare
