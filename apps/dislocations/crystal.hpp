// SPDX-License-Identifier: Apache-2.0
// All nodes in one domain: for tests, and for loads without a parallel program.
#pragma once

#include "domain.hpp"

namespace dislocations {

class Crystal {
 public:
  explicit Crystal(const Parameters& parameters);
  Crystal(const Parameters& parameters, std::span<const Node> nodes);

  /// Computes the forces on all nodes, at the present places.
  void attract();
  /// Does the rest of a time step: the forces change and move the nodes.
  void advance();
  void step() {
    attract();
    advance();
  }

  const std::map<NodeId, Node>& nodes() const { return domain_.nodes(); }

 private:
  void read(const Outbox<Notice>& notices);

  Parameters parameters_;
  Domain domain_;
  Surroundings near_;
  int step_ = 0;
};

}  // namespace dislocations
