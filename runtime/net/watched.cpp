// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/watched.hpp"
#include "runtime/base/pe_runtime.hpp"

namespace skein::net {
namespace {

PerRuntime<Watched*> watched;

}  // namespace

void watch(Watched& what) {
  what.next = *watched;
  *watched = &what;
}

bool poll_watched() {
  bool any = false;
  for (Watched** link = &*watched; *link;) {
    Watched& each = **link;
    if (!each.has_happened(each)) {
      link = &each.next;
      continue;
    }
    *link = each.next;
    each.then(each);
    any = true;
  }
  return any;
}

bool any_watched_happened() {
  for (Watched* each = *watched; each; each = each->next)
    if (each->has_happened(*each)) return true;
  return false;
}

}  // namespace skein::net
