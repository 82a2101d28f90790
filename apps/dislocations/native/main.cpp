// SPDX-License-Identifier: Apache-2.0
// dislocations_native: dislocations as a native program of Skein. See ../README.md.
#include "apps/dislocations/scenario.hpp"
#include "cell.hpp"
#include "options.hpp"

using namespace dislocations;

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    NativeCommandLine line;
    if (const std::optional<int> status = read(job.arguments(), line)) return skein::exit(*status);
    const Box& box = line.parameters.box;
    // No cell has the nodes yet.
    Domain all(line.parameters, -1);
    all.take(initial_nodes(line.parameters));
    Outbox<Node> nodes = all.settle([&](const Vec3& x) { return box.cell_of(x); });
    const auto director = job.array<Director>(1, line.parameters, line.write);
    const auto cells = job.array<Cell>(box.cell_count(), line.parameters, line.sync, director);
    director[0].send<&Director::begin>(cells);
    for (std::int32_t cell = 0; cell < box.cell_count(); ++cell) cells[cell].send<&Cell::begin>(nodes[cell]);
  });
}
