// SPDX-License-Identifier: Apache-2.0
// Flows: when() with counts and reference numbers and calls that arrive early, all() and any(), nested flows,
// exceptions between them, futures, barriers, and sync points at which elements move.
#include <cmath>
#include <numeric>

#include "tests/job/native/check.hpp"

namespace {

constexpr int cells = 10, steps = 6;

class Cell : public skein::Chare<Cell, skein::Index1> {
 public:
  skein::Awaited<void(int step, int from, std::vector<double> values)> ghost;
  skein::Awaited<void(int number)> count;
  skein::Awaited<void()> ready;
  skein::Awaited<void(std::string text)> word;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& step_& value_& words_;
  }

  /// In each step value := left + right, with ghosts that may be steps ahead, and a sync point.
  skein::Flow run(int last) {
    while (step_ < last) {
      exchange();
      const auto ghosts = co_await when<&Cell::ghost>(2).matching(step_);
      long sum = 0;
      for (const auto& [step, from, values] : ghosts) {
        EXPECT_EQUAL(step, step_);
        EXPECT_EQUAL(values.size(), static_cast<std::size_t>(from + 1));
        sum += std::lround(values[0]);
      }
      value_ = sum % modulus;
      ++step_;
      if (step_ % 2 == 0) co_await sync<&Cell::run>(last);
    }
    co_await barrier();
    contribute(value_, skein::sum, skein::to<&Cell::check_sum>(array()[0]));
  }
  void check_sum(long sum) {
    EXPECT_EQUAL(sum, expected_sum());
    array().broadcast<&Cell::combine>();
  }

  /// The parts of all() run side by side, and finish in any order.
  skein::Flow combine() {
    const int me = index()[0];
    const auto next = array()[(me + 1) % cells];
    auto answer = next.ask<&Cell::square>(me);
    auto slow = next.ask<&Cell::square_of_sum>(me, 1);
    next.send<&Cell::count>(me);
    next.send<&Cell::count>(-1);
    next.send<&Cell::ready>();
    auto [squared, number, nothing, nested] =
        co_await all(answer, when<&Cell::count>(2), when<&Cell::ready>(), twice(when_word()));
    EXPECT_EQUAL(squared, me * me);
    EXPECT_EQUAL(number[0] + number[1], (me + cells - 1) % cells - 1);
    EXPECT_EQUAL(nested, std::string("wordword"));
    EXPECT_EQUAL(co_await slow, (me + 1) * (me + 1));
    (void)nothing;

    // If several calls are there, any() takes the first as written; the other call is kept.
    self().send<&Cell::ready>();
    self().call<&Cell::count>(7);
    auto first = co_await any(never(), when<&Cell::count>(5), when<&Cell::count>(1).matching(7));
    EXPECT_EQUAL(first.index(), 2U);
    EXPECT_EQUAL(std::get<2>(first).at(0), 7);
    co_await when<&Cell::ready>();

    // A flow with any number of parts.
    std::vector<skein::Future<int>> answers;
    for (int i = 0; i < cells; ++i) answers.push_back(array()[i].ask<&Cell::square>(i));
    const std::vector<int> squares = co_await all(std::move(answers));
    EXPECT_EQUAL(std::accumulate(squares.begin(), squares.end(), 0),
                 (cells - 1) * cells * (2 * cells - 1) / 6);
    co_await catching();
    contribute(skein::to_function<void>([] { native_test::passed(); }));
  }
  int square(int n) { return n * n; }
  skein::FlowOf<int> square_of_sum(int a, int b) {
    const int sum = co_await ask_sum(a, b);
    co_return square(sum);
  }
  int add(int a, int b) { return a + b; }

 private:
  static constexpr long modulus = 1'000'003;

  static long expected_sum() {
    std::vector<long> value(cells), next(cells);
    std::iota(value.begin(), value.end(), 1);
    for (int step = 0; step < steps; ++step) {
      for (int i = 0; i < cells; ++i) {
        const auto left = static_cast<std::size_t>((i + cells - 1) % cells);
        const auto right = static_cast<std::size_t>((i + 1) % cells);
        next[static_cast<std::size_t>(i)] = (value[left] + value[right]) % modulus;
      }
      value.swap(next);
    }
    return std::accumulate(value.begin(), value.end(), 0L);
  }

  void exchange() {
    const int me = index()[0];
    const std::vector<double> values(static_cast<std::size_t>(me + 1), static_cast<double>(value_));
    array()[(me + 1) % cells].send<&Cell::ghost>(step_, me, values);
    array()[(me + cells - 1) % cells].send<&Cell::ghost>(step_, me, values);
  }
  skein::FlowOf<std::string> when_word() {
    self().send<&Cell::word>("word");
    co_return co_await when<&Cell::word>();
  }
  skein::FlowOf<std::string> twice(skein::FlowOf<std::string> flow) {
    const std::string text = co_await std::move(flow);
    co_return text + text;
  }
  skein::FlowOf<int> ask_sum(int a, int b) {
    co_return co_await array()[(index()[0] + 1) % cells].ask<&Cell::add>(a, b);
  }
  /// Is ended by any() while it waits; its locals are destroyed.
  skein::Flow never() {
    struct Note {
      int& count;
      ~Note() { ++count; }
    } const note{destroyed_};
    co_await when<&Cell::word>();
    EXPECT(false);
  }
  skein::Flow thrower(bool waits) {
    if (waits) co_await when<&Cell::ready>();
    throw std::invalid_argument("thrown in a flow");
  }
  skein::Flow catching() {
    EXPECT_EQUAL(destroyed_, 1);
    int caught = 0;
    for (const bool waits : {false, true}) {
      if (waits) self().send<&Cell::ready>();
      try {
        co_await all(never(), thrower(waits));
      } catch (const std::invalid_argument& error) {
        EXPECT_EQUAL(std::string(error.what()), std::string("thrown in a flow"));
        ++caught;
      }
    }
    EXPECT_EQUAL(caught, 2);
    EXPECT_EQUAL(destroyed_, 3);
  }

  int step_ = 0;
  long value_ = index()[0] + 1;
  std::vector<std::string> words_;
  int destroyed_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) { job.array<Cell>(cells).broadcast<&Cell::run>(steps); });
}
