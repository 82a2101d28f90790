// SPDX-License-Identifier: Apache-2.0
#include "cluster.hpp"

#include <optional>
#include <span>

namespace samr {
namespace {

Box hull(std::span<const Cell> cells) {
  Box box{cells[0], cells[0]};
  for (const Cell& cell : cells)
    for (std::size_t a = 0; a < axes; ++a) {
      box.first[a] = std::min(box.first[a], cell[a]);
      box.end[a] = std::max(box.end[a], cell[a] + 1);
    }
  return box;
}

/// Returns the number of flagged cells in each plane across the axis.
std::vector<int> signature(std::span<const Cell> cells, const Box& box, std::size_t axis) {
  std::vector<int> counts(static_cast<std::size_t>(box.length(static_cast<int>(axis))));
  for (const Cell& cell : cells) ++counts[static_cast<std::size_t>(cell[axis] - box.first[axis])];
  return counts;
}

struct Cut {
  std::size_t axis = 0;
  int place = 0;  ///< planes below the cut
  int worth = 0;  ///< compares cuts of one kind
};

/// The best of the cuts that leave enough on both sides; of equally good cuts the one nearest to the middle.
class Best {
 public:
  explicit Best(int least) : least_(least) {}

  void offer(const Cut& cut, int length) {
    if (cut.place < least_ || length - cut.place < least_) return;
    const int off = std::abs(2 * cut.place - length);
    if (found_ && (cut.worth < found_->worth || (cut.worth == found_->worth && off >= off_))) return;
    found_ = cut;
    off_ = off;
  }
  const std::optional<Cut>& found() const { return found_; }

 private:
  int least_;
  std::optional<Cut> found_;
  int off_ = 0;
};

std::optional<Cut> choose_cut(std::span<const Cell> cells, const Box& box, int least) {
  Best hole(least), bend(least), middle(least);
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const std::vector<int> counts = signature(cells, box, axis);
    const int length = static_cast<int>(counts.size());
    const auto at = [&](int i) { return counts[static_cast<std::size_t>(i)]; };
    const auto second = [&](int i) { return at(i - 1) - 2 * at(i) + at(i + 1); };
    for (int i = 1; i < length; ++i)
      if (at(i) == 0 || at(i - 1) == 0) hole.offer({axis, i, length}, length);
    for (int i = 2; i + 1 < length; ++i)
      if (second(i - 1) * second(i) < 0) bend.offer({axis, i, std::abs(second(i) - second(i - 1))}, length);
    middle.offer({axis, length / 2, length}, length);
  }
  return hole.found() ? hole.found() : bend.found() ? bend.found() : middle.found();
}

void cluster(std::span<Cell> cells, const Clustering& how, Boxes& found) {
  const Box box = hull(cells);
  const bool small = box.length(box.longest_axis()) <= how.greatest;
  std::optional<Cut> cut;
  if (static_cast<double>(cells.size()) < how.efficiency * static_cast<double>(box.cells()))
    cut = choose_cut(cells, box, how.least);
  if (!cut && !small)
    cut = Cut{static_cast<std::size_t>(box.longest_axis()), box.length(box.longest_axis()) / 2, 0};
  if (!cut) return found.push_back(box);
  const std::int32_t place = box.first[cut->axis] + cut->place;
  const auto above =
      std::partition(cells.begin(), cells.end(), [&](const Cell& c) { return c[cut->axis] < place; });
  const auto below = static_cast<std::size_t>(above - cells.begin());
  cluster(cells.first(below), how, found);
  cluster(cells.subspan(below), how, found);
}

}  // namespace

Boxes clustered(std::vector<Cell> flagged, const Clustering& how) {
  Boxes found;
  if (!flagged.empty()) cluster(flagged, how, found);
  std::ranges::sort(found);
  return found;
}

}  // namespace samr
