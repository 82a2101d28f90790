// SPDX-License-Identifier: Apache-2.0
// This node, as hwloc sees it.
#pragma once

#include <string>

namespace skein::launch {

/// Returns the number of cores of this node that this process may run on (affinity and cgroup applied); at
/// least 1.
int available_cores();

enum class Bound {
  yes,
  too_few_cores,  ///< fewer cores than PEs are available to this process: left unbound. Also the answer when
                  ///< the launcher has already bound the PEs one to a core.
  refused         ///< the system does not let this process be bound
};

/// Binds this process, with all threads it creates later, to one core: the `local_rank`-th of those it may
/// run on. `local_size` PEs share the node; those whose cores are as many or more get one each. Call it on
/// the main thread before memory is touched, so that pages land near the core.
Bound bind_to_core(int local_rank, int local_size);

/// Returns a text like "1 package, 1 NUMA node, 2 cores, 4 hardware threads, L3 16 MiB x 1, L2 ..., 8.0 GiB".
std::string describe_topology();

}  // namespace skein::launch
