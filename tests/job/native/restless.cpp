// SPDX-License-Identifier: Apache-2.0
// Elements of one array call each other without end, plainly, aggregated and by broadcasts, and those of
// another synchronize: the former must not keep the latter from their LB steps, and lose no call by the
// steps. With --moved the job must have moved elements that synchronize. With --chatty these also call each
// other at the sync point, for a second: meanwhile there is no step, and the job goes on.
#include <chrono>
#include <cstring>

#include "tests/job/native/check.hpp"

namespace {

constexpr int rounds = 5, cells = 9, tickers = 7;
native_test::Moves wanted = native_test::Moves::none;
bool chatty = false;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Each number that is sent comes back to its sender, once and in order, by way of the next element.
class Ticker : public skein::Chare<Ticker, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& number_& aggregated_& cheers_& stopped_;
  }
  void start() { go_on(); }
  void pass(int from, int number) { array()[from].prioritized(number % 3 - 1).send<&Ticker::back>(number); }
  void back(int number) {
    EXPECT_EQUAL(number, number_++);
    if (!stopped_) go_on();
  }
  void poke() { ++aggregated_; }
  void cheer() { ++cheers_; }
  void stop() { stopped_ = true; }
  /// At the end of the job.
  void count() {
    EXPECT(number_ > 0);
    contribute(std::tuple(number_ - aggregated_, cheers_), skein::each(skein::sum, skein::sum),
               skein::to_function<std::tuple<int, int>>([](std::tuple<int, int> sums) {
                 EXPECT_EQUAL(std::get<0>(sums), 0);
                 EXPECT_EQUAL(std::get<1>(sums) % tickers, 0);
                 native_test::passed();
               }));
  }

 private:
  void go_on() {
    const auto next = array()[(index()[0] + 1) % tickers];
    next.send<&Ticker::pass>(index()[0], number_);
    skein::aggregate<&Ticker::poke>(next);
    if (number_ % 1000 == 500) array().broadcast<&Ticker::cheer>();
  }
  int number_ = 0, aggregated_ = 0, cheers_ = 0;
  bool stopped_ = false;
};

class Cell : public skein::Chare<Cell, skein::Index1> {
 public:
  explicit Cell(skein::Array<Ticker> the_tickers = {}) : tickers_(the_tickers) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& tickers_& round_& moves_;
  }
  void just_moved() { ++moves_; }
  void begin() {
    if (chatty) chat(now() + 1);
    at_sync();
  }
  void chat(double until) {
    if (now() < until) array()[(index()[0] + 1) % cells].send<&Cell::chat>(until);
  }
  void resume_from_sync() {
    if (++round_ < rounds) return at_sync();
    contribute(moves_, skein::sum, skein::to<&Cell::end>(array()[0]));
  }
  void end(int moves) {
    EXPECT_MOVES(moves, wanted);
    tickers_.broadcast<&Ticker::stop>();
    skein::Job().at_quiescence(skein::to<&Ticker::count>(tickers_));
  }

 private:
  skein::Array<Ticker> tickers_;
  int round_ = 0, moves_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  wanted = native_test::moves_wanted(argc, argv);
  for (int i = 1; i < argc; ++i) chatty |= strcmp(argv[i], "--chatty") == 0;
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto restless = job.array<Ticker>(tickers);
    restless.broadcast<&Ticker::start>();
    job.array<Cell>(cells, restless).broadcast<&Cell::begin>();
  });
}
