// SPDX-License-Identifier: Apache-2.0
// Elements that move by themselves while calls and broadcasts chase them: each call arrives exactly once,
// each broadcast exactly once and in order.
#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 12, calls = 200, broadcasts = 50;

class Hopper : public skein::Chare<Hopper, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& calls_& broadcasts_& sum_& hops_& ballast_;
  }

  // Some elements are larger than the longest active message, so that their state travels another way than
  // calls.
  Hopper() : ballast_(index()[0] % 3 == 0 ? 100'000 : 0, 1.5f) {}

  void start() {
    for (int i = 0; i < calls; ++i) array()[(index()[0] + i) % elements].send<&Hopper::call>(i);
  }
  void call(int number) {
    ++calls_;
    sum_ += number;
    if (number % 5 == 0) hop();
    done();
  }
  void tell(int number, std::string text) {
    EXPECT_EQUAL(number, broadcasts_);
    EXPECT_EQUAL(text, std::to_string(number));
    ++broadcasts_;
    if (number % 7 == 0) hop();
    done();
  }

 private:
  void hop() {
    ++hops_;
    migrate_to((skein::this_pe() + 1 + hops_ % 2) % skein::pe_count());
  }
  /// Each element gets one call of each number, or a few more or less where calls % elements is not 0: all
  /// elements together get each number `elements` times.
  void done() {
    if (index()[0] % 3 == 0) EXPECT_EQUAL(ballast_.size(), std::size_t{100'000});
    if (calls_ + broadcasts_ < calls + broadcasts) return;
    EXPECT_EQUAL(calls_, calls);
    contribute(sum_, skein::sum, skein::to_function<long>([](long sum) {
                 EXPECT_EQUAL(sum, long{elements} * calls * (calls - 1) / 2);
                 native_test::passed();
               }));
  }

  int calls_ = 0, broadcasts_ = 0, hops_ = 0;
  long sum_ = 0;
  std::vector<float> ballast_;
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto hoppers = job.array<Hopper>(elements);
    hoppers.broadcast<&Hopper::start>();
    for (int i = 0; i < broadcasts; ++i) hoppers.broadcast<&Hopper::tell>(i, std::to_string(i));
  });
}
