// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/placement.hpp"

#include <charconv>
#include <fstream>
#include <iterator>
#include <string>

#include "runtime/base/error.hpp"

namespace skein::launch {
namespace {

std::vector<int> read_map(const RunOptions& run) {
  std::ifstream file(run.map_file);
  if (!file) throw Error(format("--map: the file %s cannot be read", run.map_file.c_str()));
  std::vector<int> pe_of;
  for (std::string word; file >> word;) {
    int pe = -1;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, pe);
    if (error != std::errc() || stop != end || pe < 0 || pe >= run.pes)
      throw Error(format("--map: %s sends rank %zu to PE '%s', but there are PEs 0 to %d (-p)",
                         run.map_file.c_str(), pe_of.size(), word.c_str(), run.pes - 1));
    pe_of.push_back(pe);
  }
  if (std::ssize(pe_of) != run.ranks)
    throw Error(format(
        "--map: %s has %zu PE numbers, but there are %d ranks (-n): one number a rank, separated by blanks "
        "or line ends",
        run.map_file.c_str(), pe_of.size(), run.ranks));
  return pe_of;
}

}  // namespace

std::vector<int> initial_placement(const RunOptions& run) {
  if (run.map == Map::file) return read_map(run);
  std::vector<int> pe_of(static_cast<std::size_t>(run.ranks));
  for (int rank = 0; rank < run.ranks; ++rank) {
    // Blocks differ by one rank at most, the larger ones first.
    const auto block = static_cast<long>(rank) * run.pes / run.ranks;
    pe_of[static_cast<std::size_t>(rank)] = run.map == Map::block ? static_cast<int>(block) : rank % run.pes;
  }
  return pe_of;
}

}  // namespace skein::launch
