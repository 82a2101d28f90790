// SPDX-License-Identifier: Apache-2.0
// Graphs of elements: vertices that compute, edges along which they send messages. Made by a formula, so that
// all processes have equal ones, or read from a file.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace graph {

using Vertex = std::uint32_t;
using Point = std::array<float, 3>;

struct Graph {
  std::vector<std::uint64_t> first;  // neighbours of v: to[first[v]] up to to[first[v + 1]]; each edge twice
  std::vector<Vertex> to;            // ascending for each vertex
  std::vector<Point> position;       // empty: unknown
  std::vector<double> weight;        // empty: unknown

  std::size_t size() const { return first.size() - 1; }
  std::span<const Vertex> neighbours(Vertex v) const {
    return std::span(to).subspan(first[v], first[v + 1] - first[v]);
  }
};

/// Makes a mesh in a cube of side 1 whose points are moved at random by up to 0.3 of their distance: as many
/// vertices, at most `vertices`, as fit into the block that is nearest to a cube (a square).
///   mesh2d: triangles, 6 neighbours; mesh3d: hexahedra, 6; tetra: tetrahedra, 14
Graph make_mesh(const std::string& kind, std::size_t vertices, std::uint64_t seed);
inline constexpr const char* mesh_kinds[] = {"mesh2d", "mesh3d", "tetra"};

/// An error in a file: its name and line, and what to do.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads a graph in the format of METIS and Chaco: a line with the numbers of vertices and edges and the
/// format, then for each vertex a line with its neighbours from 1 on, its weight and theirs as the format
/// says. % begins a comment.
Graph read_graph(const std::string& path);
/// Reads a line with two or three coordinates for each of `vertices` vertices.
std::vector<Point> read_positions(const std::string& path, std::size_t vertices);

}  // namespace graph
