// SPDX-License-Identifier: Apache-2.0
// Loops that PEs of a node share: each iteration runs once, on any PE; values are combined in the order of
// the iterations; an exception of a body reaches the caller; loops run in loops, in threads, and in several
// elements at once; and an idle PE takes part, unless PEs share no memory (--alone).
#include <cmath>

#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 6, steps = 4;
constexpr std::int64_t length = 3001;

native_test::Moves wanted;
bool alone = false;
skein::NodeTable<double> table;
skein::ReadOnly<int> factor;

double expected_sum(int element, int step) {
  // Adds as a loop in chunks of 100 does.
  double sum = 1.5;
  for (std::int64_t first = 0; first < length; first += 100) {
    double chunk = 0;
    for (std::int64_t i = first; i < std::min(first + 100, length); ++i)
      chunk = (i == first ? 0 : chunk) + std::sqrt(static_cast<double>(i + element)) * step;
    sum += chunk;
  }
  return sum;
}

std::string error_of(void (*loop)()) {
  try {
    loop();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

/// A body with a name that is called with many iterations at a time.
struct Fill {
  skein::NodeSpan<int> values;
  int with;
  void operator()(std::int64_t first, std::int64_t end) const {
    for (std::int64_t i = first; i < end; ++i) values[static_cast<std::size_t>(i)] += with;
  }
};

void check_bounds() {
  for (const std::int64_t grain : {std::int64_t{1}, std::int64_t{7}, std::int64_t{1000}, INT64_MAX}) {
    for (const auto& [first, last] :
         {std::pair<std::int64_t, std::int64_t>(0, 0), {5, 2}, {-40, 60}, {9, 10}}) {
      skein::NodeVector<int> counts(200);
      const auto span = counts.span();
      skein::parallel_for(first, last, grain,
                          [=](std::int64_t i) { ++span[static_cast<std::size_t>(i + 100)]; });
      for (int i = -100; i < 100; ++i)
        EXPECT_EQUAL(counts[static_cast<std::size_t>(i + 100)], first <= i && i < last);
    }
  }
  EXPECT_EQUAL(skein::parallel_reduce(
                   3, 3, 10, 7, [](std::int64_t) { return 1; }, skein::sum),
               7);
  EXPECT_EQUAL(
      skein::parallel_reduce(
          INT64_MAX - 5, INT64_MAX, 2, std::int64_t{0}, [](std::int64_t i) { return i; }, skein::greatest),
      INT64_MAX - 1);
}

void check_errors() {
  const std::string first = error_of([] {
    skein::parallel_for(0, 1000, 1, [](std::int64_t i) {
      if (i == 700) throw std::runtime_error("iteration 700");
    });
  });
  EXPECT(first.ends_with("iteration 700"));
  // All bodies throw: one of the exceptions arrives.
  const std::string any = error_of([] {
    skein::parallel_for(0, 100, 1, [](std::int64_t) { throw std::runtime_error(std::string(1000, 'x')); });
  });
  EXPECT(any.ends_with("xxxxx"));
}

class Worker : public skein::Chare<Worker, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& step_& moves_& counts_;
  }
  void just_moved() { ++moves_; }
  void resume_from_sync() {
    for (const int count : counts_) EXPECT_EQUAL(count, step_);
    if (step_ == steps) return contribute(moves_, skein::sum, skein::to<&Worker::rest>(array()));
    if (step_ == 0) counts_ = skein::NodeVector<int>(length);
    skein::parallel_for(0, length, 10, Fill{counts_.span(), 1});
    check_bounds();
    check_errors();
    const int element = index()[0], step = step_;
    const double sum = skein::parallel_reduce(
        0, length, 100, 1.5,
        [=](std::int64_t i) { return table[static_cast<std::size_t>(i + element)] * step * (*factor - 2); },
        skein::sum);
    EXPECT_EQUAL(sum, expected_sum(element, step));
    // A loop in a loop.
    const std::int64_t products = skein::parallel_reduce(
        0, 50, 1, std::int64_t{0},
        [](std::int64_t i) {
          return skein::parallel_reduce(
              0, 20, 3, std::int64_t{0}, [=](std::int64_t k) { return i * k; }, skein::sum);
        },
        skein::sum);
    EXPECT_EQUAL(products, 49 * 50 / 2 * 19 * 20 / 2);
    self().send<&Worker::in_thread>();
  }
  void in_thread() {
    EXPECT_EQUAL(skein::parallel_reduce(
                     0, 1000, 1, 0, [](std::int64_t) { return 1; }, skein::sum),
                 1000);
    ++step_;
    at_sync<&Worker::resume_from_sync>();
  }
  using Threaded = skein::Methods<&Worker::in_thread>;

  /// Only the first element works, until other PEs have helped.
  void rest(int moves) {
    EXPECT_MOVES(moves, wanted);
    if (index()[0] == 0) self().send<&Worker::until_helped>();
  }
  void until_helped() {
    skein::NodeVector<int> who(64, -1);
    for (bool helped = false; !helped;) {
      const auto span = who.span();
      skein::parallel_for(0, 64, 1, [=](std::int64_t i) {
        span[static_cast<std::size_t>(i)] = skein::this_pe();
        const double until = skein::job_seconds() + 1e-4;
        while (skein::job_seconds() < until) {
        }
      });
      for (const int pe : who) helped |= pe != skein::this_pe();
      if (alone || skein::pe_count() == 1) {
        EXPECT(!helped);
        break;
      }
    }
    native_test::passed();
  }

 private:
  int step_ = 0, moves_ = 0;
  skein::NodeVector<int> counts_;
};

}  // namespace

int main(int argc, char** argv) {
  wanted = native_test::moves_wanted(argc, argv);
  for (int i = 1; i < argc; ++i) alone |= std::string_view(argv[i]) == "--alone";
  return skein::run(argc, argv, [](skein::Job& job) {
    factor.set(3);
    table.build(length + elements, [](std::span<double> all) {
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::sqrt(static_cast<double>(i));
    });
    check_bounds();
    check_errors();
    job.array<Worker>(elements).broadcast<&Worker::resume_from_sync>();
  });
}
