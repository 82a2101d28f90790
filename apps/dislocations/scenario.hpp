// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "node.hpp"
#include "parameters.hpp"

namespace dislocations {

/// Returns the nodes at the start, all of owner 0:
///   sources      Frank-Read sources: straight lines between pinned ends, on all systems, in all directions,
///                of half to three halves of `length`, gathered at six places
///   frank_read   one source, in the middle of the box, on the first system
std::vector<Node> initial_nodes(const Parameters& parameters);

}  // namespace dislocations
