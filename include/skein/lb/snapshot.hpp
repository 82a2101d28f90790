// SPDX-License-Identifier: Apache-2.0
// The load database as a value: what a strategy sees, and all that it sees.
//
// Everything is a structure of arrays indexed by object or PE. Memory: at most 64 B an object (loads, sizes,
// positions and graph rows included; subphases and counters come on top, 4 B each, and 4 B if blocks are
// shared), 12 B an edge, and 12 B a hyperedge with 4 B for each object that it joins.
//
// Units. The load of an object is its cost on a PE of speed 1, in seconds (or in events when a counter
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

/// The new place of each object: element i is the PE of object i.
using Assignment = std::vector<PeIndex>;

/// A part of an object to be split off and sent to another PE. Its load and bytes are `fraction` of the
/// object's.
struct Split {
  ObjectIndex object = 0;
  PeIndex pe = 0;
  double fraction = 0;  // above 0; all parts of one object add up to at most 1

  friend bool operator==(const Split&, const Split&) = default;
};

/// The part of space that belongs to a PE: the points x whose |x - centre|^2 - bias is least for this cell.
struct Cell {
  std::array<double, 3> centre{};
  double bias = 0;  // the greater, the larger the cell

  friend bool operator==(const Cell&, const Cell&) = default;
};

/// An assignment that may split objects: the rest of object i, less its splits, goes to pe_of[i].
struct Decision {
  Assignment pe_of;
  std::vector<Split> splits;
  std::vector<Cell> cells = {};  // by PE, from strategies that continue from them; else empty
};

/// Thrown by Snapshot::validate(); the text names the object, PE or edge and the value at fault.
struct SnapshotError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// The argument of add_object(); by default an ordinary object.
struct ObjectInfo {
  std::uint64_t id = 0;
  PeIndex pe = 0;
  double load = 0;
  std::uint64_t bytes = 0;
  bool migratable = true;
};

/// The level of an object without one.
inline constexpr std::int32_t kNoLevel = -1;

struct Objects {
  std::vector<std::uint64_t> id;  // the caller's name of the object; not interpreted
  std::vector<PeIndex> pe;        // its present PE
  std::vector<double> load;
  std::vector<std::uint64_t> bytes;      // its memory, which a move transfers
  std::vector<std::uint8_t> migratable;  // 0: pinned to its PE
  std::vector<std::uint8_t> splittable;  // optional: empty, or 1 if parts can be split off
  std::vector<std::int32_t> level;  // optional: empty, or the object's level; levels run one after another
  std::vector<std::array<float, 3>> position;  // optional: empty, or one for each object
  std::vector<float> subphases;                // optional: subphase_count seconds for each object, row by row
  std::vector<float> counters;                 // optional: counter_count values for each object, row by row
  std::uint32_t subphase_count = 0;
  std::uint32_t counter_count = 0;

  std::size_t size() const { return load.size(); }
};

struct Pes {
  std::vector<double> speed;         // relative; 1 is the reference
  std::vector<double> background_s;  // the PE's time for work outside objects
  std::vector<std::uint32_t> node;
  std::vector<std::uint64_t> memory_bytes;  // optional: empty, or the memory limit of each PE's objects
  std::vector<Cell> cells = {};  // optional: Decision::cells of the step before, for strategies that continue

  std::size_t size() const { return speed.size(); }
};

/// Messages sent since the last LB step. Row i, edges first[i] to first[i + 1], holds the messages that
/// object i sent. `first` is empty if no graph was recorded.
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

/// Data that several objects need in common, where pairs cannot express it: their interactions. Hyperedge h
/// joins the objects pin[first[h]] to pin[first[h + 1] - 1], and stands for bytes[h] that every PE with one
/// of these objects needs. So a placement costs bytes[h] times (PEs that h reaches - 1), summed over all h.
/// An interaction joins the bodies that it acts on; or a body and all that interact with it are one
/// hyperedge, whose bytes describe where the body is. A hyperedge of fewer than two objects costs nothing
/// anywhere. `first` is empty if no hyperedges were given.
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

/// The block of an object without one.
inline constexpr std::uint32_t kNoBlock = ~std::uint32_t{0};

/// Data that several objects read. A PE holds each block that its objects read once, however many of them
/// read it. So a PE holds, in bytes,
///     sum of objects.bytes[i] over its objects i + sum of bytes[b] over the blocks b that they read.
/// A block's home is the PE that makes it or needs its result; the block has to travel to all other readers.
/// `of_object` is empty if no blocks were given.
struct SharedBlocks {
  std::vector<std::uint32_t> of_object;  // by object: the block that it reads, or kNoBlock
  std::vector<std::uint64_t> bytes;      // by block
  std::vector<PeIndex> home;             // by block

  bool empty() const { return of_object.empty(); }
  std::size_t block_count() const { return bytes.size(); }
};

/// The machine as a tree: vertex 0 is the root, parent[v] < v for the others (parent[0] is 0), PE p hangs at
/// vertex_of_pe[p]. Empty if unknown. A message between two PEs passes the lowest vertex above both.
struct Topology {
  std::vector<std::uint32_t> parent;
  std::vector<std::uint32_t> vertex_of_pe;
  /// The cost of a message that passes a vertex: seconds a message, and seconds a byte. Both empty: unknown.
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
  /// The number of LB steps before this one; 0 while objects are where the program placed them.
  std::uint64_t step = 0;
  /// The length of the interval in which the loads were measured, since the LB step before or the start: in
  /// seconds of wall time, and in sync points passed. Sync points measure the work of programs that do as
  /// much between any two of them, however well balanced. 0: not known. Load models compare loads of
  /// intervals by these lengths (load_model.hpp). Both must be 0 if loads do not grow with the interval,
  /// because the program declares them as values that hold until it declares new ones.
  double interval_s = 0;
  std::uint64_t interval_points = 0;

  std::size_t object_count() const { return objects.size(); }
  std::size_t pe_count() const { return pes.size(); }

  /// Adds an object, and returns its index.
  ObjectIndex add_object(const ObjectInfo& info);

  /// Throws SnapshotError unless every array has its length, loads, sizes, speeds and the interval are finite
  /// and not negative (speeds positive) and add up to finite times, all indices exist (blocks and their homes
  /// included), no hyperedge joins an object twice and there is a PE. O(objects + PEs + edges + pins).
  void validate() const;

  /// Returns the bytes of all arrays, by their sizes and not their capacities.
  std::size_t memory_bytes() const;
};

/// Returns `count` PEs of speed 1 without background load, numbered over nodes of `pes_per_node` PEs (0: one
/// node holds all).
Pes uniform_pes(std::size_t count, std::size_t pes_per_node = 0);

/// A part of the machine that holds PEs: a vertex of the topology.
struct Domain {
  std::uint64_t name = 0;  // unique among the parts of one part
  float latency_s = 0;     // of messages that pass this vertex
  float byte_s = 0;
};

/// Builds the tree from the way to each PE, from the whole machine down; the first part of all ways is the
/// whole machine. Ways may differ in length. A part that holds nothing but one other part is left out.
Topology make_topology(std::span<const std::vector<Domain>> way_to_pe);

/// Builds the graph from edges in any order; edges between the same two objects are added up. Throws
/// SnapshotError for an edge from or to an object >= object_count.
CommGraph make_comm_graph(std::size_t object_count, std::span<const CommEdge> edges);

/// Builds the hypergraph, in the order given; equal hyperedges stay apart. Throws SnapshotError for one that
/// joins an object twice or an object >= object_count.
Hypergraph make_hypergraph(std::size_t object_count, std::span<const Hyperedge> hyperedges);

/// The parts of a machine that a run can detect, for make_topology(), and the costs of messages that pass
/// them if nobody has measured any. Strategies depend mostly on the ratios of these costs: networks of 2 us
/// and 4 GB/s, memory of another package or domain at about twice the latency of a shared cache.
inline constexpr Domain kUsualNetwork{0, 2.0e-6f, 1 / 4e9f}, kUsualNode{0, 0.8e-6f, 1 / 8e9f},
    kUsualPackage{0, 0.6e-6f, 1 / 10e9f}, kUsualDomain{0, 0.5e-6f, 1 / 10e9f},
    kUsualCache{0, 0.3e-6f, 1 / 15e9f};

inline Domain named(Domain part, std::uint64_t name) {
  part.name = name;
  return part;
}

/// Returns the way from the whole machine to this node, the first part of the way to its PEs.
inline std::vector<Domain> way_to_node(std::uint64_t node) {
  return {kUsualNetwork, named(kUsualNode, node)};
}

}  // namespace skein::lb
