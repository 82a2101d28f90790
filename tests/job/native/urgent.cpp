// SPDX-License-Identifier: Apache-2.0
// Priorities of broadcasts, of calls with results and of aggregated ones; plain calls with a value; and flows
// that wait for calls by other arguments than the first. In rounds, between which elements move.
#include "tests/job/native/check.hpp"

namespace {

constexpr int members = 9, rounds = 3;

native_test::Moves wanted;

std::string text(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += std::to_string(number) + " ";
  return text;
}

class Member : public skein::Chare<Member, skein::Index1> {
 public:
  skein::Awaited<void(int step, int from, std::string what)> piece;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& round_& moves_& seen_& values_& broadcasts_;
  }
  void just_moved() { ++moves_; }

  void see(int number) { seen_.push_back(number); }
  void hear(int number) {
    broadcasts_.push_back(number);
    if (index()[0] == 0) seen_.push_back(number);
    if (broadcasts_.size() != 4) return;
    EXPECT_EQUAL(text(broadcasts_), "1 2 3 4 ");  // everywhere, whatever their priorities
    if (index()[0] != 0) contribute(skein::to<&Member::begin_round>(array()));
  }
  int value(int number) {
    ++values_;
    finish_when_complete();
    return 10 * number;
  }
  int see_value(int number) {
    see(number);
    return value(number);
  }

  /// Is called on element 0, on PE 0, through which all broadcasts go, so that they are in its queue at once.
  void broadcast_some() {
    array().broadcast<&Member::hear>(1);
    array().prioritized(5).broadcast<&Member::hear>(2);
    self().send<&Member::see>(100);
    array().expedited().broadcast<&Member::hear>(3);  // with those before it
    array().prioritized(5).broadcast<&Member::hear>(4);
    self().send<&Member::see>(101);
    self().prioritized(6).send<&Member::have_seen_broadcasts>();
  }
  void have_seen_broadcasts() {
    have_seen("1 2 3 100 101 4 ");
    contribute(skein::to<&Member::begin_round>(array()));
  }
  void have_seen(const std::string& expected) {
    EXPECT_EQUAL(text(seen_), expected);
    seen_.clear();
  }

  skein::Flow begin_round() {
    aggregate_some();
    const auto late = self().prioritized(3).ask<&Member::see_value>(22);
    const auto soon = self().expedited().ask<&Member::see_value>(20);
    const auto plain = self().ask<&Member::see_value>(21);
    const auto checked = self().prioritized(9).ask<&Member::have_seen>(std::string("20 30 31 21 22 "));
    EXPECT_EQUAL(co_await late, 220);
    EXPECT_EQUAL(co_await soon, 200);
    EXPECT_EQUAL(co_await plain, 210);
    co_await checked;

    for (const auto& [step, from, what] : {std::tuple(1, 2, "a"), {1, 1, "b"}, {2, 1, "c"}, {2, 2, "d"}})
      array()[(index()[0] + 1) % members].send<&Member::piece>(step, from, what);
    EXPECT_EQUAL(std::get<2>(co_await when<&Member::piece>().matching(2).matching<1>(1)), "c");
    EXPECT_EQUAL(std::get<2>(co_await when<&Member::piece>().matching<1>(1)), "b");
    EXPECT_EQUAL(std::get<0>(co_await when<&Member::piece>().matching<2>("d")), 2);
    EXPECT_EQUAL(std::get<1>(co_await when<&Member::piece>()), 2);

    for (int i = 0; i < members; ++i) {
      const bool is_here = array()[i].local() != nullptr;
      const std::optional<int> given = array()[i].call<&Member::value>(i);
      EXPECT_EQUAL(given.has_value(), is_here);
      if (given) EXPECT_EQUAL(*given, 10 * i);
    }
    co_await barrier();
    co_await sync<&Member::end_round>();
  }
  void end_round() {
    if (++round_ < rounds) return self().send<&Member::begin_round>();
    finish_when_complete();
  }

 private:
  /// The value of a call to another PE may come late.
  void finish_when_complete() {
    if (round_ < rounds || values_ < rounds * (members + 3)) return;
    contribute(moves_, skein::sum, skein::to_function<int>([](int moves) {
                 EXPECT_MOVES(moves, wanted);
                 native_test::passed();
               }));
  }
  /// Of the calls that are collected here, the urgent ones run first; expedited ones run before them.
  void aggregate_some() {
    skein::aggregate<&Member::see>(self(), 31);
    skein::aggregate<&Member::see>(self().prioritized(-1), 30);
    skein::flush_aggregated();
  }

  int round_ = 0, moves_ = 0, values_ = 0;
  std::vector<int> seen_, broadcasts_;
};

}  // namespace

int main(int argc, char** argv) {
  wanted = native_test::moves_wanted(argc, argv);
  return skein::run(argc, argv,
                    [](skein::Job& job) { job.array<Member>(members)[0].send<&Member::broadcast_some>(); });
}
