// SPDX-License-Identifier: Apache-2.0
// Two objects of load 1 on PE 0 of two, from a file: every strategy must put one on each PE, including
// strategies whose libraries are found at run time, if the build had them.
#include <skein/lb/load_file.hpp>
#include <skein/lb/strategy.hpp>

#include <cstdio>

int main() {
  skein::lb::Snapshot snapshot;
  snapshot.pes = skein::lb::uniform_pes(2);
  snapshot.add_object({.id = 0, .load = 1});
  snapshot.add_object({.id = 1, .load = 1});
  const std::string file = "consumer.json.zst";
  skein::lb::LoadWriter(file).write(0, snapshot);
  skein::lb::Snapshot read = skein::lb::read_load_data({&file, 1}).phases[0].snapshot;
  read.graph = skein::lb::make_comm_graph(2, {});
  for (const char* name : {"greedy", "scotch", "metis"}) {
    try {
      const skein::lb::Assignment to = skein::lb::parse_strategy(name).assign(read, 1);
      if (to.size() != 2 || to[0] == to[1]) return 1;
    } catch (const skein::lb::StrategyError& error) {
      // The text tells a module that was not built from a module that is not found.
      std::printf("%s\n", error.what());
      if (std::string_view(error.what()).find("which this build lacks") == std::string_view::npos) return 1;
    }
  }
  return 0;
}
