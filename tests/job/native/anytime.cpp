// SPDX-License-Identifier: Apache-2.0
// LB steps without sync points: elements call each other all the time, and steps come by a call with
// --by-call, else by a period of seconds. No ordered call, broadcast or contribution is lost or arrives
// twice. Elements stay if they are pinned, wait in a flow, or are of a class that comes to sync points: all
// but one of these wait at one, and go on, with steps of their own, when the last one arrives. With --moved
// steps must have moved elements.
#include <cstring>

#include "tests/job/native/check.hpp"

namespace {

constexpr int walkers = 12, stoppers = 5, cheers_of_each = 3, rounds = 4;
// Equal on all PEs.
int laps = 6000;
bool by_call = false;
native_test::Moves wanted = native_test::Moves::none;

class Stopper : public skein::Chare<Stopper, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& round_& pe_;
  }
  void begin() {
    pe_ = skein::this_pe();
    if (index()[0] != 0) at_sync();
  }
  void look() { EXPECT_EQUAL(skein::this_pe(), pe_); }
  void come() { at_sync(); }
  void resume_from_sync() {
    if (++round_ < rounds) return at_sync();
    contribute(1, skein::sum, skein::to_function<int>([](int count) {
                 EXPECT_EQUAL(count, stoppers);
                 native_test::passed();
               }));
  }

 private:
  int round_ = 0, pe_ = -1;
};

class Walker : public skein::Chare<Walker, skein::Index1> {
 public:
  static constexpr bool moves_anytime = true;
  skein::Awaited<void()> wake;

  explicit Walker(skein::Array<Stopper> the_stoppers = {}) : stoppers_(the_stoppers), pe_(skein::this_pe()) {
    if (index()[0] == 1) pin();
  }
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& stoppers_& next_& lap_& sent_& cheers_& moves_& pe_& waits_;
  }

  void start() {
    if (index()[0] == 2) self().send<&Walker::wait>();
    next_ = skein::Ordered<Walker>(array()[(index()[0] + 1) % walkers]);
    for (int i = 0; i < 3; ++i) more();
  }
  skein::Flow wait() {
    waits_ = true;
    co_await when<&Walker::wake>();
    waits_ = false;
  }
  void pass(int from, int number) {
    EXPECT_EQUAL(from, (index()[0] + walkers - 1) % walkers);
    EXPECT_EQUAL(number, lap_++);
    if (index()[0] == 1) EXPECT_EQUAL(skein::this_pe(), pe_);
    if (index()[0] == 0 && by_call && lap_ % (laps / 10) == 0) {
      skein::start_lb();
      skein::start_lb();  // the second call has no effect of its own
    }
    if (lap_ % (laps / cheers_of_each) == 0) array().broadcast<&Walker::cheer>();
    array()[from].prioritized(number % 3 - 1).send<&Walker::more>();
    end_when_done();
  }
  void more() {
    if (sent_ < laps) next_.send<&Walker::pass>(index()[0], sent_++);
  }
  void cheer() {
    ++cheers_;
    if (index()[0] == 2 && cheers_ == walkers * cheers_of_each) self().send<&Walker::wake>();
    end_when_done();
  }
  void about_to_move() {
    EXPECT(!waits_);
    ++moves_;
  }
  void end(const std::tuple<int, int>& sums) {
    EXPECT_EQUAL(std::get<0>(sums), walkers * laps);
    EXPECT_MOVES(std::get<1>(sums), wanted);
    stoppers_.broadcast<&Stopper::look>();
    skein::Job().at_quiescence(skein::to<&Stopper::come>(stoppers_[0]));
  }

 private:
  void end_when_done() {
    if (lap_ < laps || cheers_ < walkers * cheers_of_each) return;
    EXPECT_EQUAL(cheers_, walkers * cheers_of_each);
    contribute(std::tuple(lap_, moves_), skein::each(skein::sum, skein::sum),
               skein::to<&Walker::end>(array()[0]));
  }
  skein::Array<Stopper> stoppers_;
  skein::Ordered<Walker> next_;
  int lap_ = 0, sent_ = 0, cheers_ = 0, moves_ = 0, pe_ = -1;
  bool waits_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  wanted = native_test::moves_wanted(argc, argv);
  for (int i = 1; i < argc; ++i) by_call |= strcmp(argv[i], "--by-call") == 0;
  if (by_call) laps = 60;
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto stopping = job.array<Stopper>(stoppers);
    stopping.broadcast<&Stopper::begin>();
    job.array<Walker>(walkers, stopping).broadcast<&Walker::start>();
    skein::start_lb();
  });
}
