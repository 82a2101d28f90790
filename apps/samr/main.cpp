// SPDX-License-Identifier: Apache-2.0
// samr: the Euler equations on a mesh of blocks that adapts. See README.md.
#include "block.hpp"
#include "director.hpp"
#include "meshes.hpp"

using namespace samr;

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    CommandLine line;
    if (const std::optional<int> status = read(job.arguments(), line)) return skein::exit(*status);
    const auto director = job.array<Director>(1, line.parameters, line.write);
    const auto meshes = job.group<Meshes>(line.parameters.cells);
    const auto blocks = job.sparse_array<Block>();
    director[0].send<&Director::run>(blocks, meshes);
  });
}
