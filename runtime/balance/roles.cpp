// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/roles.hpp"

#include "runtime/balance/job_pes.hpp"
#include "runtime/balance/pe_topology.hpp"

namespace skein::balance {

PerRuntime<JobPes> job_pes;

void assign_roles(const lb::Mode& mode) {
  job_pes->reserved = job_pes->at_start = mode.reserved_pes();
  job_pes->deciding = mode.deciding_pes;
  net::count_apart(computing_pes());
}
void reserve_instead(int count) {
  job_pes->reserved = job_pes->deciding = count;
  gather_topology_anew();
}
int computing_pes() { return net::world.pes - job_pes->reserved; }
int deciding_pes() { return job_pes->deciding; }
int measured_pes() { return net::world.pes - job_pes->at_start; }

}  // namespace skein::balance
