// SPDX-License-Identifier: Apache-2.0
// Two objects of load 1 on PE 0 of two: greedy must put one on each.
#include <skein/lb/strategy.hpp>

int main() {
  skein::lb::Snapshot snapshot;
  snapshot.pes = skein::lb::uniform_pes(2);
  snapshot.add_object({.id = 0, .load = 1});
  snapshot.add_object({.id = 1, .load = 1});
  const skein::lb::Assignment to = skein::lb::parse_strategy("greedy").assign(snapshot, 1);
  return to.size() == 2 && to[0] != to[1] ? 0 : 1;
}
