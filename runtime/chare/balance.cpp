// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/balance.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>

#include "runtime/base/check.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/chare/arrays.hpp"
#include "runtime/chare/departure.hpp"
#include "runtime/chare/division.hpp"
#include "runtime/chare/families.hpp"
#include "runtime/chare/loop.hpp"
#include "runtime/chare/sections.hpp"
#include "runtime/chare/traffic.hpp"
#include "runtime/chare/wire.hpp"
#include "runtime/move/machine.hpp"
#include "runtime/move/objects.hpp"
#include "runtime/move/period.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {

namespace {

/// What was said to one element.
struct Sent {
  std::uint64_t bytes = 0;
  std::uint32_t messages = 0;
};

/// An element, wherever it is.
struct Name {
  std::uint32_t array;
  std::string index;  // its bytes
  bool operator==(const Name&) const = default;
};
struct NameHash {
  std::size_t operator()(const Name& name) const {
    return std::hash<std::string>{}(name.index) ^ (name.array * 0x9e3779b97f4a7c15u);
  }
};
Name name_from(std::uint32_t array, Bytes index) {
  return {array, std::string(reinterpret_cast<const char*>(index.data()), index.size())};
}

// ---- the snapshot. Each PE sends a record for each of its elements, the bytes of its index behind; then as
// many edges as it says, each with the index of its target behind.

struct ElementRecord {
  std::uint32_t array, index_bytes, edges = 0, moves;
  std::uint8_t may_move = 1, divisible = 0, has_position = 0, unused = 0;
  std::array<float, 3> position{};
  double load = 0;
  std::uint64_t bytes = 0;
};
struct EdgeRecord {
  std::uint32_t array, index_bytes, messages, unused = 0;
  std::uint64_t bytes;
};

std::vector<Object> objects;  // of the last snapshot: families, by their leaders
lb::Snapshot last;            // without its graph
std::vector<int> pinned;
std::vector<lb::PeIndex> places;
std::vector<bool> told;  // by array: that its elements cannot move

void tell_immovable(const ArrayBase& array) {
  told.resize(std::max<std::size_t>(told.size(), array.number() + 1));
  if (net::world.pe == 0 && !told[array.number()])
    SKEIN_WARN("the elements of %s stay where they are: %s", array.name().c_str(), array.cannot_move());
  told[array.number()] = true;
}

/// What an element is called in snapshots: load models, --lb auto and dumps know it again by that. The same
/// wherever the element is. Of 52 bits, which numbers in files of snapshots have.
std::uint64_t stable_id(std::uint32_t array, Bytes index) {
  std::uint64_t hash = 0xcbf29ce484222325u ^ array;
  for (const std::byte each : index) hash = (hash ^ static_cast<std::uint64_t>(each)) * 0x100000001b3u;
  return (hash ^ hash >> 29) & ((std::uint64_t{1} << 52) - 1);
}

/// Whom the family has called, by the leaders of those; not itself. Calls of a group's elements, and to them,
/// say nothing about where others should be: wherever these are, they find one.
std::unordered_map<Name, Sent, NameHash> edges_of(Element& leader) {
  std::unordered_map<Name, Sent, NameHash> edges;
  if (!traffic_wanted || leader.array->tied_to_pes()) return edges;
  const Name own = name_from(leader.array->number(), leader.array->index_of(leader));
  for_each_of_family(leader, [&](const Element& element) {
    for (const CallEdge& to : calls_of(element)) {
      const ArrayBase& array = array_number(to.array);
      if (to.messages == 0 || array.tied_to_pes()) continue;
      const Name name = name_from(array.leader ? array.leader->number() : to.array, to.index());
      if (name == own) continue;
      Sent& sum = edges[name];
      sum.bytes += to.bytes;
      sum.messages += to.messages;
    }
  });
  return edges;
}

/// Once for each method.
void tell_suspended(const Element& element) {
  static std::set<const EntryInfo*> told_of;
  const Control& control = *element.control;
  if (told_of.insert(&control.first_activity().entry()).second)
    SKEIN_WARN("%s stays where it is while it is in %s", name_of(element).c_str(),
               control.describe(control.first_activity()).c_str());
}

/// What the element says, or the seconds that it took since the last snapshot, which are taken.
double take_load(Element& element) {
  const double took_s = seconds_of(element.busy_ticks);
  element.busy_ticks = 0;
  const std::optional<double> declared = element.array->declared_load(element);
  if (declared && !(std::isfinite(*declared) && *declared >= 0))
    fail(format("%s: load() is %g; loads are finite and not negative", name_of(element).c_str(), *declared));
  return declared.value_or(took_s);
}

/// Of a leader, its family included.
void append_element(std::vector<std::byte>& out, ArrayBase& array, Element& leader) {
  const Bytes index = array.index_of(leader);
  const auto edges = edges_of(leader);
  ElementRecord record{.array = array.number(),
                       .index_bytes = static_cast<std::uint32_t>(index.size()),
                       .edges = static_cast<std::uint32_t>(edges.size()),
                       .moves = leader.moves};
  bool pinned_by_program = false;
  const Element* suspended = nullptr;
  for_each_of_family(leader, [&](Element& element) {
    record.load += take_load(element);
    record.bytes += element.array->packed_size(element);
    pinned_by_program |= element.pinned;
    if (has_activity(element)) suspended = &element;
  });
  record.may_move = !pinned_by_program && !suspended && !obstacle_to_moves(array);
  if (!pinned_by_program && obstacle_to_moves(array)) tell_immovable(array);
  if (!pinned_by_program && suspended) tell_suspended(*suspended);
  record.divisible = record.may_move && array.divisible();
  record.has_position = array.position(leader, record.position);
  append(out, bytes_of(record));
  append(out, index);
  for (const auto& [to, sent] : edges) {
    append(out, bytes_of(EdgeRecord{to.array, static_cast<std::uint32_t>(to.index.size()), sent.messages, 0,
                                    sent.bytes}));
    append(out, {reinterpret_cast<const std::byte*>(to.index.data()), to.index.size()});
  }
}

/// What of an object is optional for strategies: kept where all objects, or any, have it.
struct Optional {
  std::vector<std::array<float, 3>> position;
  std::vector<std::uint8_t> divisible;
  void add(const ElementRecord& record) {
    if (record.has_position) position.push_back(record.position);
    divisible.push_back(record.divisible);
  }
  void give(lb::Objects& to) {
    if (position.size() == to.size()) to.position = std::move(position);
    if (std::ranges::count(divisible, 1) > 0) to.splittable = std::move(divisible);
  }
};

struct FoundEdge {
  lb::ObjectIndex from;
  Name to;
  EdgeRecord record;
};

lb::Snapshot collect() {
  std::vector<std::byte> mine;
  for (const auto& array : all_arrays()) {
    if (array->leader) continue;
    for (Element* const element : array->elements()) append_element(mine, *array, *element);
  }
  forget_calls();
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(net::world.pes));
  const std::uint64_t size = mine.size();
  net::all_gather(&size, sizeof size, sizes.data());
  const std::vector<std::byte> all = net::all_gather_blocks(mine);

  lb::Snapshot snapshot;
  snapshot.pes = lb::uniform_pes(static_cast<std::size_t>(net::world.pes));
  objects.clear();
  pinned.clear();
  std::vector<FoundEdge> edges;
  Optional optional;
  std::unordered_map<Name, lb::ObjectIndex, NameHash> number_of;
  Bytes rest(all);
  for (std::size_t pe = 0; pe < snapshot.pe_count(); ++pe) {
    snapshot.pes.node[pe] = static_cast<std::uint32_t>(net::world.node_of[pe]);
    for (const std::size_t end = rest.size() - sizes[pe]; rest.size() > end;) {
      const auto record = take<ElementRecord>(rest);
      const Bytes index = rest.first(record.index_bytes);
      rest = rest.subspan(record.index_bytes);
      const auto number = static_cast<lb::ObjectIndex>(objects.size());
      if (!record.may_move) pinned.push_back(static_cast<int>(number));
      objects.push_back({record.array, {index.begin(), index.end()}, record.moves, nullptr});
      snapshot.add_object({stable_id(record.array, index), static_cast<lb::PeIndex>(pe), record.load,
                           record.bytes, record.may_move != 0});
      optional.add(record);
      if (traffic_wanted) number_of.emplace(name_from(record.array, index), number);
      for (std::uint32_t e = 0; e < record.edges; ++e) {
        const auto edge = take<EdgeRecord>(rest);
        edges.push_back({number, name_from(edge.array, rest.first(edge.index_bytes)), edge});
        rest = rest.subspan(edge.index_bytes);
      }
    }
  }
  std::size_t first_of_mine = 0;
  while (first_of_mine < objects.size() &&
         snapshot.objects.pe[first_of_mine] != static_cast<lb::PeIndex>(net::world.pe))
    ++first_of_mine;
  for (const auto& array : all_arrays())
    if (!array->leader)
      for (Element* const element : array->elements()) objects[first_of_mine++].element = element;
  forget_ended_parts(objects);
  places = snapshot.objects.pe;
  optional.give(snapshot.objects);
  last = snapshot;

  if (traffic_wanted) {
    std::vector<lb::CommEdge> graph;
    for (const FoundEdge& edge : edges)
      if (const auto to = number_of.find(edge.to); to != number_of.end())
        graph.push_back(
            {edge.from, to->second, static_cast<double>(edge.record.bytes), edge.record.messages});
    snapshot.graph = lb::make_comm_graph(objects.size(), graph);
    snapshot.topology = move::machine_topology();
  }
  return snapshot;
}

// ---- moving

/// Of one element that has moved.
void note_place(ArrayBase& array, Bytes index, int pe, std::uint32_t moves) {
  tell_sections(array.number(), index, pe);
  if (pe != net::world.pe && array.cares(index)) array.learn(index, pe, moves);
}

void note_places(const lb::Assignment& assignment) {
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (assignment[i] == places[i]) continue;
    ArrayBase& array = array_number(objects[i].array);
    const auto pe = static_cast<int>(assignment[i]);
    note_place(array, objects[i].index, pe, objects[i].moves + 1);
    for (ArrayBase* const bound : array.bound) note_place(*bound, objects[i].index, pe, objects[i].moves + 1);
  }
}

move::MoveTotals move_elements(const lb::Decision& decision) {
  move::MoveTotals totals;
  Departure departure(totals);
  if (!decision.splits.empty()) {
    for (const NewElement& part : split_elements(objects, decision))
      if (part.pe != net::world.pe) departure.add(*part.element, static_cast<std::size_t>(part.pe));
  }
  for (std::size_t i = 0; i < objects.size(); ++i)
    if (objects[i].element && decision.pe_of[i] != places[i])
      departure.add(*objects[i].element, decision.pe_of[i]);
  departure.finish();
  note_places(decision.pe_of);
  merge_elements(objects, last, decision);
  tell_of_parts();
  return totals;
}

const std::vector<int>& pinned_elements() { return pinned; }
bool parts_to_merge(const lb::Decision& decision) { return any_to_merge(objects, last, decision); }

}  // namespace

bool sync_point_is_step(std::uint32_t count) { return move::next_gathers(count - 1); }

void at_sync(Element& element) {
  if (!sync_point_is_step(++element.sync_points)) return element.array->resume(element);
  if (element.at_sync) fail("at_sync() is called twice without resume_from_sync() between");
  element.at_sync = true;
  ++element.array->at_sync;
}

void balance_elements() {
  start_departures();
  move::set_objects({"elements", "its elements call at_sync() in their time loop", collect,
                     []() -> const std::vector<double>* { return nullptr; },  // loads are times
                     pinned_elements, move_elements, parts_to_merge, nullptr, nullptr, [] { return true; },
                     [] { return 0.0; },  // elements do not wait: their PE goes on with others
                     busy_seconds});
}

}  // namespace skein::chare
