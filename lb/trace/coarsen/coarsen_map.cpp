// SPDX-License-Identifier: Apache-2.0
// Assigns cells that the ranks do not divide evenly to the ranks of the fine and the coarse run.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include "skein/lb/coarsen.hpp"

namespace skein::trace {
namespace {

std::string text_of(std::span<const std::uint32_t> grid) {
  std::string text;
  for (const std::uint32_t size : grid) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

std::string divisors_of(std::uint32_t number) {
  std::string text;
  for (std::uint32_t k = 1; k <= number; ++k)
    if (number % k == 0) text += (text.empty() ? "" : ", ") + std::to_string(k);
  return text;
}

/// Checks that every coarse rank has work.
void check_all_used(const CoarseMap& map, const std::string& called) {
  std::vector<bool> used(map.count);
  for (const ObjectIndex coarse : map.coarse_of) used[coarse] = true;
  for (std::size_t k = 0; k < map.count; ++k)
    if (!used[k])
      throw TraceError(called + ": coarse rank " + std::to_string(k) +
                       " has no fine rank, but there is rank " + std::to_string(map.count - 1) +
                       "; number coarse ranks from 0 without gaps");
}

using Shares = std::vector<std::pair<ObjectIndex, double>>;

/// Returns where each place's part begins, and the end: as even as possible, the first parts one cell longer.
std::vector<std::uint64_t> begins_of(std::uint32_t cells, std::uint32_t places) {
  std::vector<std::uint64_t> begins{0};
  for (std::uint32_t place = 0; place < places; ++place)
    begins.push_back(begins.back() + cells / places + (place < cells % places));
  return begins;
}

/// Returns for each fine place of one dimension the coarse ones that have its cells.
std::vector<Shares> shares_along(std::uint32_t cells, std::uint32_t fine, std::uint32_t coarse) {
  const std::vector<std::uint64_t> from = begins_of(cells, fine), to = begins_of(cells, coarse);
  std::vector<Shares> shares(fine);
  ObjectIndex first = 0;  // the first that ends behind the beginning of the fine place
  for (std::uint32_t place = 0; place < fine; ++place) {
    while (to[first + 1] <= from[place]) ++first;
    for (ObjectIndex there = first; there < coarse && to[there] < from[place + 1]; ++there) {
      const std::uint64_t common =
          std::min(from[place + 1], to[there + 1]) - std::max(from[place], to[there]);
      shares[place].emplace_back(
          there, static_cast<double>(common) / static_cast<double>(from[place + 1] - from[place]));
    }
  }
  return shares;
}

/// Adds a dimension, which runs faster than the earlier ones.
std::vector<Shares> product(const std::vector<Shares>& before, const std::vector<Shares>& along,
                            std::uint32_t coarse) {
  std::vector<Shares> all;
  for (const Shares& outer : before)
    for (const Shares& inner : along) {
      Shares& shares = all.emplace_back();
      for (const auto& [block, part] : outer)
        for (const auto& [place, of_it] : inner) shares.emplace_back(block * coarse + place, part * of_it);
    }
  return all;
}

}  // namespace

CoarseMap map_grid(std::span<const std::uint32_t> fine, std::span<const std::uint32_t> coarse,
                   std::size_t objects) {
  std::size_t ranks = 1;
  for (const std::uint32_t size : fine) ranks *= size;
  if (ranks != objects)
    throw TraceError("the grid " + text_of(fine) + " has " + std::to_string(ranks) +
                     " ranks, but the trace has " + std::to_string(objects) +
                     "; name the grid of the recorded run");
  if (fine.size() != coarse.size())
    throw TraceError("the grid " + text_of(fine) + " has " + std::to_string(fine.size()) +
                     " dimensions, but " + text_of(coarse) + " has " + std::to_string(coarse.size()) +
                     "; give both the same number");
  for (std::size_t d = 0; d < fine.size(); ++d)
    if (coarse[d] == 0 || fine[d] % coarse[d] != 0)
      throw TraceError("the grid " + text_of(fine) + " cannot be cut into " + text_of(coarse) +
                       " blocks: " + std::to_string(fine[d]) + " does not divide by " +
                       std::to_string(coarse[d]) + "; it does by " + divisors_of(fine[d]));
  CoarseMap map{std::vector<ObjectIndex>(objects), 1};
  for (const std::uint32_t size : coarse) map.count *= size;
  for (std::size_t rank = 0; rank < objects; ++rank) {
    std::size_t rest = rank, below = 1, block = 0;
    for (std::size_t d = fine.size(); d-- > 0;) {
      block += below * (rest % fine[d] / (fine[d] / coarse[d]));
      below *= coarse[d];
      rest /= fine[d];
    }
    map.coarse_of[rank] = static_cast<ObjectIndex>(block);
  }
  return map;
}

namespace {

/// Calls visit(grid) for each grid with so many ranks whose grid[d] is a multiple of coarse[d].
template <class Visit>
void each_multiple(std::span<const std::uint32_t> coarse, std::size_t ranks, std::vector<std::uint32_t>& grid,
                   const Visit& visit) {
  const std::size_t d = grid.size();
  if (d == coarse.size()) {
    if (ranks == 1) visit(grid);
    return;
  }
  for (std::size_t size = coarse[d]; size <= ranks; size += coarse[d]) {
    if (ranks % size != 0) continue;
    grid.push_back(static_cast<std::uint32_t>(size));
    each_multiple(coarse, ranks / size, grid, visit);
    grid.pop_back();
  }
}

}  // namespace

std::vector<std::uint32_t> grid_between(std::span<const std::uint32_t> fine,
                                        std::span<const std::uint32_t> coarse, std::size_t ranks) {
  double fine_ranks = 1, coarse_ranks = 1;
  for (const std::uint32_t size : fine) fine_ranks *= size;
  for (const std::uint32_t size : coarse) coarse_ranks *= size;
  // The position between the coarse and the fine grid, in all and in each dimension.
  const double way =
      std::log(static_cast<double>(ranks) / coarse_ranks) / std::log(fine_ranks / coarse_ranks);
  std::vector<std::uint32_t> best, grid;
  double least = HUGE_VAL;
  each_multiple(coarse, ranks, grid, [&](const std::vector<std::uint32_t>& one) {
    double off = 0;
    for (std::size_t d = 0; d < one.size(); ++d)
      off += std::abs(std::log(static_cast<double>(one[d]) / coarse[d]) -
                      way * std::log(static_cast<double>(fine[d]) / coarse[d]));
    if (off >= least - 1e-9) return;
    least = off;
    best = one;
  });
  return best;
}

CoarseMap parse_map(const std::string& text, const std::string& called, std::size_t objects) {
  CoarseMap map{std::vector<ObjectIndex>(objects), 0};
  std::vector<bool> given(objects);
  std::istringstream lines(text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    const std::string here = called + ", line " + std::to_string(number);
    std::istringstream words(line.substr(0, line.find('#')));
    std::string fine_word, coarse_word, more;
    if (!(words >> fine_word)) continue;
    std::size_t fine = 0, coarse = 0;
    const auto parse = [](const std::string& word, std::size_t& value) {
      const char* const end = word.data() + word.size();
      const auto [at, error] = std::from_chars(word.data(), end, value);
      return error == std::errc() && at == end;
    };
    if (!(words >> coarse_word) || words >> more || !parse(fine_word, fine) || !parse(coarse_word, coarse))
      throw TraceError(here + ": '" + line + "' is not a fine and a coarse rank: two numbers");
    if (fine >= objects)
      throw TraceError(here + ": there is no rank " + fine_word + "; the trace has " +
                       std::to_string(objects));
    if (coarse >= objects)
      throw TraceError(here + ": coarse rank " + coarse_word + " is more than the " +
                       std::to_string(objects) + " ranks of the trace could fill");
    if (given[fine]) throw TraceError(here + ": rank " + fine_word + " is given twice");
    given[fine] = true;
    map.coarse_of[fine] = static_cast<ObjectIndex>(coarse);
    map.count = std::max(map.count, coarse + 1);
  }
  for (std::size_t rank = 0; rank < objects; ++rank)
    if (!given[rank])
      throw TraceError(called + ": rank " + std::to_string(rank) + " is missing; each of the " +
                       std::to_string(objects) + " ranks needs a line");
  check_all_used(map, called);
  return map;
}

CoarseMap read_map(const std::string& path, std::size_t objects) {
  std::ifstream file(path);
  std::stringstream text;
  if (!file || !(text << file.rdbuf()))
    throw TraceError(
        path + ": cannot be read, or is empty; it should have the fine and the coarse rank on each line");
  return parse_map(text.str(), path, objects);
}

CoarseMap map_cells(std::span<const std::uint32_t> fine, std::span<const std::uint32_t> coarse,
                    std::span<const std::uint32_t> cells, std::size_t objects) {
  CoarseMap map = map_grid(fine, coarse, objects);
  if (cells.empty()) return map;
  if (cells.size() != fine.size())
    throw TraceError("there are cells of " + std::to_string(cells.size()) + " dimensions, but ranks of " +
                     std::to_string(fine.size()) + "; name the cells in each dimension that is cut");
  map.shares = {{{0, 1.0}}};
  for (std::size_t d = 0; d < fine.size(); ++d) {
    if (cells[d] < fine[d])
      throw TraceError(std::to_string(cells[d]) + " cells cannot be cut for " + std::to_string(fine[d]) +
                       " ranks; name the cells of the program's grid in each dimension");
    map.shares = product(map.shares, shares_along(cells[d], fine[d], coarse[d]), coarse[d]);
  }
  return map;
}

}  // namespace skein::trace
