// SPDX-License-Identifier: Apache-2.0
// Chares of no array: made by elements on any PE and by each other, called by elements that hear their names
// before they exist, on PEs of their creator's choice, asked for values; some live on while LB steps move
// them and are called wherever they are. Waves of many that end give their memory back.
#include <malloc.h>

#include "tests/job/native/check.hpp"

namespace {

constexpr int members = 5, rounds = 4, depth = 6;
constexpr int waves = 12, in_wave = 4000, kilobyte = 1024;
native_test::Moves moves_wanted;

class Member;
skein::ReadOnly<skein::Array<Member>> all_members;

/// A binary tree of tasks, created downwards, whose sum goes upwards by calls to the creators.
class Task : public skein::Chare<Task> {
 public:
  explicit Task(int levels = 0, skein::Callback<int> to_parent = {}) : result_(to_parent) {
    if (levels == 0) finish();
    for (int child = 0; levels > 0 && child < 2; ++child)
      skein::create<Task>(levels - 1, skein::to<&Task::add>(self()));
  }
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& result_& sum_& results_;
  }
  void add(int sum) {
    sum_ += sum;
    if (++results_ == 2) finish();
  }

 private:
  void finish() {
    result_(sum_ + 1);
    destroy();
  }
  skein::Callback<int> result_;
  int sum_ = 0, results_ = 0;
};

/// Lives as long as its member, which calls it in each round, as does the member's neighbour.
class Keeper : public skein::Chare<Keeper> {
 public:
  explicit Keeper(int member = -1, int pe = -1) : member_(member) {
    if (pe >= 0) EXPECT_EQUAL(skein::this_pe(), pe);
  }
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& member_& calls_& moves_;
  }
  void just_moved() { ++moves_; }
  void call(int member);
  int calls(int) { return calls_; }
  int moves() { return moves_; }
  void end() { destroy(); }

 private:
  int member_, calls_ = 0, moves_ = 0;
};

void next_wave();
class Wave : public skein::Chare<Wave> {
 public:
  explicit Wave(std::vector<char> load = {}) : load_(std::move(load)) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& load_;
  }
  void end() {
    EXPECT_EQUAL(load_.size(), std::size_t{kilobyte});
    destroy();
  }

 private:
  std::vector<char> load_;
};

class Member : public skein::Chare<Member, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& round_& parts_& moves_& keeper_& placed_;
  }
  void start() {
    const int me = index()[0], pe = me % skein::pe_count();
    keeper_ = skein::create<Keeper>(me);
    placed_ = skein::create_on<Keeper>(pe, me, pe);
    go();
  }
  void go() {
    for (const auto& keeper : {keeper_, placed_}) {
      array()[(index()[0] + 1) % members].send<&Member::help>(keeper, index()[0]);
      keeper.send<&Keeper::call>(index()[0]);
    }
    skein::create<Task>(depth, skein::to<&Member::counted>(self()));
  }
  void help(const skein::ElementRef<Keeper>& keeper, int member) {
    keeper.prioritized(-1).send<&Keeper::call>(member);
  }
  void counted(int tasks) {
    EXPECT_EQUAL(tasks, (1 << (depth + 1)) - 1);
    part();
  }
  void part() {
    if (++parts_ == 5 * (round_ + 1)) at_sync();
  }
  void resume_from_sync() { self().send<&Member::check>(); }
  skein::Flow check() {
    for (const auto& keeper : {keeper_, placed_}) {
      const int calls = co_await keeper.ask<&Keeper::calls>(1);
      EXPECT_EQUAL(calls, 2 * (round_ + 1));
    }
    if (++round_ < rounds) {
      go();
      co_return;
    }
    for (const auto& keeper : {keeper_, placed_}) {
      moves_ += co_await keeper.ask<&Keeper::moves>();
      keeper.send<&Keeper::end>();
    }
    contribute(moves_, skein::sum, skein::to_function<int>([](int moves) {
                 EXPECT_MOVES(moves, moves_wanted);
                 next_wave();
               }));
  }

 private:
  int round_ = 0, parts_ = 0, moves_ = 0;
  skein::ElementRef<Keeper> keeper_, placed_;
};

void Keeper::call(int member) {
  EXPECT_EQUAL(member, member_);
  ++calls_;
  (*all_members)[member].send<&Member::part>();
}

/// On PE 0.
void next_wave() {
  static int wave = 0;
  static std::size_t after_second = 0;
  if (wave == 2) after_second = mallinfo2().uordblks;
  if (wave == waves) {
    // All tasks that lived at once, many times over, are gone.
    const std::size_t now = mallinfo2().uordblks;
    EXPECT(now < after_second + std::size_t{in_wave} * kilobyte / 4);
    return native_test::passed();
  }
  ++wave;
  const std::vector<char> load(kilobyte);
  for (int i = 0; i < in_wave; ++i) skein::create<Wave>(load).send<&Wave::end>();
  skein::Job().at_quiescence(skein::to_function<void>([] { next_wave(); }));
}

}  // namespace

int main(int argc, char** argv) {
  moves_wanted = native_test::moves_wanted(argc, argv);
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto array = job.array<Member>(members);
    all_members.set(array);
    array.broadcast<&Member::start>();
  });
}
