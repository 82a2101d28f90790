// SPDX-License-Identifier: Apache-2.0
// Two objects of load 1 on PE 0 of two, from a file: greedy must put one on each.
#include <skein/lb/load_file.hpp>
#include <skein/lb/strategy.hpp>

int main() {
  skein::lb::Snapshot snapshot;
  snapshot.pes = skein::lb::uniform_pes(2);
  snapshot.add_object({.id = 0, .load = 1});
  snapshot.add_object({.id = 1, .load = 1});
  const std::string name = "consumer.json.zst";
  skein::lb::LoadWriter(name).write(0, snapshot);
  const skein::lb::LoadData data = skein::lb::read_load_data({&name, 1});
  const skein::lb::Assignment to = skein::lb::parse_strategy("greedy").assign(data.phases[0].snapshot, 1);
  return to.size() == 2 && to[0] != to[1] ? 0 : 1;
}
