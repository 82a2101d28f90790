// SPDX-License-Identifier: Apache-2.0
// The load database as a value: what a strategy sees, and all that it sees.
//
// Everything is a structure of arrays indexed by object or PE. Memory: at most 64 B an object (loads, sizes,
// positions and graph rows included; subphases and counters come on top, 4 B each, and 4 B where blocks are
// shared), 12 B an edge, and 12 B a hyperedge with 4 B for each object that it joins.
//
// Units. The load of an object is what it costs on a PE of speed 1, in seconds (or in events when a counter
// is the load). On PE p it takes load / speed[p]; the PE is done after
//     finish[p] = background_s[p] + (sum of load[i] over the objects i on p) / speed[p].
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace skein::lb {

using ObjectIndex = std::uint32_t;
using PeIndex = std::uint32_t;

/// Where each object goes: element i is the PE of object i.
using Assignment = std::vector<PeIndex>;

/// A part of an object that is to be split off and go to another PE. Its load and bytes are `fraction` of the
/// object's.
struct Split {
  ObjectIndex object = 0;
  PeIndex pe = 0;
  double fraction = 0;  // above 0; all parts of one object add up to at most 1

  friend bool operator==(const Split&, const Split&) = default;
};

/// The part of space that is a PE's: where |x - centre|^2 - bias is less than for any other one.
struct Cell {
  std::array<double, 3> centre{};
  double bias = 0;  // the greater, the larger the cell

  friend bool operator==(const Cell&, const Cell&) = default;
};

/// An assignment that may split objects: what is not split off object i goes to pe_of[i].
struct Decision {
  Assignment pe_of;
  std::vector<Split> splits;
  std::vector<Cell> cells = {};  // by PE, of strategies that go on from them; else empty
};

/// Thrown by Snapshot::validate(); the text names the object, PE or edge and the value at fault.
struct SnapshotError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// What add_object() takes; the members left out have the values of an ordinary object.
struct ObjectInfo {
  std::uint64_t id = 0;
  PeIndex pe = 0;
  double load = 0;
  std::uint64_t bytes = 0;
  bool migratable = true;
};

/// The level of an object that belongs to none.
inline constexpr std::int32_t kNoLevel = -1;

struct Objects {
  std::vector<std::uint64_t> id;  // the caller's name of the object; not interpreted
  std::vector<PeIndex> pe;        // where it is now
  std::vector<double> load;
  std::vector<std::uint64_t> bytes;      // its memory: what moving it would transfer
  std::vector<std::uint8_t> migratable;  // 0: pinned to its PE
  std::vector<std::uint8_t> splittable;  // optional: empty, or 1 where parts can be split off
  std::vector<std::int32_t> level;       // optional: empty, or which of the levels that run one after another
  std::vector<std::array<float, 3>> position;  // optional: empty, or one for each object
  std::vector<float> subphases;                // optional: subphase_count seconds for each object, row by row
  std::vector<float> counters;                 // optional: counter_count values for each object, row by row
  std::uint32_t subphase_count = 0;
  std::uint32_t counter_count = 0;

  std::size_t size() const { return load.size(); }
};

struct Pes {
  std::vector<double> speed;         // relative; 1 is the reference
  std::vector<double> background_s;  // time this PE spends on what cannot be moved and is no object
  std::vector<std::uint32_t> node;
  std::vector<std::uint64_t> memory_bytes;  // optional: empty, or for each PE what its objects may hold
  std::vector<Cell> cells = {};  // optional: Decision::cells of the step before, for who goes on from there

  std::size_t size() const { return speed.size(); }
};

/// Messages sent since the last LB step. Row i, edges first[i] to first[i + 1], holds what object i sent. No
/// graph was recorded when `first` is empty.
struct CommGraph {
  std::vector<std::uint64_t> first;
  std::vector<ObjectIndex> to;
  std::vector<float> bytes;
  std::vector<std::uint32_t> messages;

  bool empty() const { return first.empty(); }
  std::size_t edge_count() const { return to.size(); }
};

struct CommEdge {
  ObjectIndex from = 0;
  ObjectIndex to = 0;
  double bytes = 0;
  std::uint32_t messages = 1;
};

/// What objects need in common, where pairs do not say it: the interactions that they take part in. Hyperedge
/// h joins the objects pin[first[h]] to pin[first[h + 1] - 1], and stands for bytes[h] that every PE needs
/// which has one of them. So a placement costs bytes[h] times (PEs that h reaches - 1), summed over all h: an
/// interaction joins the bodies that it acts on, or a body and all that interact with it are one hyperedge,
/// of the bytes that tell where the body is. Those that join fewer than two objects cost nothing anywhere.
/// Not told when `first` is empty.
struct Hypergraph {
  std::vector<std::uint64_t> first;
  std::vector<ObjectIndex> pin;  // rising in each hyperedge
  std::vector<float> bytes;

  bool empty() const { return first.empty(); }
  std::size_t hyperedge_count() const { return bytes.size(); }
  std::span<const ObjectIndex> pins(std::size_t hyperedge) const {
    return std::span(pin).subspan(first[hyperedge], first[hyperedge + 1] - first[hyperedge]);
  }
};

struct Hyperedge {
  std::vector<ObjectIndex> objects;  // in any order, none twice
  double bytes = 0;
};

/// The block of an object that reads none.
inline constexpr std::uint32_t kNoBlock = ~std::uint32_t{0};

/// Data that several objects read: a PE has each block that its objects read once, however many they are. So
/// it holds, in bytes,
///     sum of objects.bytes[i] over the objects i on it + sum of bytes[b] over the blocks b that these read.
/// A block's home is the PE that makes it, or wants what comes of it: where else it is read it has to travel.
/// Not told when `of_object` is empty.
struct SharedBlocks {
  std::vector<std::uint32_t> of_object;  // for each object the block that it reads, or kNoBlock
  std::vector<std::uint64_t> bytes;      // by block
  std::vector<PeIndex> home;             // by block

  bool empty() const { return of_object.empty(); }
  std::size_t block_count() const { return bytes.size(); }
};

/// The machine as a tree: vertex 0 is the root, parent[v] < v for the others (parent[0] is 0), PE p hangs at
/// vertex_of_pe[p]. Empty when unknown. A message between two PEs passes the lowest vertex above both.
struct Topology {
  std::vector<std::uint32_t> parent;
  std::vector<std::uint32_t> vertex_of_pe;
  /// What a message that passes a vertex costs: seconds at all, and seconds a byte. Both empty: unknown.
  std::vector<float> latency_s = {};
  std::vector<float> byte_s = {};
};

struct Snapshot {
  Objects objects;
  Pes pes;
  CommGraph graph;
  Hypergraph hypergraph;
  SharedBlocks blocks;
  Topology topology;
  /// LB steps before this one: 0 where objects are still as the program placed them.
  std::uint64_t step = 0;
  /// How long the interval was in which the loads came together, since the LB step before or the start: in
  /// seconds of wall time, and in sync points passed, which measure the work of programs that do as much
  /// between any two of them, however well balanced. 0: not known. Load models compare loads of intervals by
  /// these lengths (load_model.hpp). Where loads do not grow with the interval, since the program declares
  /// them as values that hold until declared anew, both are to be 0.
  double interval_s = 0;
  std::uint64_t interval_points = 0;

  std::size_t object_count() const { return objects.size(); }
  std::size_t pe_count() const { return pes.size(); }

  ObjectIndex add_object(const ObjectInfo& info);

  /// Throws SnapshotError unless every array has its length, loads, sizes, speeds and the interval are finite
  /// and not negative (speeds positive) and add up to finite times, all indices exist (blocks and their homes
  /// included), no hyperedge joins an object twice and there is a PE. O(objects + PEs + edges + pins).
  void validate() const;

  /// Bytes held by all arrays (their sizes, not the capacities that growing them left behind).
  std::size_t memory_bytes() const;
};

/// `count` PEs of speed 1 without background load, numbered over nodes of `pes_per_node` PEs (0: one node
/// holds all).
Pes uniform_pes(std::size_t count, std::size_t pes_per_node = 0);

/// A part of the machine, as one of those that hold a PE: a vertex of the topology.
struct Domain {
  std::uint64_t name = 0;  // among the parts of one part
  float latency_s = 0;     // of messages that pass this vertex
  float byte_s = 0;
};

/// The tree from the way to each PE from the whole machine down, which is the first part of every way and
/// alike in all. Ways may differ in length. A part that holds nothing but one other part is left out.
Topology make_topology(std::span<const std::vector<Domain>> way_to_pe);

/// The rows from edges in any order; edges between the same two objects are added up. Throws SnapshotError
/// for an edge from or to an object >= object_count.
CommGraph make_comm_graph(std::size_t object_count, std::span<const CommEdge> edges);

/// The hyperedges in the order given, equal ones apart. Throws SnapshotError for one that joins an object
/// twice or an object >= object_count.
Hypergraph make_hypergraph(std::size_t object_count, std::span<const Hyperedge> hyperedges);

/// What the topology of a job is made of (make_topology() in skein/lb/snapshot.hpp): the parts of a machine
/// that a run can find out about, and what messages that pass them cost, if nobody has measured it. Of what
/// strategies make of these costs, ratios matter most: networks of 2 us and 4 GB/s, memory of another package
/// or domain at about twice the latency of a shared cache.
inline constexpr Domain kUsualNetwork{0, 2.0e-6f, 1 / 4e9f}, kUsualNode{0, 0.8e-6f, 1 / 8e9f},
    kUsualPackage{0, 0.6e-6f, 1 / 10e9f}, kUsualDomain{0, 0.5e-6f, 1 / 10e9f},
    kUsualCache{0, 0.3e-6f, 1 / 15e9f};

inline Domain named(Domain part, std::uint64_t name) {
  part.name = name;
  return part;
}

/// The way to a PE of this node, as far as the node.
inline std::vector<Domain> way_to_node(std::uint64_t node) {
  return {kUsualNetwork, named(kUsualNode, node)};
}

}  // namespace skein::lb
