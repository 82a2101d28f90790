// SPDX-License-Identifier: Apache-2.0
// Enough elements to lie side by side in memory of their own: they keep their state while others come, go and
// end, no two share memory, and the places of elements that have gone are taken again.
#include "tests/job/native/check.hpp"

namespace {

// On four PEs more than ElementBlock::least_bytes on each.
constexpr int elements = 24'000, rounds = 6;
constexpr std::size_t values = 120;

native_test::Moves moves_wanted = native_test::Moves::none;
bool ends(int i, int round) { return i % 7 == round; }
bool ends_by(int i, int round) { return i % 7 <= round; }

class Many : public skein::Chare<Many, skein::Index1> {
 public:
  explicit Many(int factor = 0) {
    for (std::size_t i = 0; i < values; ++i) data_[i] = value(factor, i);
    factor_ = factor;
  }
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& data_& factor_& round_& moves_;
  }
  void just_moved() { ++moves_; }

  void begin() { go_on(); }
  void resume_from_sync() { go_on(); }

 private:
  void go_on() {
    EXPECT_EQUAL(factor_, 3);
    for (std::size_t i = 0; i < values; ++i) EXPECT_EQUAL(data_[i], value(factor_, i));
    for (double& each : data_) each += round_;  // the memory belongs to this element alone
    for (std::size_t i = 0; i < values; ++i) EXPECT_EQUAL(data_[i], value(factor_, i) + round_);
    for (double& each : data_) each -= round_;
    const int round = round_++;
    if (round < rounds) {
      if (ends(index()[0], round)) return destroy();
      return at_sync();
    }
    contribute(std::tuple(1, static_cast<long>(index()[0]), moves_),
               skein::each(skein::sum, skein::sum, skein::sum),
               skein::to_function<std::tuple<int, long, int>>([](const std::tuple<int, long, int>& sums) {
                 int left = 0;
                 long indices = 0;
                 for (int i = 0; i < elements; ++i)
                   if (!ends_by(i, rounds - 1)) ++left, indices += i;
                 EXPECT_EQUAL(std::get<0>(sums), left);
                 EXPECT_EQUAL(std::get<1>(sums), indices);
                 EXPECT_MOVES(std::get<2>(sums), moves_wanted);
                 native_test::passed();
               }));
  }
  double value(int factor, std::size_t i) const { return factor * index()[0] + static_cast<double>(i) / 128; }

  double data_[values];
  int factor_ = 0, round_ = 0, moves_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  moves_wanted = native_test::moves_wanted(argc, argv);
  return skein::run(argc, argv,
                    [](skein::Job& job) { job.array<Many>(elements, 3).broadcast<&Many::begin>(); });
}
