// SPDX-License-Identifier: Apache-2.0
// The request of a strategy to a partitioning library, and the one function by which a module answers it.
//
// A module is a shared library libskein_lb_<name>.so around one partitioner. It is loaded when a strategy
// that needs it is named, so neither the strategies nor the programs that contain them depend on any
// partitioner (docs/decisions/partitioner-modules.md). The request consists of plain arrays of numbers: a
// module knows no snapshot.
#pragma once
#include <array>
#include <cstdint>
#include <span>

namespace skein::lb {

/// The trade between quality and speed, or a method of the library; a module ignores those it does not know.
enum class Flavour : std::uint8_t {
  standard,
  quality,    // fewer bytes between parts, slower
  balance,    // prefers the tolerance to a small cut
  speed,      // faster, more bytes between parts
  recursive,  // recursive bisection instead of k parts at once
  boxes,      // by positions alone: recursive coordinate bisection
  curve,      // by positions alone: a Hilbert curve cut into pieces
};

/// Vertices are 0 to n - 1, parts 0 to k - 1, 1 < k <= n. Row v of the graph is first[v] to first[v + 1];
/// each edge is in both rows, none joins a vertex to itself, no row names a neighbour twice. Weights are
/// positive (those of fixed vertices may be 0), and each kind of them adds up to less than 2^30; so do
/// weights of edges and costs of moves together.
struct PartitionRequest {
  std::span<const std::int32_t> first;
  std::span<const std::int32_t> neighbour;
  std::span<const std::int32_t> edge_weight;
  /// A hypergraph that replaces the graph; else empty. Hyperedge h joins the vertices from pin[first_pin[h]]
  /// to before pin[first_pin[h + 1]], at least two, none twice; edge_weight has one for each. For Zoltan.
  std::span<const std::int32_t> first_pin;
  std::span<const std::int32_t> pin;
  std::span<const std::int32_t> vertex_weight;
  std::span<const std::int32_t> part_weight;  // the load that each part should get, in any unit; positive
  std::span<const std::int32_t> fixed;        // empty, or the part a vertex must be in, -1 for any
  double tolerance = 0.05;                    // the fraction by which a part may exceed what it should get

  /// For repartitioning; empty for a fresh partition.
  std::span<const std::int32_t> old_part;   // the present part of each vertex, -1 for none
  std::span<const std::int32_t> move_cost;  // in units of edge weight; 0 without an old part

  /// For mapping onto a machine (Scotch): a tree whose last k vertices are the parts; tree_parent[0] is 0,
  /// tree_parent[v] < v. tree_length[v] is the length of the link to v's parent, positive.
  std::span<const std::int32_t> tree_parent;
  std::span<const std::int32_t> tree_length;

  /// The position of each vertex, for methods by position.
  std::span<const std::array<float, 3>> position;

  /// For processes that partition together: a pointer to their MPI_Comm, and the number of the first vertex
  /// of each process, followed by the number of vertices. Arrays by vertex then have this process's vertices,
  /// all others are equal on all processes; `neighbour` has numbers among all vertices, and sums are over
  /// all. Null: a process on its own.
  const void* communicator = nullptr;
  std::span<const std::int32_t> first_of_process;

  Flavour flavour = Flavour::standard;
  std::uint32_t seed = 0;
};

/// Writes the part of each vertex. Returns nullptr, or an error in the words of the library. The same request
/// gives the same parts. May be called from any thread, one at a time.
using PartitionFunction = const char* (*)(const PartitionRequest& request, std::span<std::int32_t> part);

}  // namespace skein::lb

// The function that a module exports; its number changes with PartitionRequest.
#define SKEIN_LB_PARTITION skein_lb_partition_4
extern "C" __attribute__((visibility("default"))) const char* SKEIN_LB_PARTITION(
    const skein::lb::PartitionRequest& request, std::span<std::int32_t> part);
