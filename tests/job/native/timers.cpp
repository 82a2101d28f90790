// SPDX-License-Identifier: Apache-2.0
// Calls after a time, repeated calls, and calls when a PE is idle; and the clock of the job. Each element
// goes on when its timers have called, while others move it.
#include "tests/job/native/check.hpp"

namespace {

constexpr int members = 6, rounds = 4, own_calls = 200;
constexpr double tick = 0.004;

native_test::Moves wanted;

struct Member : skein::Chare<Member, skein::Index1> {
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& round_& moves_& began_& ticks_& calls_& order_& every_tick_& never_& has_rested_& synchronized_;
  }
  void just_moved() { ++moves_; }

  void begin() {
    began_ = skein::job_seconds();
    never_ = skein::after(3600, skein::to<&Member::not_called>(self()));
    skein::after(3 * tick, skein::to<&Member::later>(self()));
    skein::after(tick, skein::to<&Member::sooner>(self()));
    every_tick_ = skein::every(tick, skein::to<&Member::one_tick>(self()));
    at_sync();  // timers go on, LB steps do not wait for them
  }
  void resume_from_sync() {
    synchronized_ = true;
    go_on();
  }
  void sooner() {
    EXPECT(skein::job_seconds() >= began_ + tick);
    order_ = order_ * 10 + 1;
  }
  void later() {
    EXPECT(skein::job_seconds() >= began_ + 3 * tick);
    order_ = order_ * 10 + 2;
  }
  void one_tick() {
    ++ticks_;
    if (round_ == 0) EXPECT(skein::job_seconds() >= began_ + ticks_ * tick);  // else an old tick may come
    if (ticks_ != 5) return;
    every_tick_.cancel();
    never_.cancel();
    for (int i = 0; i < own_calls; ++i) self().send<&Member::one_call>();
    skein::when_idle(skein::to<&Member::idle>(self()));
  }
  void one_call() { ++calls_; }
  void idle() {
    EXPECT_EQUAL(calls_, own_calls);
    EXPECT_EQUAL(order_, 12);
    // All PEs share one clock: the other element sees no earlier time than the one it is sent.
    array()[(index()[0] + 1) % members].send<&Member::compare_clock>(skein::job_seconds());
    has_rested_ = true;
    go_on();
  }
  void go_on() {
    if (!has_rested_ || !synchronized_) return;
    calls_ = order_ = ticks_ = 0;
    has_rested_ = synchronized_ = false;
    if (++round_ < rounds) return begin();
    contribute(moves_, skein::sum, skein::to_function<int>([](int moves) {
                 EXPECT_MOVES(moves, wanted);
                 // Keeps the job until then.
                 skein::after(0.02, skein::to_function<void>([] { native_test::passed(); }));
               }));
  }
  void compare_clock(double sent) { EXPECT(skein::job_seconds() >= sent - 1e-4); }
  void not_called() { throw std::runtime_error("a timer that was cancelled calls"); }

 private:
  int round_ = 0, moves_ = 0, ticks_ = 0, calls_ = 0, order_ = 0;
  double began_ = 0;
  skein::Timer every_tick_, never_;
  bool has_rested_ = false, synchronized_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  wanted = native_test::moves_wanted(argc, argv);
  return skein::run(argc, argv, [](skein::Job& job) {
    job.array<Member>(members).broadcast<&Member::begin>();
    skein::every(1, skein::to_function<void>([] {}));  // keeps nobody
  });
}
