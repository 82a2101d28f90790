// SPDX-License-Identifier: Apache-2.0
#include "partition.hpp"

#include <algorithm>
#include <numeric>

namespace barneshut {
namespace {

using apps::Vec3;

class Bisection {
 public:
  Bisection(std::span<const Vec3> places, std::span<const std::uint64_t> work)
      : places_(places), work_(work), process_(places.size()) {}

  void divide(std::span<std::size_t> pieces, int first_process, int processes) {
    if (processes == 1) {
      for (const std::size_t piece : pieces) process_[piece] = first_process;
      return;
    }
    const int axis = longest_axis(pieces);
    std::ranges::sort(pieces, [&](std::size_t a, std::size_t b) {
      const double at_a = places_[a][axis], at_b = places_[b][axis];
      return at_a != at_b ? at_a < at_b : a < b;
    });
    const int left = processes / 2;
    const double share = total(pieces) * left / processes;
    double sum = 0;
    std::size_t count = 0;  // a piece goes to the side that has its middle
    while (count < pieces.size() && sum + 0.5 * work(pieces[count]) < share) sum += work(pieces[count++]);
    divide(pieces.first(count), first_process, left);
    divide(pieces.subspan(count), first_process + left, processes - left);
  }
  std::vector<int> result() && { return std::move(process_); }

 private:
  double work(std::size_t piece) const { return static_cast<double>(work_[piece]); }
  double total(std::span<const std::size_t> pieces) const {
    double sum = 0;
    for (const std::size_t piece : pieces) sum += work(piece);
    return sum;
  }
  int longest_axis(std::span<const std::size_t> pieces) const {
    int longest = 0;
    double length = -1;
    for (int axis = 0; axis < 3 && !pieces.empty(); ++axis) {
      const auto [least, greatest] =
          std::ranges::minmax(pieces, {}, [&](std::size_t piece) { return places_[piece][axis]; });
      if (places_[greatest][axis] - places_[least][axis] <= length) continue;
      length = places_[greatest][axis] - places_[least][axis];
      longest = axis;
    }
    return longest;
  }

  std::span<const Vec3> places_;
  std::span<const std::uint64_t> work_;
  std::vector<int> process_;
};

}  // namespace

std::vector<int> costzones(std::span<const std::uint64_t> work, int processes) {
  const auto total = static_cast<double>(
      std::max(std::accumulate(work.begin(), work.end(), std::uint64_t{0}), std::uint64_t{1}));
  std::vector<int> process(work.size());
  double before = 0;
  for (std::size_t k = 0; k < work.size(); ++k) {
    const double middle = before + 0.5 * static_cast<double>(work[k]);
    process[k] = std::min(static_cast<int>(middle / total * processes), processes - 1);
    before += static_cast<double>(work[k]);
  }
  return process;
}

std::vector<int> orb(std::span<const Vec3> places, std::span<const std::uint64_t> work, int processes) {
  std::vector<std::size_t> pieces(places.size());
  std::iota(pieces.begin(), pieces.end(), std::size_t{0});
  Bisection bisection(places, work);
  bisection.divide(pieces, 0, processes);
  return std::move(bisection).result();
}

}  // namespace barneshut
