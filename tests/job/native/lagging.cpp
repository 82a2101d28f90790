// SPDX-License-Identifier: Apache-2.0
// An element that has computed for long moves to a PE where thousands of broadcasts to its array have run
// meanwhile: it has had none of them, and gets all, each once and in order.
#include <chrono>

#include "tests/job/native/check.hpp"

namespace {

constexpr int broadcasts = 5000, elements = 3;

class Cell : public skein::Chare<Cell, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& heard_;
  }
  void compute(double seconds) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    while (Clock::now() < end) {
    }
    migrate_to(0);
  }
  void hear(int number) { EXPECT_EQUAL(number, heard_++); }
  void count() {
    contribute(heard_, skein::sum, skein::to_function<int>([](int sum) {
                 EXPECT_EQUAL(sum, broadcasts * elements);
                 native_test::passed();
               }));
  }

 private:
  int heard_ = 0;
};

skein::Array<Cell> cells;

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    cells = job.array<Cell>(elements);
    cells[elements - 1].send<&Cell::compute>(0.5);
    for (int i = 0; i < broadcasts; ++i) cells.broadcast<&Cell::hear>(i);
    job.at_quiescence(skein::to_function<void>([] { cells.broadcast<&Cell::count>(); }));
  });
}
