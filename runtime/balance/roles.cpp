// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/roles.hpp"

#include "runtime/balance/pe_topology.hpp"
#include "runtime/base/pe_runtime.hpp"

namespace skein::balance {
namespace {
struct Roles {
  int reserved = 0;
  int at_start = 0;
  int deciding = 0;
};
PerRuntime<Roles> roles;
}  // namespace

void assign_roles(const lb::Mode& mode) {
  roles->reserved = roles->at_start = mode.reserved_pes();
  roles->deciding = mode.deciding_pes;
  net::count_apart(computing_pes());
}
void reserve_instead(int count) {
  roles->reserved = roles->deciding = count;
  gather_topology_anew();
}
int computing_pes() { return net::world.pes - roles->reserved; }
int deciding_pes() { return roles->deciding; }
int measured_pes() { return net::world.pes - roles->at_start; }

}  // namespace skein::balance
