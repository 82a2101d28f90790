// SPDX-License-Identifier: Apache-2.0
// The elements of this process: their states, the messages for cut edges, and their moves.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "apps/graph/graph.hpp"

namespace graph {

class Elements {
 public:
  /// Starts with the vertices of this process. All processes know the whole graph and the owner of each
  /// vertex.
  Elements(MPI_Comm comm, const Graph& graph, std::vector<double> weights, std::vector<int> owner,
           std::uint64_t element_bytes, std::uint64_t message_bytes);

  const Graph& graph() const { return graph_; }
  std::span<const Vertex> own() const { return own_; }  // rising
  double weight(Vertex v) const { return weights_[v]; }
  std::span<const double> weights() const { return weights_; }
  std::span<const int> owner() const { return owner_; }
  std::uint64_t element_bytes() const { return element_bytes_; }
  std::uint64_t message_bytes() const { return message_bytes_; }

  /// Starts a message each way for each edge to another process.
  void start_messages();
  /// Waits for the messages, and computes each element's next state, from its own and those of its
  /// neighbours.
  void finish_messages();

  /// Moves own()[k] to process to[k]. Returns the number of elements that have left this process. Collective.
  std::uint64_t move(std::span<const int> to);

  /// Returns, on process 0, a number that depends on the graph and the number of steps alone. Throws
  /// std::logic_error if an element came without its bytes. Collective.
  std::uint64_t fingerprint() const;

 private:
  struct Edge {  // to a vertex of another process
    Vertex own, other;
    int process;
  };
  void find_cut();

  MPI_Comm comm_;
  int here_ = 0, processes_ = 1;
  const Graph& graph_;
  std::vector<double> weights_;
  std::vector<int> owner_;
  std::uint64_t element_bytes_, message_bytes_;
  std::vector<Vertex> own_;
  std::vector<std::uint64_t> state_;  // of own vertices, by vertex
  std::vector<std::uint8_t> bytes_;   // element_bytes of each own one, in their order

  std::vector<Edge> sends_, receives_;  // by process, then by the sending and the receiving vertex
  std::vector<std::uint8_t> out_, in_;
  std::vector<MPI_Request> requests_;
};

}  // namespace graph
