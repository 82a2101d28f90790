// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>

#include "graph.hpp"

namespace graph {
namespace {

/// The lines of a file, without comments, as numbers.
class Lines {
 public:
  explicit Lines(const std::string& path) : path_(path), file_(path) {
    if (!file_) throw FileError(path + " cannot be read: check the name and its permissions");
  }

  /// Reads the next line. Returns false at the end. Empty lines count.
  bool next() {
    while (std::getline(file_, text_)) {
      ++number_;
      if (!text_.empty() && text_.back() == '\r') text_.pop_back();
      at_ = 0;
      if (text_.empty() || text_[0] != '%') return true;
    }
    ++number_;
    return false;
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw FileError(path_ + ":" + std::to_string(number_) + ": " + why);
  }

  bool at_end() {
    at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size());
    return at_ == text_.size();
  }

  /// Returns the next word of the line as a number.
  template <class Number>
  Number number(const char* what) {
    if (at_end()) fail(std::string("the line ends where ") + what + " should be");
    const std::size_t end = std::min(text_.find_first_of(" \t", at_), text_.size());
    const std::string word = text_.substr(at_, end - at_);
    Number value{};
    const auto [last, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || last != word.data() + word.size())
      fail(std::string("'").append(word, 0, 40) + "' is not " + what +
           "; a graph file is one of METIS or Chaco: a line 'VERTICES EDGES [FORMAT]', then a line with the "
           "neighbours of each vertex, counted from 1");
    at_ = end;
    return value;
  }

 private:
  std::string path_;
  std::ifstream file_;
  std::string text_;
  std::size_t at_ = 0, number_ = 0;
};

struct Head {
  std::uint64_t vertices = 0, edges = 0;
  bool sizes = false, weights = false, edge_weights = false;
  std::uint64_t weights_each = 1;
};

Head read_head(Lines& lines) {
  do {
    if (!lines.next())
      lines.fail("the file has no line 'VERTICES EDGES [FORMAT]': it is empty, or no graph file");
  } while (lines.at_end());
  Head head;
  head.vertices = lines.number<std::uint64_t>("the number of vertices");
  head.edges = lines.number<std::uint64_t>("the number of edges");
  if (head.vertices == 0 || head.vertices > std::numeric_limits<Vertex>::max())
    lines.fail("a graph of " + std::to_string(head.vertices) +
               " vertices: there must be one at least, and below 2^32");
  if (lines.at_end()) return head;
  const auto format = lines.number<std::uint64_t>("a format: 1, 10, 11, 100 and so on");
  if (format > 111 || format % 10 > 1 || format / 10 % 10 > 1)
    lines.fail("format " + std::to_string(format) +
               " is none: its digits say, each 0 or 1, whether there are sizes of vertices, weights of "
               "vertices, weights of edges");
  head.edge_weights = format % 10;
  head.weights = format / 10 % 10;
  head.sizes = format / 100;
  if (!lines.at_end()) head.weights_each = lines.number<std::uint64_t>("the number of weights of a vertex");
  return head;
}

void read_vertex(Lines& lines, const Head& head, Vertex v, Graph& graph) {
  if (!lines.next())
    lines.fail("the file ends after " + std::to_string(v) + " of " + std::to_string(head.vertices) +
               " vertices: it was cut short, or its first line counts wrong");
  if (head.sizes) (void)lines.number<double>("the size of a vertex");
  for (std::uint64_t k = 0; head.weights && k < head.weights_each; ++k) {
    const auto weight = lines.number<double>("the weight of a vertex");
    if (!(weight >= 0) || !std::isfinite(weight)) lines.fail("a weight must be at least 0 and finite");
    if (k == 0) graph.weight.push_back(weight);
  }
  while (!lines.at_end()) {
    const auto neighbour = lines.number<std::uint64_t>("a neighbour");
    if (neighbour == 0 || neighbour > head.vertices)
      lines.fail("neighbour " + std::to_string(neighbour) + " of vertex " + std::to_string(v + 1) +
                 " does not exist: vertices are counted from 1 to " + std::to_string(head.vertices));
    if (neighbour == v + 1u)
      lines.fail("vertex " + std::to_string(neighbour) + " is its own neighbour: leave it out");
    graph.to.push_back(static_cast<Vertex>(neighbour - 1));
    if (head.edge_weights) (void)lines.number<double>("the weight of an edge");
  }
  std::ranges::sort(graph.to.begin() + static_cast<std::ptrdiff_t>(graph.first.back()), graph.to.end());
  graph.first.push_back(graph.to.size());
}

void check_edges(Lines& lines, const Head& head, const Graph& graph) {
  if (graph.to.size() != 2 * head.edges)
    lines.fail("the lines name " + std::to_string(graph.to.size()) + " neighbours, and the first one says " +
               std::to_string(head.edges) + " edges, which stand in the lines of both ends");
  for (Vertex v = 0; v < graph.size(); ++v)
    for (const Vertex u : graph.neighbours(v))
      if (!std::ranges::binary_search(graph.neighbours(u), v))
        lines.fail(
            "vertex " + std::to_string(v + 1) + " has " + std::to_string(u + 1) +
            " as a neighbour, but not the other way round: each edge is to stand in the lines of both ends");
}

}  // namespace

Graph read_graph(const std::string& path) {
  Lines lines(path);
  const Head head = read_head(lines);
  Graph graph{.first = {0}, .to = {}, .position = {}, .weight = {}};
  for (Vertex v = 0; v < head.vertices; ++v) read_vertex(lines, head, v, graph);
  check_edges(lines, head, graph);
  return graph;
}

std::vector<Point> read_positions(const std::string& path, std::size_t vertices) {
  Lines lines(path);
  std::vector<Point> positions;
  while (lines.next()) {
    if (lines.at_end()) continue;
    Point& point = positions.emplace_back();
    for (std::size_t d = 0; d < 3 && !(d == 2 && lines.at_end()); ++d)
      point[d] = lines.number<float>("a coordinate");
    if (!std::ranges::all_of(point, [](float x) { return std::isfinite(x); }))
      lines.fail("a coordinate must be finite");
  }
  if (positions.size() != vertices)
    lines.fail("the file has positions of " + std::to_string(positions.size()) +
               " vertices, and the graph has " + std::to_string(vertices) +
               ": take those of this graph, a line each");
  return positions;
}

}  // namespace graph
