// SPDX-License-Identifier: Apache-2.0
// `bfs_bench [PARTS]`: breadth-first search in a random graph of 2^20 vertices with 16 edges out of each,
// level by level, with an aggregated call for each edge that leaves its part. Divides the graph among PARTS
// elements on each PE (1), and prints the time of the search over that of a serial one on one thread, of the
// fastest of several. The distances of both are compared.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <skein/skein.hpp>
#include <vector>

namespace {

constexpr int vertices = 1 << 20, degree = 16, searches = 7;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::uint64_t mix(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}
int neighbour(int vertex, int edge) {
  return static_cast<int>(mix(static_cast<std::uint64_t>(vertex) * degree + static_cast<unsigned>(edge)) %
                          vertices);
}
/// Returns the neighbours of each of `count` vertices from `first` on.
std::vector<int> edges_of(int first, int count) {
  std::vector<int> edges;
  edges.reserve(static_cast<std::size_t>(count) * degree);
  for (int v = first; v < first + count; ++v)
    for (int e = 0; e < degree; ++e) edges.push_back(neighbour(v, e));
  return edges;
}
/// Returns a mark of a vertex's distance, so that sums over all vertices tell searches apart.
std::uint64_t mark(int vertex, int distance) {
  return mix(static_cast<std::uint64_t>(vertex) << 32 | static_cast<unsigned>(distance));
}

std::uint64_t serial_marks = 0;

double serial_search() {
  const std::vector<int> edges = edges_of(0, vertices);
  double best = 1e9;
  std::vector<int> distance(vertices), frontier, next;
  for (int search = 0; search < searches; ++search) {
    const double started = now();
    std::fill(distance.begin(), distance.end(), -1);
    frontier.assign(1, 0);
    distance[0] = 0;
    for (int level = 0; !frontier.empty(); ++level) {
      next.clear();
      for (const int v : frontier) {
        const int* const to = &edges[static_cast<std::size_t>(v) * degree];
        for (int e = 0; e < degree; ++e) {
          int& d = distance[static_cast<std::size_t>(to[e])];
          if (d >= 0) continue;
          d = level + 1;
          next.push_back(to[e]);
        }
      }
      frontier.swap(next);
    }
    best = std::min(best, now() - started);
  }
  serial_marks = 0;
  for (int v = 0; v < vertices; ++v) serial_marks += mark(v, distance[static_cast<std::size_t>(v)]);
  return best;
}

struct Part : skein::Chare<Part, skein::Index1> {
  void make(skein::Array<Part> all, int count) {
    parts = all;
    // A power of two, so that finding a vertex's owner takes no division.
    const int size = static_cast<int>(std::bit_ceil(static_cast<unsigned>((vertices + count - 1) / count)));
    bits = std::countr_zero(static_cast<unsigned>(size));
    first = index()[0] * size;
    const int here = std::max(0, std::min(size, vertices - first));
    distance.resize(static_cast<std::size_t>(here));
    edges = edges_of(first, here);
    inner.resize(distance.size());
    for (std::size_t v = 0; v < inner.size(); ++v) {
      int* const to = &edges[v * degree];
      const int* const outer =
          std::partition(to, to + degree, [&](int e) { return e >= first && e < first + size; });
      inner[v] = static_cast<unsigned char>(outer - to);
    }
  }
  void begin() {
    std::fill(distance.begin(), distance.end(), -1);
    level = -1;
    if (first == 0) visit(0);
  }
  void visit(int vertex) {
    int& d = distance[static_cast<std::size_t>(vertex)];
    if (d >= 0) return;
    d = level + 1;
    next.push_back(vertex);
  }
  void expand() {
    ++level;
    frontier.swap(next);
    next.clear();
    for (const int v : frontier) {
      const int *to = &edges[static_cast<std::size_t>(v) * degree], *const end = to + degree;
      const int* const outer = to + inner[static_cast<std::size_t>(v)];
      for (; to < outer; ++to) visit(*to - first);
      away.insert(away.end(), outer, end);
      if (away.size() >= 1000) send_away();
    }
    send_away();
  }
  /// Has a loop of its own, to keep the loop above so short that its waits for edges overlap.
  void send_away() {
    const int mask = (1 << bits) - 1;
    for (const int to : away) skein::aggregate<&Part::visit>(parts[to >> bits], to & mask);
    away.clear();
  }
  void count();
  void sum();

  skein::Array<Part> parts;
  int bits = 0, first = 0, level = 0;
  std::vector<int> distance, frontier, next, away;
  std::vector<int> edges;            // a vertex's edges that stay in the part come first
  std::vector<unsigned char> inner;  // how many of these each vertex has
};

skein::Array<Part> all;
double serial = 0, started = 0, best = 1e9;
int search = 0;

void expand_all() {
  all.broadcast<&Part::expand>();
  skein::Job().at_quiescence(skein::to_function<void>([] { all.broadcast<&Part::count>(); }));
}
void begin_all() {
  started = now();
  all.broadcast<&Part::begin>();
  skein::Job().at_quiescence(skein::to_function<void>([] { expand_all(); }));
}
void Part::count() {
  contribute(static_cast<long>(next.size()), skein::sum, skein::to_function<long>([](long found) {
               if (found > 0) return expand_all();
               best = std::min(best, now() - started);
               if (++search < searches) return begin_all();
               all.broadcast<&Part::sum>();
             }));
}
void Part::sum() {
  std::uint64_t marks = 0;
  for (std::size_t v = 0; v < distance.size(); ++v) marks += mark(first + static_cast<int>(v), distance[v]);
  contribute(marks, skein::sum, skein::to_function<std::uint64_t>([](std::uint64_t marks_of_all) {
               if (marks_of_all != serial_marks) {
                 fprintf(stderr, "bfs_bench: the distances differ from those of the serial search\n");
                 return skein::exit(1);
               }
               fprintf(stderr, "serial %.1f ms, elements %.1f ms\n", serial * 1e3, best * 1e3);
               printf("%.2f\n", best / serial);
               skein::exit();
             }));
}

}  // namespace

int main(int argc, char** argv) {
  static int parts = 1;
  if (argc > 1 && argv[1][0] != '-') parts = std::max(1, atoi(argv[1]));
  return skein::run(argc, argv, [](skein::Job& job) {
    serial = serial_search();
    const int count = parts * job.pes();
    all = job.array<Part>(count);
    all.broadcast<&Part::make>(all, count);
    job.at_quiescence(skein::to_function<void>([] { begin_all(); }));
  });
}
