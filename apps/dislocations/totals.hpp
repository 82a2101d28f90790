// SPDX-License-Identifier: Apache-2.0
// Sums over all nodes, and the report of them. The sums are exact, so they do not depend on the owners of the
// nodes.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "apps/common/fixed_sum.hpp"
#include "node.hpp"
#include "parameters.hpp"

namespace dislocations {

/// A plain struct.
struct Totals {
  std::uint64_t nodes = 0, segments = 0;
  std::uint64_t evaluations = 0;  ///< of stresses, in the last step
  apps::FixedSum line;            ///< its length
  /// Equal if and only if (but for chance) each node has bitwise equal place and equal links.
  std::uint64_t fingerprint = 0;

  Totals& operator+=(const Totals& other);
};

Totals totals_of(const Box& box, const std::map<NodeId, Node>& nodes);

/// Prints the lines of a run.
class Report {
 public:
  explicit Report(const Parameters& parameters) : parameters_(parameters) {}

  void begin();
  void interval(int step, const Totals& totals);
  void end(const Totals& totals) const;

 private:
  using Clock = std::chrono::steady_clock;
  double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

  Parameters parameters_;
  Clock::time_point started_;
  double reported_at_ = 0;  // seconds since the start
  int reported_step_ = 0;
};

/// Writes a line for each segment, in the order of nodes: both ids, both places, the system. Throws
/// std::runtime_error.
void write_segments(const std::string& path, const Box& box, std::vector<Node> nodes);

}  // namespace dislocations
