// SPDX-License-Identifier: Apache-2.0
// Elements on all PEs create arrays, and use their names at once: the creators, and others who are told the
// name before their PE has heard of the array. Calls, broadcasts, reductions and sections over the arrays are
// complete; a number names one array only; an array that is created has passed as many sync points as its
// creator.
#include <set>

#include "tests/job/native/check.hpp"

namespace {

constexpr int makers = 5, workers = 7, rounds = 4;
native_test::Moves moves_wanted;

class Maker;
skein::ReadOnly<skein::Array<Maker>> all_makers;

/// Each array has numbers 0 to workers - 1; a worker hears from its maker, from its neighbour and by a
/// broadcast.
class Worker : public skein::Chare<Worker, skein::Index1> {
 public:
  explicit Worker(int its_maker = -1, std::vector<int> its_load = {})
      : maker_(its_maker), load_(std::move(its_load)) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& maker_& heard_& load_;
  }
  void from_maker(int maker) { hear(maker, maker_); }
  void from_neighbour(int maker) { hear(maker, maker_); }
  void from_all(int maker) { hear(maker, maker_); }
  void in_section(const skein::Section<Worker>& section);

 private:
  void hear(int maker, int expected);
  int maker_, heard_ = 0;
  std::vector<int> load_;
};

class Maker : public skein::Chare<Maker, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& round_& moves_& results_& numbers_;
  }
  void just_moved() { ++moves_; }

  void make() {
    // Every second creation is longer than an active message, so that other messages overtake it.
    const std::size_t length = (round_ + index()[0]) % 2 == 0 ? 3 : 50'000;
    const auto made = skein::Job().array<Worker>(workers, index()[0], std::vector<int>(length, 1));
    EXPECT(numbers_.insert(made.number()).second);
    array()[(index()[0] + 1) % makers].send<&Maker::help>(made, index()[0]);
    for (int i = 0; i < workers; ++i) made[i].send<&Worker::from_maker>(index()[0]);
    made.broadcast<&Worker::from_all>(index()[0]);
    const auto some = skein::section(made, {0}, {workers}, {2});
    some.broadcast<&Worker::in_section>(some);
  }
  void help(const skein::Array<Worker>& made, int maker) {
    for (int i = workers - 1; i >= 0; --i) made[i].prioritized(i - 3).send<&Worker::from_neighbour>(maker);
  }
  /// The workers' own sum is that of all indices, the section's that of even indices.
  void done(int sum) {
    EXPECT_EQUAL(sum, workers * (workers - 1) / 2);
    result();
  }
  void done_in_section(int sum) {
    EXPECT_EQUAL(sum, 0 + 2 + 4 + 6);
    result();
  }
  void go_on() {
    if (++round_ < rounds) return make();
    contribute(moves_, skein::sum, skein::to_function<int>([](int moves) {
                 EXPECT_MOVES(moves, moves_wanted);
                 native_test::passed();
               }));
  }
  void resume_from_sync() { go_on(); }

 private:
  void result() {
    if (++results_ == 2 * (round_ + 1)) at_sync();
  }
  int round_ = 0, moves_ = 0, results_ = 0;
  std::set<std::uint32_t> numbers_;
};

void Worker::hear(int maker, int expected) {
  EXPECT_EQUAL(maker, expected);
  EXPECT_EQUAL(std::size_t{load_[0] == 1}, std::size_t{1});
  if (++heard_ == 3) contribute(index()[0], skein::sum, skein::to<&Maker::done>((*all_makers)[maker_]));
}
void Worker::in_section(const skein::Section<Worker>& section) {
  contribute(section, index()[0], skein::sum, skein::to<&Maker::done_in_section>((*all_makers)[maker_]));
}

}  // namespace

int main(int argc, char** argv) {
  moves_wanted = native_test::moves_wanted(argc, argv);
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto array = job.array<Maker>(makers);
    all_makers.set(array);
    array.broadcast<&Maker::make>();
  });
}
