// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/roles.hpp"

#include "runtime/base/pe_runtime.hpp"

namespace skein::balance {
namespace {
struct Roles {
  int reserved = 0;
};
PerRuntime<Roles> roles;
}  // namespace

void reserve_pes(int count) { roles->reserved = count; }
int computing_pes() { return net::world.pes - roles->reserved; }

}  // namespace skein::balance
