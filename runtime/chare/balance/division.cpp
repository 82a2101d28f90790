// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/balance/division.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/elements/families.hpp"
#include "runtime/chare/elements/reductions.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/record/execution_record.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::chare {
namespace {

using Index = std::string;  // its bytes
using Parts = std::vector<PackedPart>;

}  // namespace

/// The divided elements of an array. Equal on all PEs.
struct Division {
  std::map<Index, Parts> parts_of;   // by the index of the undivided element, which comes first
  std::map<Index, Index> origin_of;  // the undivided element of each part
  std::uint32_t next_number = 0;
  std::set<Index> changed;  // undivided elements whose parts this step has changed
};

namespace {

Division& division_of(std::uint32_t number) {
  ArrayBase& array = array_number(number);
  if (!array.division) array.division = std::make_shared<Division>();
  return *array.division;
}

template <class Look>
void for_each_division(const Look& look) {
  for (const auto& array : all_arrays())
    if (array->division) look(*array, *array->division);
}
bool any_divided() {
  return std::ranges::any_of(all_arrays(), [](const auto& array) { return array->division != nullptr; });
}

Index text(Bytes index) { return {reinterpret_cast<const char*>(index.data()), index.size()}; }
Bytes bytes_of_text(const Index& index) {
  return {reinterpret_cast<const std::byte*>(index.data()), index.size()};
}

const Index& origin_of(const Division& division, const Index& index) {
  const auto origin = division.origin_of.find(index);
  return origin == division.origin_of.end() ? index : origin->second;
}

PackedPart& part(Parts& parts, const Index& index) {
  for (PackedPart& each : parts)
    if (text(each.index) == index) return each;
  return parts.front();
}

/// A split, as the PE of the element reports it; the index of the part follows.
struct SplitRecord {
  std::uint32_t split;  // number in the decision
  std::uint32_t contributions, moves, index_bytes;
};

/// Gives a part its share of the measured time that a lazy job was not told of yet.
void give_ticks(Element& from, Element& to, double fraction) {
  const auto untold = static_cast<double>(from.busy_ticks - from.rare().told_ticks);
  const auto given = static_cast<std::uint64_t>(fraction * untold);
  if (given == 0) return;
  from.rare_made().told_ticks += given;
  to.rare_made().told_ticks -= given;
}

void note_split(const Object& object, const lb::Split& split, const SplitRecord& record, Bytes part_index) {
  Division& division = division_of(object.array);
  const Index from = text(object.index), to = text(part_index);
  const Index origin = origin_of(division, from);
  Parts& parts = division.parts_of[origin];
  if (parts.empty()) {
    const Bytes whole = bytes_of_text(origin);
    parts.push_back({{whole.begin(), whole.end()}, 1});
  }
  // Fractions of one decision all refer to the element before it: its own share is reduced when all are done.
  parts.push_back({{part_index.begin(), part_index.end()}, part(parts, from).share * split.fraction});
  division.origin_of[to] = origin;
  division.changed.insert(origin);
  ArrayBase& array = array_number(object.array);
  array.divided = true;
  if (net::world.pe == 0) note_birth_at(object.array, record.contributions);
  const bool comes_here = static_cast<int>(split.pe) == net::world.pe;
  if (!comes_here && array.cares(part_index))
    array.learn(part_index, static_cast<int>(split.pe), record.moves);
}

/// Reduces the shares of the elements that were split.
void reduce_shares(const std::vector<Object>& objects, const std::map<lb::ObjectIndex, double>& given) {
  for (const auto& [object, fraction] : given) {
    Division& division = division_of(objects[object].array);
    const Index index = text(objects[object].index);
    part(division.parts_of[origin_of(division, index)], index).share *= 1 - fraction;
  }
}

/// Returns the groups of parts of one element that the decision puts on one PE, each in the order of
/// creation.
std::vector<std::vector<lb::ObjectIndex>> groups_to_merge(const std::vector<Object>& objects,
                                                          const lb::Snapshot& snapshot,
                                                          const lb::Decision& decision) {
  std::set<lb::ObjectIndex> split_now;
  for (const lb::Split& split : decision.splits) split_now.insert(split.object);
  std::map<std::uint32_t, std::map<Index, lb::ObjectIndex>> number_of;
  for (std::size_t i = 0; i < objects.size(); ++i)
    if (array_number(objects[i].array).division)
      number_of[objects[i].array][text(objects[i].index)] = static_cast<lb::ObjectIndex>(i);
  std::vector<std::vector<lb::ObjectIndex>> groups;
  const double limit = lb::kLargestMerged * lb::perfect_finish(snapshot);
  for_each_division([&](const ArrayBase& array, const Division& division) {
    for (const auto& [origin, parts] : division.parts_of) {
      std::map<lb::PeIndex, std::vector<lb::ObjectIndex>> on_pe;
      std::map<lb::PeIndex, double> load;
      for (const PackedPart& each : parts) {
        const auto number = number_of[array.number()].find(text(each.index));
        if (number == number_of[array.number()].end() || split_now.contains(number->second)) continue;
        const lb::PeIndex pe = decision.pe_of[number->second];
        on_pe[pe].push_back(number->second);
        load[pe] += snapshot.objects.load[number->second] / snapshot.pes.speed[pe];
      }
      for (const auto& [pe, group] : on_pe)
        if (group.size() > 1 && load[pe] <= limit) groups.push_back(group);
    }
  });
  return groups;
}

void note_merge(const Object& into, const Object& from) {
  Division& division = division_of(into.array);
  const Index index = text(from.index);
  const Index origin = origin_of(division, index);
  Parts& parts = division.parts_of[origin];
  part(parts, text(into.index)).share += part(parts, index).share;
  std::erase_if(parts, [&](const PackedPart& each) { return text(each.index) == index; });
  division.origin_of.erase(index);
  division.changed.insert(origin);
}

/// Returns the indices of the array's objects, as bytes.
std::set<Index> indices_of(const std::vector<Object>& objects, std::uint32_t array) {
  std::set<Index> indices;
  for (const Object& object : objects)
    if (object.array == array) indices.insert(text(object.index));
  return indices;
}

/// Forgets ended parts; the remaining ones share the work in the same proportions.
void forget_ended_of(Division& division, const Index& origin, Parts& parts, const std::set<Index>& living) {
  const auto ended = [&](const PackedPart& part) { return !living.contains(text(part.index)); };
  for (const PackedPart& each : parts)
    if (ended(each)) division.origin_of.erase(text(each.index));
  if (std::erase_if(parts, ended) == 0 || parts.empty()) return;
  double shares = 0;
  for (const PackedPart& each : parts) shares += each.share;
  for (PackedPart& each : parts) each.share /= shares;
  division.changed.insert(origin);
}

}  // namespace

void forget_ended_parts(const std::vector<Object>& objects) {
  for_each_division([&](const ArrayBase& array, Division& division) {
    const std::set<Index> living = indices_of(objects, array.number());
    for (auto& [origin, parts] : division.parts_of) forget_ended_of(division, origin, parts, living);
    std::erase_if(division.parts_of, [](const auto& entry) { return entry.second.empty(); });
  });
}

std::vector<NewElement> split_elements(const std::vector<Object>& objects, const lb::Decision& decision) {
  std::vector<NewElement> made;
  std::vector<std::byte> mine;
  std::map<lb::ObjectIndex, double> given;  // fractions that have been split off
  for (std::size_t i = 0; i < decision.splits.size(); ++i) {
    const lb::Split& split = decision.splits[i];
    const Object& object = objects[split.object];
    const std::uint32_t number = division_of(object.array).next_number++;
    if (!object.element) continue;
    ArrayBase& array = *object.element->array;
    const std::vector<std::byte> index = array.part_index(*object.element, number);
    Element* const part = array.split(*object.element, split.fraction / (1 - given[split.object]), index);
    if (!part) continue;
    if (part->own_rare) part->own_rare->told_ticks = part->busy_ticks;
    give_ticks(*object.element, *part, split.fraction / (1 - given[split.object]));
    if (settings.tickets_kept) record_split(*object.element, *part, array.packed_size(*part));
    given[split.object] += split.fraction;
    made.push_back({part, static_cast<int>(split.pe)});
    const bool moves = static_cast<int>(split.pe) != net::world.pe;
    const SplitRecord record{static_cast<std::uint32_t>(i), part->contributions, moves,
                             static_cast<std::uint32_t>(index.size())};
    append(mine, bytes_of(record));
    append(mine, index);
  }
  const std::vector<std::byte> all = net::all_gather_blocks(mine);
  given.clear();
  for (Bytes rest = all; !rest.empty();) {
    const auto record = unpack_front<SplitRecord>(rest);
    const lb::Split& split = decision.splits[record.split];
    note_split(objects[split.object], split, record, rest.first(record.index_bytes));
    given[split.object] += split.fraction;
    rest = rest.subspan(record.index_bytes);
  }
  reduce_shares(objects, given);
  return made;
}

bool parts_change(const std::vector<Object>& objects, const lb::Snapshot& snapshot,
                  const lb::Decision& decision) {
  bool changed = false;
  for_each_division([&](const ArrayBase&, const Division& each) { changed |= !each.changed.empty(); });
  return changed || (any_divided() && !groups_to_merge(objects, snapshot, decision).empty());
}

void merge_elements(const std::vector<Object>& objects, const lb::Snapshot& snapshot,
                    const lb::Decision& decision) {
  if (!any_divided()) return;
  for (const auto& group : groups_to_merge(objects, snapshot, decision)) {
    const Object& into = objects[group.front()];
    ArrayBase& array = array_number(into.array);
    for (std::size_t i = 1; i < group.size(); ++i) {
      const Object& from = objects[group[i]];
      note_merge(into, from);
      if (static_cast<int>(decision.pe_of[group[i]]) == net::world.pe) {
        Element& part = *array.element_at(from.index);
        const FamilyEnd end{from.array, part.contributions};
        send_end_of_family(from.array, {&end, 1});
        if (settings.tickets_kept) record_end(part);
        give_ticks(part, *array.element_at(into.index), 1);
        array.merge(*array.element_at(into.index), part);
      } else if (array.cares(from.index)) {
        array.learn(from.index, -1, 0);
      }
    }
  }
}

void tell_of_parts() {
  for_each_division([](ArrayBase& array, Division& division) {
    for (const Index& origin : division.changed) {
      const auto parts = division.parts_of.find(origin);
      for (const PackedPart& each : parts->second)
        if (Element* const element = array.element_at(each.index)) array.parts_changed(*element);
      if (parts->second.size() == 1) division.parts_of.erase(parts);
    }
    division.changed.clear();
  });
}

std::span<const PackedPart> parts_of(std::uint32_t array, Bytes index) {
  const ArrayBase* const known = known_array(array);
  if (!known || !known->division) return {};
  const Division& division = *known->division;
  const auto parts = division.parts_of.find(origin_of(division, text(index)));
  return parts == division.parts_of.end() ? std::span<const PackedPart>() : parts->second;
}

}  // namespace skein::chare
