// SPDX-License-Identifier: Apache-2.0
// One TCP connection between PE 0 and every PE on another node, beside those of the MPI underneath. The
// kernel can watch them (node_watch.hpp), which no MPI offers for its own. They carry nothing but a PE's last
// word.
#pragma once

#include <vector>

namespace skein::net {

struct Link {
  int descriptor;
  int pe;       ///< the PE at the other end
  int process;  ///< the process number of that PE on its node
};

/// Makes the connections. Collective over all PEs, once. Returns the links of this PE: on PE 0 one for each
/// PE of other nodes, on those the one to PE 0, elsewhere none. Where PE 0 cannot be reached at any of its
/// addresses (each gets a second), the link is missing at both ends.
std::vector<Link> connect_links();

}  // namespace skein::net
