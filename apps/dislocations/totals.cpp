// SPDX-License-Identifier: Apache-2.0
#include "totals.hpp"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <utility>

#include "apps/common/mixed.hpp"

namespace dislocations {
namespace {

std::uint64_t fingerprint_of(const Node& node) {
  std::uint64_t hash = apps::mixed(apps::mixed(node.id) + node.next.id);
  for (int axis = 0; axis < 3; ++axis) hash = apps::mixed(hash + std::bit_cast<std::uint64_t>(node.x[axis]));
  return hash;
}

std::ostream& operator<<(std::ostream& out, const Vec3& v) { return out << v.x << ' ' << v.y << ' ' << v.z; }

}  // namespace

Totals& Totals::operator+=(const Totals& other) {
  nodes += other.nodes;
  segments += other.segments;
  evaluations += other.evaluations;
  line += other.line;
  fingerprint += other.fingerprint;
  return *this;
}

Totals totals_of(const Box& box, const std::map<NodeId, Node>& nodes) {
  Totals totals;
  for (const auto& [id, node] : nodes) {
    ++totals.nodes;
    totals.fingerprint += fingerprint_of(node);
    if (node.next.id == 0) continue;
    ++totals.segments;
    totals.evaluations += node.evaluations;
    totals.line += norm(box.nearest(node.next.x - node.x));
  }
  return totals;
}

void Report::begin() {
  std::printf("    step       time    nodes segments         line    evaluations   ms/step\n");
  started_ = Clock::now();
}

void Report::interval(int step, const Totals& totals) {
  std::printf("%8d %10.1f %8" PRIu64 " %8" PRIu64 " %12.1f %14" PRIu64, step, step * parameters_.time_step,
              totals.nodes, totals.segments, totals.line.value(), totals.evaluations);
  const int steps = step - std::exchange(reported_step_, step);
  const double now = seconds(), took = now - std::exchange(reported_at_, now);
  if (steps > 0) std::printf(" %9.3f", 1e3 * took / steps);
  std::printf("\n");
  std::fflush(stdout);
}

void Report::end(const Totals& totals) const {
  std::printf("fingerprint: %016" PRIx64 "\n", totals.fingerprint);
  std::printf("time loop: %.3f s\n", seconds());
}

void write_segments(const std::string& path, const Box& box, std::vector<Node> nodes) {
  std::ranges::sort(nodes, {}, &Node::id);
  std::ofstream out(path);
  out.precision(std::numeric_limits<double>::max_digits10);
  for (const Node& node : nodes)
    if (node.next.id != 0)
      out << node.id << ' ' << node.next.id << ' ' << node.x << ' '
          << node.x + box.nearest(node.next.x - node.x) << ' ' << node.system << '\n';
  out.close();
  if (!out) throw std::runtime_error("the segments cannot be written to " + path);
}

}  // namespace dislocations
