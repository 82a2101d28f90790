// SPDX-License-Identifier: Apache-2.0
// moldyn: molecular dynamics of Lennard-Jones atoms. See README.md.
#include "cell.hpp"
#include "director.hpp"

using namespace moldyn;

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    CommandLine line;
    if (const std::optional<int> status = read(job.arguments(), line)) return skein::exit(*status);
    const auto director = job.array<Director>(1, line.parameters, line.write);
    const auto pairs = job.sparse_array<Pair>();
    const auto cells = job.array<Cell>(line.parameters.grid.cells, line.parameters, pairs, director);
    const auto posts = job.group<Post>(line.parameters, pairs, cells);
    director[0].send<&Director::run>(cells, posts);
  });
}
