// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/balance/element_snapshot.hpp"

#include <algorithm>
#include <unordered_map>

#include "runtime/balance/measured_speeds.hpp"
#include "runtime/balance/pe_topology.hpp"
#include "runtime/base/fnv.hpp"
#include "runtime/chare/balance/measured_elements.hpp"
#include "runtime/chare/balance/traffic.hpp"
#include "runtime/chare/elements/families.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "skein/lb/measured_objects.hpp"

namespace skein::chare {
namespace {

/// The calls made to one element.
struct Sent {
  std::uint64_t bytes = 0;
  std::uint32_t messages = 0;
};

/// The name of an element, wherever it is.
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

// ---- a PE's message: a record for each of its elements, followed by the bytes of its index and by its
// edges, each followed by the index of its target

struct ElementRecord {
  std::uint32_t array, index_bytes, edges = 0, moves;
  std::uint8_t may_move = 1, divisible = 0, has_position = 0, declares = 0;
  std::array<float, 3> position{};
  std::int32_t level = lb::kNoLevel, unused = 0;
  double load = 0, declared = 0, busy_s = 0;
  std::uint64_t bytes = 0;
};
struct EdgeRecord {
  std::uint32_t array, index_bytes, messages, unused = 0;
  std::uint64_t bytes;
};

/// Returns the element's id in snapshots, by which load models, --lb auto and dumps recognise it. It does not
/// depend on the place of the element, and has 52 bits, as numbers in files of snapshots.
std::uint64_t stable_id(std::uint32_t array, Bytes index) {
  Fnv1a digest;
  digest.add(&array, sizeof(array));  // a salt would only change the index's first byte
  digest.add(index.data(), index.size());
  const std::uint64_t hash = digest.value();
  return (hash ^ hash >> 29) & ((std::uint64_t{1} << 52) - 1);
}

/// Returns the calls from the family to leaders of other families. Calls from and to a group's elements are
/// left out: each PE has one, so they do not matter for placement.
std::unordered_map<Name, Sent, NameHash> edges_of(Element& leader) {
  std::unordered_map<Name, Sent, NameHash> edges;
  if (!settings.traffic_wanted || leader.array->tied_to_pes()) return edges;
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

using Edges = std::unordered_map<Name, Sent, NameHash>;

/// Appends an element with its family.
void append_element(std::vector<std::byte>& out, const MeasuredElement& measured, const Edges& edges) {
  Element& leader = *measured.leader;
  const ArrayBase& array = *leader.array;
  const Bytes index = array.index_of(leader);
  const bool movable = may_move(leader);
  ElementRecord record{.array = array.number(),
                       .index_bytes = static_cast<std::uint32_t>(index.size()),
                       .edges = static_cast<std::uint32_t>(edges.size()),
                       .moves = leader.moves,
                       .may_move = movable,
                       .divisible = movable && array.divisible(),
                       .declares = measured.declares,
                       .load = measured.load,
                       .declared = measured.declared,
                       .busy_s = measured.busy_s};
  for_each_of_family(leader, [&](Element& element) { record.bytes += element.array->packed_size(element); });
  record.level = std::max(array.level(leader), lb::kNoLevel);
  record.has_position = array.position(leader, record.position);
  append(out, bytes_of(record));
  append(out, index);
  for (const auto& [to, sent] : edges) {
    append(out, bytes_of(EdgeRecord{to.array, static_cast<std::uint32_t>(to.index.size()), sent.messages, 0,
                                    sent.bytes}));
    append(out, {reinterpret_cast<const std::byte*>(to.index.data()), to.index.size()});
  }
}

// ---- unpacking

/// Cuts `bytes` off the front.
Bytes take_bytes(Bytes& records, std::size_t bytes) {
  const Bytes taken = records.first(bytes);
  records = records.subspan(bytes);
  return taken;
}

std::vector<std::uint32_t> nodes_of_pes() {
  return {net::world.node_of.begin(), net::world.node_of.begin() + pe_count()};
}

lb::MeasuredObject object_of(const ElementRecord& record, Bytes index, lb::PeIndex pe) {
  lb::MeasuredObject object{.id = stable_id(record.array, index),
                            .pe = pe,
                            .load = record.load,
                            .bytes = record.bytes,
                            .may_move = record.may_move != 0,
                            .divisible = record.divisible != 0,
                            .level = record.level};
  if (record.has_position) object.position = record.position;
  return object;
}

class Reader {
 public:
  void read(lb::PeIndex pe, Bytes records) {
    while (!records.empty()) read_element(pe, records);
  }

  ElementSnapshot finish() {
    const std::vector<std::uint32_t> nodes = nodes_of_pes();
    const std::vector<lb::CommEdge> edges = edges_between_objects();
    all_.snapshot = lb::make_snapshot({.objects = measured_,
                                       .node_of_pe = nodes,
                                       .speed_of_pe = balance::pe_speeds(),
                                       .topology = &balance::pe_topology(),
                                       .edges = settings.traffic_wanted ? &edges : nullptr});
    return std::move(all_);
  }

 private:
  struct Edge {
    lb::ObjectIndex from;
    Name to;
    EdgeRecord record;
  };

  /// Reads an element off the front.
  void read_element(lb::PeIndex pe, Bytes& records) {
    const auto record = unpack_front<ElementRecord>(records);
    const Bytes index = take_bytes(records, record.index_bytes);
    const auto number = static_cast<lb::ObjectIndex>(all_.objects.size());
    if (!record.may_move) all_.pinned.push_back(static_cast<int>(number));
    Element* const here =
        static_cast<int>(pe) == net::world.pe ? array_number(record.array).element_at(index) : nullptr;
    all_.objects.push_back({record.array, {index.begin(), index.end()}, record.moves, here});
    measured_.push_back(object_of(record, index, pe));
    if (settings.traffic_wanted) number_of_.emplace(name_from(record.array, index), number);
    for (std::uint32_t e = 0; e < record.edges; ++e) {
      const auto edge = unpack_front<EdgeRecord>(records);
      edges_.push_back({number, name_from(edge.array, take_bytes(records, edge.index_bytes)), edge});
    }
  }
  /// Returns the edges without those to elements that have gone.
  std::vector<lb::CommEdge> edges_between_objects() const {
    std::vector<lb::CommEdge> edges;
    for (const Edge& edge : edges_)
      if (const auto to = number_of_.find(edge.to); to != number_of_.end())
        edges.push_back(
            {edge.from, to->second, static_cast<double>(edge.record.bytes), edge.record.messages});
    return edges;
  }

  ElementSnapshot all_;
  std::vector<lb::MeasuredObject> measured_;
  std::vector<Edge> edges_;
  std::unordered_map<Name, lb::ObjectIndex, NameHash> number_of_;
};

}  // namespace

std::vector<std::byte> share_of_elements() {
  std::vector<std::byte> share;
  for (const MeasuredElement& measured : measured_elements())
    append_element(share, measured, edges_of(*measured.leader));
  forget_calls();
  return share;
}

void append_to_share(const MeasuredElement& measured, std::vector<std::byte>& share) {
  append_element(share, measured, edges_of(*measured.leader));
  for_each_of_family(*measured.leader, [](Element& element) { forget_calls_of(element); });
}

std::vector<std::byte> share_of_stopped_elements() {
  std::vector<std::byte> share;
  for (const MeasuredElement& measured : measured_elements()) append_element(share, measured, {});
  return share;
}

balance::IntervalShare interval_of_elements(const net::PeBlocks& shares) {
  balance::IntervalShare all(0, pe_count(), balance::pe_speeds());
  shares.for_each([&](std::size_t pe, Bytes records) {
    const auto on = static_cast<int>(pe);
    while (!records.empty()) {
      const auto record = unpack_front<ElementRecord>(records);
      take_bytes(records, record.index_bytes);
      for (std::uint32_t e = 0; e < record.edges; ++e)
        take_bytes(records, unpack_front<EdgeRecord>(records).index_bytes);
      all.add_object_on(on, record.busy_s, on, on);
      add_load(all, record.load, record.declared, record.declares != 0);
    }
  });
  return all;
}

PartOfElements part_of_elements(const net::PeBlocks& shares) {
  PartOfElements part;
  part.measured.has_edges = settings.traffic_wanted;
  part.measured.node_of_pe = nodes_of_pes();
  part.measured.speed_of_pe = balance::pe_speeds();
  shares.for_each([&](std::size_t pe, Bytes records) {
    while (!records.empty()) {
      const auto record = unpack_front<ElementRecord>(records);
      const Bytes index = take_bytes(records, record.index_bytes);
      const auto place = static_cast<lb::ObjectIndex>(part.measured.objects.size());
      if (!record.may_move) part.pinned.push_back(static_cast<int>(place));
      part.measured.objects.push_back(object_of(record, index, static_cast<lb::PeIndex>(pe)));
      for (std::uint32_t e = 0; e < record.edges; ++e) {
        const auto edge = unpack_front<EdgeRecord>(records);
        const std::uint64_t to = stable_id(edge.array, take_bytes(records, edge.index_bytes));
        part.measured.edges.push_back({place, to, static_cast<double>(edge.bytes), edge.messages});
      }
    }
  });
  return part;
}

ElementSnapshot snapshot_of_elements(const net::PeBlocks& shares) {
  Reader reader;
  shares.for_each([&](std::size_t pe, Bytes share) { reader.read(static_cast<lb::PeIndex>(pe), share); });
  return reader.finish();
}

}  // namespace skein::chare
