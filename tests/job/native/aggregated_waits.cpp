// SPDX-License-Identifier: Apache-2.0
// Aggregated calls of flows, threaded and awaited methods. In each round every element starts a flow and a
// thread in every element, and sends each of them the number that it waits for; an element that has all
// answers goes on to a sync point.
#include <map>

#include "tests/job/native/check.hpp"

namespace {

using skein::aggregate;

constexpr int members = 12, rounds = 5;

native_test::Moves wanted;

struct Member : skein::Chare<Member, skein::Index1> {
  skein::Awaited<void(int round, int value)> for_flow, for_thread;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& round_& moves_& sum_& done_;
  }
  void just_moved() { ++moves_; }

  void begin() {
    for (int i = 0; i < members; ++i) {
      const auto other = array()[i];
      aggregate<&Member::flow>(other, round_);
      aggregate<&Member::for_flow>(other, round_, index()[0]);
      aggregate<&Member::for_thread>(other, round_, 2 * index()[0]);
      aggregate<&Member::thread>(other, round_);
    }
  }
  skein::Flow flow(int round) {
    const auto [of_round, value] = co_await when<&Member::for_flow>().matching(round);
    add(of_round, value);
  }
  void thread(int round) {
    const auto [of_round, value] = wait_for(when<&Member::for_thread>().matching(round));
    add(of_round, value);
  }
  using Threaded = skein::Methods<&Member::thread>;

  void go_on() {
    ++round_;
    at_sync();
  }
  void resume_from_sync() {
    if (round_ < rounds) return begin();
    contribute(std::tuple(sum_, moves_), skein::each(skein::sum, skein::sum),
               skein::to_function<std::tuple<long, int>>([](std::tuple<long, int> sums) {
                 const long of_members = members * (members - 1) / 2, of_rounds = rounds * (rounds + 1) / 2;
                 EXPECT_EQUAL(std::get<0>(sums), members * of_rounds * 3 * of_members);
                 EXPECT_MOVES(std::get<1>(sums), wanted);
                 native_test::passed();
               }));
  }

 private:
  void add(int round, int value) {
    sum_ += (round + 1) * value;
    if (++done_[round] < 2 * members) return;
    done_.erase(round);
    self().send<&Member::go_on>();  // when this flow or thread has ended
  }

  int round_ = 0, moves_ = 0;
  long sum_ = 0;
  std::map<int, int> done_;
};

}  // namespace

int main(int argc, char** argv) {
  wanted = native_test::moves_wanted(argc, argv);
  return skein::run(argc, argv,
                    [](skein::Job& job) { job.array<Member>(members).broadcast<&Member::begin>(); });
}
