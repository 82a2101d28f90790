// SPDX-License-Identifier: Apache-2.0
// samr: the Euler equations on levels of grids that follow the gas. See README.md.
#include "grid.hpp"

using namespace samr;

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    CommandLine line;
    if (const std::optional<int> status = read(job.arguments(), skein::node_count(), line))
      return skein::exit(*status);
    const auto director = job.array<Director>(1, line);
    const auto hierarchies = job.group<Hierarchies>(line.parameters);
    director[0].send<&Director::run>(job.sparse_array<Grid>(), hierarchies);
  });
}
