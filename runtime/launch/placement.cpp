// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/placement.hpp"

#include <charconv>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <string>

#include "runtime/base/error.hpp"

namespace skein::launch {
namespace {

constexpr int longest_number = 16;

std::vector<int> read_map(const RunOptions& run) {
  std::ifstream file(run.map_file);
  const std::string name = named_by(run, "--map");
  if (!file) throw Error(format("%s: the file %s cannot be read", name.c_str(), run.map_file.c_str()));
  std::vector<int> pe_of;
  // Some files have no end, and no blanks either.
  for (std::string word; std::ssize(pe_of) <= run.ranks && file >> std::setw(longest_number) >> word;) {
    int pe = -1;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, pe);
    if (error != std::errc() || stop != end || pe < 0 || pe >= run.pes)
      throw Error(format("%s: %s sends rank %zu to PE '%s', but there are PEs 0 to %d (-p)", name.c_str(),
                         run.map_file.c_str(), pe_of.size(), word.c_str(), run.pes - 1));
    if (pe >= run.computing_pes())
      throw Error(
          format("%s: %s sends rank %zu to PE %d, which only decides: ranks can be on PEs 0 to %d "
                 "(--lb-mode)",
                 name.c_str(), run.map_file.c_str(), pe_of.size(), pe, run.computing_pes() - 1));
    pe_of.push_back(pe);
  }
  if (std::ssize(pe_of) != run.ranks)
    throw Error(
        format("%s: %s has %s%zu PE numbers, but there are %d ranks (-n): one number a rank, separated by "
               "blanks or line ends",
               name.c_str(), run.map_file.c_str(), std::ssize(pe_of) > run.ranks ? "at least " : "",
               pe_of.size(), run.ranks));
  return pe_of;
}

}  // namespace

std::vector<int> initial_placement(const RunOptions& run) {
  if (run.map == Map::file) return read_map(run);
  std::vector<int> pe_of(static_cast<std::size_t>(run.ranks));
  for (int rank = 0; rank < run.ranks; ++rank) {
    // Blocks differ by one rank at most, the larger ones first.
    const int pes = run.computing_pes();
    const auto block = static_cast<long>(rank) * pes / run.ranks;
    pe_of[static_cast<std::size_t>(rank)] = run.map == Map::block ? static_cast<int>(block) : rank % pes;
  }
  return pe_of;
}

}  // namespace skein::launch
