// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/elements/families.hpp"

#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/calls/charging.hpp"
#include "runtime/chare/elements/broadcasts.hpp"
#include "runtime/chare/elements/reductions.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/record/execution_record.hpp"

namespace skein::chare {
namespace {

struct MemberHeader {
  std::uint32_t array, unused = 0;
  std::uint64_t bytes;
};

/// Makes the elements of the leader's family that do not exist.
void make_missing(const Element& leader) {
  const ArrayBase& array = *leader.array;
  const Bytes index = array.index_of(leader);
  for (ArrayBase* const bound : array.bound)
    if (!bound->element_at(index)) {
      birth.number = leader.insertion;
      Element& made = bound->construct_bound(index);
      made.moves = leader.moves;
      begin_broadcasts_at(made, 0);
    }
}

}  // namespace

void bind(ArrayBase& array, ArrayBase& leader) {
  array.leader = leader.leader ? leader.leader : &leader;
  array.leader->bound.push_back(&array);
}

const char* obstacle_to_moves(const ArrayBase& array) {
  const ArrayBase& leader = array.leader ? *array.leader : array;
  const char* because = leader.cannot_move();
  for (const ArrayBase* const bound : leader.bound)
    if (!because) because = bound->cannot_move();
  return because;
}

Element& leader_of(Element& element) {
  ArrayBase* const leader = element.array->leader;
  return leader ? *leader->element_at(element.array->index_of(element)) : element;
}

void depart_family(Element& leader, int moving_to, std::vector<std::byte>& packed, pup::Blocks& blocks) {
  std::vector<Element*> members;
  for_each_of_family(leader, [&](Element& element) { members.push_back(&element); });
  append(packed, bytes_of(static_cast<std::uint64_t>(members.size())));
  for (Element* const element : members) {
    MemberHeader header{element->array->number(), 0, 0};
    const std::size_t header_at = packed.size();
    append(packed, bytes_of(header));
    if (settings.tickets_kept) append(packed, bytes_of(leave_record(*element)));
    const std::size_t state_at = packed.size();
    element->array->depart(*element, moving_to, packed, blocks);
    header.bytes = packed.size() - state_at;
    memcpy(packed.data() + header_at, &header, sizeof header);
  }
}

ArrayBase& array_of_family(Bytes packed) {
  (void)unpack_front<std::uint64_t>(packed);
  return array_number(unpack_front<MemberHeader>(packed).array);
}
int home_of_family(Bytes packed) {
  return array_of_family(packed).home_pe(packed.subspan(sizeof(std::uint64_t) + sizeof(MemberHeader)));
}

void arrive_family(Bytes& bytes, pup::Blocks& blocks, ArrayBase::Tell tell) {
  Element* leader = nullptr;
  for (auto members = unpack_front<std::uint64_t>(bytes); members > 0; --members) {
    const auto header = unpack_front<MemberHeader>(bytes);
    ArrayBase& array = array_number(header.array);
    if (settings.tickets_kept) expect_record(unpack_front<RecordOnTheMove>(bytes));
    Element& arrived = array.arrive(bytes.first(header.bytes), blocks, tell);
    bytes = bytes.subspan(header.bytes);
    if (!leader) leader = &arrived;
  }
  make_missing(*leader);
}

std::uint32_t unknown_array(Bytes packed) {
  for (auto members = unpack_front<std::uint64_t>(packed); members > 0; --members) {
    const auto header = unpack_front<MemberHeader>(packed);
    if (!is_known(header.array)) return header.array;
    packed = packed.subspan(header.bytes + (settings.tickets_kept ? sizeof(RecordOnTheMove) : 0));
  }
  return kNoArray;
}

void end_family(Element& leader) {
  const std::uint32_t array = leader.array->number();
  std::vector<FamilyEnd> ends;
  std::vector<Element*> members;
  std::uint64_t took = 0;
  for_each_of_family(leader, [&](Element& element) {
    took += element.busy_ticks;
    ends.push_back({element.array->number(), element.contributions});
    members.push_back(&element);
  });
  note_ended(leader, took);
  if (!leader.array->of_singles) send_end_of_family(array, ends);
  for (Element* const element : members) {
    if (settings.tickets_kept) record_end(*element);
    element->array->destroy(*element);
  }
}

void complete_family(ArrayBase& array, Bytes index, std::span<const Beginning> beginnings) {
  make_missing(*array.element_at(index));
  for (ArrayBase* const bound : array.bound)
    bound->element_at(index)->sync_points = array.element_at(index)->sync_points;
  for (const Beginning& each : beginnings) {
    Element& element = *array_number(each.array).element_at(index);
    element.contributions = each.reduction;
    begin_broadcasts_at(element, each.broadcast);
    if (settings.tickets_kept) record_insertion(element);
  }
}

}  // namespace skein::chare
