// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/roles.hpp"

#include "runtime/balance/pe_topology.hpp"
#include "runtime/base/pe_runtime.hpp"

namespace skein::balance {
namespace {
struct Roles {
  int reserved = 0;
  int at_start = 0;
};
PerRuntime<Roles> roles;
}  // namespace

void reserve_pes(int count) {
  roles->reserved = roles->at_start = count;
  net::count_apart(computing_pes());
}
void reserve_instead(int count) {
  roles->reserved = count;
  gather_topology_anew();
}
int computing_pes() { return net::world.pes - roles->reserved; }
int measured_pes() { return net::world.pes - roles->at_start; }

}  // namespace skein::balance
