// SPDX-License-Identifier: Apache-2.0
// Aggregated calls: each arrives once, at elements that stay, move, end and do not exist yet; quiescence
// waits for calls that are still in a buffer; flush_aggregated() does not wait for their delivery.
#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 40, calls = 3000, late = 10;

struct Pair {
  int number;
  double value;
};

class Counter : public skein::Chare<Counter, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& count_& numbers_& values_;
  }

  /// Each element sends the same number of numbered calls to each element.
  void start() {
    for (int i = 0; i < calls; ++i)
      skein::aggregate<&Counter::add>(array()[(index()[0] + i) % elements], Pair{i, 0.5 * i}, 1);
  }
  void add(Pair pair, int one) {
    count_ += one;
    numbers_ += pair.number;
    values_ += pair.value;
    if (count_ % 500 == 250) migrate_to((skein::this_pe() + 1) % skein::pe_count());
    if (count_ == calls) at_sync();
  }
  /// Element e gets from element s the numbers i with (s + i) % elements == e: all together each number once.
  void resume_from_sync() {
    EXPECT_EQUAL(count_, calls);
    EXPECT_EQUAL(numbers_, long{calls} * (calls - 1) / 2);
    EXPECT_EQUAL(values_, 0.5 * calls * (calls - 1) / 2);
    contribute(skein::to_function<void>([] { next(); }));
  }
  static void next();

 private:
  int count_ = 0;
  long numbers_ = 0;
  double values_ = 0;
};

/// These elements are called before they exist; each ends itself with its last call.
class Late : public skein::Chare<Late, skein::Index1> {
 public:
  explicit Late(int = 0) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& left_;
  }
  void take(int number);

 private:
  int left_ = 3;
};

int ended = 0;
skein::Array<Late> lates;

void Late::take(int number) {
  EXPECT_EQUAL(number, 10 * index()[0]);
  if (--left_ > 0) return;
  destroy();
  skein::to_function<int>([](int) { ++ended; })(1);
}

void Counter::next() {
  lates = skein::Job().sparse_array<Late>();
  for (int round = 0; round < 3; ++round)
    for (int i = 0; i < late; ++i) skein::aggregate<&Late::take>(lates[i], 10 * i);
  skein::flush_aggregated();
  for (int i = 0; i < late; ++i) lates[i].insert(1);
  skein::Job().at_quiescence(skein::to_function<void>([] {
    EXPECT_EQUAL(ended, late);
    native_test::passed();
  }));
}

}  // namespace

int main(int argc, char** argv) {
  ended = 0;
  return skein::run(argc, argv,
                    [](skein::Job& job) { job.array<Counter>(elements).broadcast<&Counter::start>(); });
}
