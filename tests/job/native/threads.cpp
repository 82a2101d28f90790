// SPDX-License-Identifier: Apache-2.0
// Threaded entry methods: they block in futures, calls, barriers and flows, many at once and inside a catch
// block, and other methods of their element go on meanwhile.
#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 8, rounds = 5;

class Worker : public skein::Chare<Worker, skein::Index1> {
 public:
  skein::Awaited<void(int round, int from)> token;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& round_& sum_& asked_;
  }

  /// Goes once around the ring in each round, then comes to a sync point: the thread ends, and is begun anew.
  void work() {
    const int me = index()[0];
    array()[(me + 1) % elements].send<&Worker::token>(round_, me);
    const auto [round, from] = wait_for(when<&Worker::token>().matching(round_));
    EXPECT_EQUAL(from, (me + elements - 1) % elements);
    for (int i = 0; i < elements; ++i) sum_ += array()[i].ask<&Worker::square>(i).get();
    EXPECT_EQUAL(round, round_);
    wait_for(barrier());
    wait_in_catch_block(me);
    EXPECT_EQUAL(wait_for(both(me)), 2 * me);
    ++round_;
    if (round_ == rounds)
      array()[0].send<&Worker::finished>(sum_);
    else
      at_sync<&Worker::work>();
  }
  int square(int n) {
    ++asked_;
    return n * n;
  }
  /// Threads that call each other: an answer that needs another answer.
  int fibonacci(int n) {
    if (n < 2) return n;
    const auto next = array()[(index()[0] + 1) % elements];
    const auto one = next.ask<&Worker::fibonacci>(n - 1);
    const auto two = next.ask<&Worker::fibonacci>(n - 2);
    const auto [a, b] = wait_for(all(one, two));
    return a + b;
  }
  using Threaded = skein::Methods<&Worker::work, &Worker::fibonacci>;

  void finished(long sum) {
    // The sum of squares below 8 is 140, in each of 5 rounds.
    EXPECT_EQUAL(sum, 700L);
    if (++finished_ < elements) return;
    self().ask<&Worker::fibonacci>(12).then(skein::to_function<int>([](int result) {
      EXPECT_EQUAL(result, 144);
      native_test::passed();
    }));
  }

 private:
  /// Each thread has its own handled exception and its own errno.
  void wait_in_catch_block(int me) {
    try {
      throw std::runtime_error(std::to_string(me));
    } catch (const std::runtime_error&) {
      errno = me;
      (void)array()[0].ask<&Worker::square>(1).get();
      EXPECT_EQUAL(errno, me);
      try {
        throw;
      } catch (const std::runtime_error& again) {
        EXPECT_EQUAL(std::string(again.what()), std::to_string(me));
      }
    }
  }
  skein::FlowOf<int> both(int me) {
    const auto [a, b] = co_await all(self().ask<&Worker::same>(me), self().ask<&Worker::same>(me));
    co_return a + b;
  }

 public:
  int same(int n) { return n; }

 private:
  int round_ = 0, asked_ = 0, finished_ = 0;
  long sum_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv,
                    [](skein::Job& job) { job.array<Worker>(elements).broadcast<&Worker::work>(); });
}
