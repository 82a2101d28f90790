// SPDX-License-Identifier: Apache-2.0
// barneshut_native: barneshut as a native program of Skein. See ../README.md.
#include <cstdio>

#include "apps/barneshut/scenario.hpp"
#include "options.hpp"
#include "post.hpp"
#include "tree_piece.hpp"

using namespace barneshut;

namespace {

/// The cells of the pieces at the start.
skein::ReadOnly<std::vector<Octant>> first_cells;

struct ByVolume {
  int operator()(const skein::Index1& index, const skein::Index1&, int pes) const {
    return process_by_volume((*first_cells)[static_cast<std::size_t>(index[0])], pes);
  }
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    NativeCommandLine line;
    if (const std::optional<int> status = read(job.arguments(), line)) return skein::exit(*status);
    std::vector<Body> bodies;
    try {
      bodies = initial_bodies(line.parameters);
    } catch (const std::runtime_error& error) {
      std::fprintf(stderr, "barneshut: %s\n", error.what());
      return skein::exit(2);
    }
    const std::vector<Octant> cells = initial_pieces(line.parameters, bodies);
    first_cells.set(cells);
    const auto director = job.array<Director>(1, line.parameters, line.write);
    const auto pieces = job.array_placed<TreePiece>(ByVolume{}, static_cast<int>(cells.size()),
                                                    line.parameters, line.sync, director);
    const auto posts = job.group<Post>(line.parameters, cells, pieces);
    director[0].send<&Director::begin>(pieces);
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const auto mine = bodies_of(bodies, cells[k]);
      pieces[static_cast<int>(k)].send<&TreePiece::begin>(cells[k],
                                                          std::vector<Body>(mine.begin(), mine.end()), posts);
    }
  });
}
