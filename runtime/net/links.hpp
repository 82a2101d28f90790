// SPDX-License-Identifier: Apache-2.0
// One TCP connection between PE 0 and every PE on another node, beside those of the MPI underneath. They
// exist because the kernel can watch them (node_watch.hpp), which no MPI lets us ask for. All that is sent on
// them is a PE's last word.
#pragma once

#include <vector>

namespace skein::net {

struct Link {
  int descriptor;
  int pe;       ///< at the other end
  int process;  ///< its number there
};

/// Collective over all PEs, once. Returns the links of this PE: on PE 0 one for each PE of other nodes, on
/// those the one to PE 0, elsewhere none. Where PE 0 cannot be reached at any of its addresses (each gets a
/// second), the link is missing at both ends.
std::vector<Link> connect_links();

}  // namespace skein::net
