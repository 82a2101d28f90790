// SPDX-License-Identifier: Apache-2.0
// What happens to flows and threads, and to calls that have come for them, when their elements move, want to
// move, or end. With --moved LB steps must have moved the elements that can move.

#include "tests/job/native/check.hpp"

namespace {

constexpr int keepers = 12, waiters = 6, rounds = 8;
native_test::Moves wanted = native_test::Moves::none;

/// Waits through all LB steps, in a flow or in a thread, and so stays where it is. Then migrate_to() works,
/// and destroy() ends a flow that waits.
class Waiter : public skein::Chare<Waiter, skein::Index1> {
 public:
  skein::Awaited<void(int number)> wake;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& moves_;
  }
  void just_moved() { ++moves_; }

  void start() {
    if (index()[0] % 2 == 0)
      self().send<&Waiter::wait_in_flow>();
    else
      self().send<&Waiter::wait_in_thread>();
  }
  skein::Flow wait_in_flow() {
    const int here = begin_to_wait();
    EXPECT_EQUAL(co_await when<&Waiter::wake>(), 5);
    end_to_wait(here);
  }
  void wait_in_thread() {
    const int here = begin_to_wait();
    EXPECT_EQUAL(wait_for(when<&Waiter::wake>()), 5);
    end_to_wait(here);
  }
  using Threaded = skein::Methods<&Waiter::wait_in_thread>;

  void check_place(int before) {
    EXPECT_EQUAL(skein::this_pe(), (before + 1) % skein::pe_count());
    contribute(skein::to_function<void>([] { native_test::passed(); }));
    self().send<&Waiter::end>();
  }
  skein::Flow end() {
    destroy();
    co_await when<&Waiter::wake>();
    EXPECT(false);
  }

 private:
  int begin_to_wait() {
    migrate_to((skein::this_pe() + 1) % skein::pe_count());
    return skein::this_pe();
  }
  void end_to_wait(int here) {
    EXPECT_EQUAL(skein::this_pe(), here);
    EXPECT_EQUAL(moves_, 0);
    self().send<&Waiter::check_place>(here);
  }
  int moves_ = 0;
};

skein::Array<Waiter> all_waiters;

/// In each round, calls that no flow takes and a value that any() wanted and did not take come before the
/// sync point: they move along. So do the arguments of the method that sync() calls.
class Keeper : public skein::Chare<Keeper, skein::Index1> {
 public:
  skein::Awaited<void(int round, std::string text, std::vector<double> values)> early;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& moves_& late_;
  }
  void just_moved() { ++moves_; }

  skein::Flow go_on(int round, std::string text) {
    EXPECT_EQUAL(text, std::string(static_cast<std::size_t>(round), 'x'));
    if (round > 0) {
      for (int i = 0; i < 3; ++i) {
        const auto [of_round, number, values] = co_await when<&Keeper::early>().matching(round - 1);
        EXPECT_EQUAL(number, std::to_string(i));
        EXPECT(values == values_of(round - 1, i));
      }
      EXPECT_EQUAL(co_await late_, "late " + std::to_string(round - 1));
    }
    if (round == rounds) {
      finish();
      co_return;
    }
    late_ = skein::Future<std::string>::make();
    const auto first = co_await any(late_, self().ask<&Keeper::number>(round));
    EXPECT_EQUAL(first.index(), 1U);
    EXPECT_EQUAL(std::get<1>(first), round);
    for (int i = 0; i < 3; ++i) self().send<&Keeper::early>(round, std::to_string(i), values_of(round, i));
    self().send<&Keeper::set_late>(round);
    co_await barrier();  // the calls have come
    co_await sync<&Keeper::go_on>(round + 1, text + "x");
  }
  int number(int n) { return n; }
  void set_late(int round) { late_.set("late " + std::to_string(round)); }

 private:
  /// Some vectors are longer than the longest message that is sent at once.
  static std::vector<double> values_of(int round, int i) {
    return std::vector<double>(static_cast<std::size_t>(i * 3000), round + 0.5);
  }
  void finish() {
    contribute(moves_, skein::sum, skein::to_function<int>([](int moves) {
                 EXPECT_MOVES(moves, wanted);
                 all_waiters.broadcast<&Waiter::wake>(5);
               }));
  }

  int moves_ = 0;
  skein::Future<std::string> late_;
};

}  // namespace

int main(int argc, char** argv) {
  wanted = native_test::moves_wanted(argc, argv);
  return skein::run(argc, argv, [](skein::Job& job) {
    all_waiters = job.array<Waiter>(waiters);
    all_waiters.broadcast<&Waiter::start>();
    job.array<Keeper>(keepers).broadcast<&Keeper::go_on>(0, "");
  });
}
