// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/balance.hpp"

#include <memory>
#include <unordered_map>

#include "runtime/base/check.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/log.hpp"
#include "runtime/chare/arrays.hpp"
#include "runtime/chare/loop.hpp"
#include "runtime/chare/sections.hpp"
#include "runtime/chare/wire.hpp"
#include "runtime/move/objects.hpp"
#include "runtime/move/period.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {

bool traffic_wanted = false;

namespace {

// ---- whom elements call

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
struct Sent {
  std::uint64_t bytes = 0;
  std::uint32_t messages = 0;
};
std::unordered_map<const Element*, std::unordered_map<Name, Sent, NameHash>> traffic;

Name name_from(std::uint32_t array, Bytes index) {
  return {array, std::string(reinterpret_cast<const char*>(index.data()), index.size())};
}

// ---- the snapshot. Each PE sends a record for each of its elements, the bytes of its index behind; then as
// many edges as it says, each with the index of its target behind.

struct ElementRecord {
  std::uint32_t array, index_bytes, edges, may_move, moves, unused = 0;
  double load;
  std::uint64_t bytes;
};
struct EdgeRecord {
  std::uint32_t array, index_bytes, messages, unused = 0;
  std::uint64_t bytes;
};

struct Object {
  std::uint32_t array;
  std::vector<std::byte> index;
  std::uint32_t moves;
  Element* element;  // null: on another PE
};
std::vector<Object> objects;  // of the last snapshot
std::vector<int> pinned;
std::vector<lb::PeIndex> places;
std::vector<bool> told;  // by array: that its elements cannot move

/// What an element is called in snapshots: load models, --lb auto and dumps know it again by that, wherever
/// it is. The same on all PEs, which meet the same elements in the same order.
std::unordered_map<Name, std::uint64_t, NameHash> ids;  // of the elements of the last snapshot
std::uint64_t next_id = 0;

void append(std::vector<std::byte>& out, Bytes bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); }

void tell_immovable(const ArrayBase& array) {
  told.resize(std::max<std::size_t>(told.size(), array.number() + 1));
  if (net::world.pe == 0 && !told[array.number()])
    SKEIN_WARN("the elements of %s stay where they are: %s", array.name().c_str(), array.cannot_move());
  told[array.number()] = true;
}

void append_element(std::vector<std::byte>& out, ArrayBase& array, Element& element) {
  const Bytes index = array.index_of(element);
  const auto edges = traffic.find(&element);
  const bool may_move = !element.pinned && !array.cannot_move();
  if (!element.pinned && !may_move) tell_immovable(array);
  append(out, bytes_of(ElementRecord{
                  array.number(), static_cast<std::uint32_t>(index.size()),
                  edges == traffic.end() ? 0 : static_cast<std::uint32_t>(edges->second.size()), may_move,
                  element.moves, 0, static_cast<double>(element.busy_ticks) * ns_per_tick() * 1e-9,
                  array.packed_size(element)}));
  append(out, index);
  element.busy_ticks = 0;
  if (edges == traffic.end()) return;
  for (const auto& [to, sent] : edges->second) {
    append(out, bytes_of(EdgeRecord{to.array, static_cast<std::uint32_t>(to.index.size()), sent.messages, 0,
                                    sent.bytes}));
    append(out, {reinterpret_cast<const std::byte*>(to.index.data()), to.index.size()});
  }
}

struct FoundEdge {
  lb::ObjectIndex from;
  Name to;
  EdgeRecord record;
};

lb::Snapshot collect() {
  std::vector<std::byte> mine;
  for (const auto& array : all_arrays()) {
    for (Element* const element : array->elements()) append_element(mine, *array, *element);
  }
  traffic.clear();
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(net::world.pes));
  const std::uint64_t size = mine.size();
  net::all_gather(&size, sizeof size, sizes.data());
  const std::vector<std::byte> all = net::all_gather_blocks(mine);

  lb::Snapshot snapshot;
  snapshot.pes = lb::uniform_pes(static_cast<std::size_t>(net::world.pes));
  objects.clear();
  pinned.clear();
  std::vector<FoundEdge> edges;
  std::unordered_map<Name, lb::ObjectIndex, NameHash> number_of;
  std::unordered_map<Name, std::uint64_t, NameHash> present_ids;
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
      const Name name = name_from(record.array, index);
      const auto known = ids.find(name);
      const std::uint64_t id = known == ids.end() ? next_id++ : known->second;
      present_ids.emplace(name, id);
      snapshot.add_object(
          {id, static_cast<lb::PeIndex>(pe), record.load, record.bytes, record.may_move != 0});
      if (traffic_wanted) number_of.emplace(name, number);
      for (std::uint32_t e = 0; e < record.edges; ++e) {
        const auto edge = take<EdgeRecord>(rest);
        edges.push_back({number, name_from(edge.array, rest.first(edge.index_bytes)), edge});
        rest = rest.subspan(edge.index_bytes);
      }
    }
  }
  ids = std::move(present_ids);
  std::size_t first_of_mine = 0;
  while (first_of_mine < objects.size() &&
         snapshot.objects.pe[first_of_mine] != static_cast<lb::PeIndex>(net::world.pe))
    ++first_of_mine;
  for (const auto& array : all_arrays())
    for (Element* const element : array->elements()) objects[first_of_mine++].element = element;
  places = snapshot.objects.pe;

  if (traffic_wanted) {
    std::vector<lb::CommEdge> graph;
    for (const FoundEdge& edge : edges)
      if (const auto to = number_of.find(edge.to); to != number_of.end())
        graph.push_back(
            {edge.from, to->second, static_cast<double>(edge.record.bytes), edge.record.messages});
    snapshot.graph = lb::make_comm_graph(objects.size(), graph);
  }
  return snapshot;
}

// ---- moving: all elements for one PE go together, each with its array and length before it

void pack_departing(const lb::Assignment& assignment, std::vector<std::vector<std::byte>>& to_pe,
                    move::MoveTotals& totals) {
  for (std::size_t i = 0; i < objects.size(); ++i) {
    Element* const element = objects[i].element;
    if (!element || assignment[i] == places[i]) continue;
    const std::vector<std::byte> state = element->array->depart(*element, static_cast<int>(assignment[i]));
    std::vector<std::byte>& out = to_pe[assignment[i]];
    append(out, bytes_of(objects[i].array));
    append(out, bytes_of(static_cast<std::uint64_t>(state.size())));
    append(out, state);
    ++totals.objects;
    totals.bytes_copied += state.size();
  }
}

void unpack_arrived(Bytes bytes) {
  while (!bytes.empty()) {
    const auto array = take<std::uint32_t>(bytes);
    const auto size = static_cast<std::size_t>(take<std::uint64_t>(bytes));
    array_number(array).arrive(bytes.first(size), ArrayBase::Tell::nobody);
    bytes = bytes.subspan(size);
  }
}

void note_places(const lb::Assignment& assignment) {
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (assignment[i] == places[i]) continue;
    tell_sections(objects[i].array, objects[i].index, static_cast<int>(assignment[i]));
    if (assignment[i] == static_cast<lb::PeIndex>(net::world.pe)) continue;
    ArrayBase& array = array_number(objects[i].array);
    if (array.cares(objects[i].index))
      array.learn(objects[i].index, static_cast<int>(assignment[i]), objects[i].moves + 1);
  }
}

move::MoveTotals move_elements(const lb::Assignment& assignment) {
  const auto pes = static_cast<std::size_t>(net::world.pes);
  const auto here = static_cast<std::size_t>(net::world.pe);
  move::MoveTotals totals;
  std::vector<std::vector<std::byte>> outgoing(pes), incoming(pes);
  pack_departing(assignment, outgoing, totals);
  std::vector<std::uint64_t> sizes(pes), all_sizes(pes * pes);
  for (std::size_t pe = 0; pe < pes; ++pe) sizes[pe] = outgoing[pe].size();
  net::all_gather(sizes.data(), pes * sizeof sizes[0], all_sizes.data());

  static int transfers;
  transfers = 0;
  const net::Completion done{[](std::uint64_t, std::uint64_t) { --transfers; }, 0, 0};
  for (std::size_t pe = 0; pe < pes; ++pe) {
    const auto bytes = static_cast<std::size_t>(all_sizes[pe * pes + here]);
    if (bytes == 0) continue;
    incoming[pe].resize(bytes);
    ++transfers;
    net::bulk_receive(static_cast<int>(pe), 0, incoming[pe].data(), bytes, done);
  }
  for (std::size_t pe = 0; pe < pes; ++pe) {
    if (outgoing[pe].empty()) continue;
    ++transfers;
    net::bulk_send(static_cast<int>(pe), 0, {outgoing[pe].data(), outgoing[pe].size()}, done);
  }
  while (transfers > 0)
    if (!net::poll()) net::idle();
  for (const std::vector<std::byte>& bytes : incoming) unpack_arrived(bytes);
  note_places(assignment);
  return totals;
}

const std::vector<int>& pinned_elements() { return pinned; }

}  // namespace

bool sync_point_is_step(std::uint32_t count) { return move::next_gathers(count - 1); }

void note_traffic(const Element& from, std::uint32_t array, Bytes index, std::size_t bytes) {
  Sent& sent = traffic[&from][name_from(array, index)];
  sent.bytes += bytes;
  ++sent.messages;
}

void balance_elements() {
  move::set_objects({"elements", "its elements call at_sync() in their time loop", collect,
                     []() -> const std::vector<double>* { return nullptr; },  // loads are times
                     pinned_elements, move_elements, nullptr, nullptr, [] { return true; },
                     [] { return 0.0; },  // elements do not wait: their PE goes on with others
                     busy_seconds});
}

}  // namespace skein::chare
