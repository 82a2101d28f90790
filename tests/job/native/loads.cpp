// SPDX-License-Identifier: Apache-2.0
// Loads that elements declare take precedence over measured ones. They declare 6, 1, 1, 1, 1, 1, 1, 0 and
// take nearly no time. Greedy gives the heaviest to the PE with the least: the 6 has a PE for itself, and the
// others have 6 on one PE (2 in all), 3 and 3 on two (3 in all).
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "tests/job/native/check.hpp"

namespace {

using Share = std::pair<int, double>;  // PE, load

class Heavy : public skein::Chare<Heavy, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar&, unsigned) {}

  double load() const { return index()[0] == 0 ? 6 : index()[0] == 7 ? 0 : 1; }

  void start() { at_sync(); }
  void resume_from_sync() {
    contribute(std::vector<Share>{{skein::this_pe(), load()}}, skein::concat,
               skein::to<&Heavy::check>(array()[0]));
  }
  void check(const std::vector<Share>& shares) {
    std::vector<double> sum(static_cast<std::size_t>(skein::pe_count()));
    for (const auto& [pe, load] : shares) sum[static_cast<std::size_t>(pe)] += load;
    std::ranges::sort(sum, std::greater());
    std::vector<double> expected;
    switch (skein::pe_count()) {
      case 1:
        expected = {12};
        break;
      case 2:
        expected = {6, 6};
        break;
      default:
        expected = {6, 3, 3};
    }
    EXPECT(sum == expected);
    native_test::passed();
  }
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) { job.array<Heavy>(8).broadcast<&Heavy::start>(); });
}
