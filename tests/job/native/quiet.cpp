// SPDX-License-Identifier: Apache-2.0
// A callback at quiescence comes once the elements have passed their last sync point, whichever of these are
// LB steps, and not while they wait at one.
#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 6, sync_points = 5;

native_test::Moves wanted;
class Walker;
skein::ReadOnly<skein::Array<Walker>> walkers;

class Walker : public skein::Chare<Walker, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& passed_& moves_;
  }
  void just_moved() { ++moves_; }
  void walk() {
    if (passed_ % sync_points == sync_points - 1) {
      ++passed_;
      return;
    }
    at_sync();
  }
  void resume_from_sync() {
    ++passed_;
    walk();
  }
  void count(int rounds) {
    EXPECT_EQUAL(passed_, rounds * sync_points);
    contribute(moves_, skein::sum, skein::to_function<int>([](int moves) {
                 static int round = 1;
                 EXPECT_MOVES(moves, wanted);
                 if (round++ == 3) return native_test::passed();
                 begin(round);
               }));
  }
  /// On PE 0.
  static void begin(int round);

 private:
  int passed_ = 0, moves_ = 0;
};

int round_begun = 0;

void Walker::begin(int round) {
  round_begun = round;
  walkers->broadcast<&Walker::walk>();
  skein::Job().at_quiescence(
      skein::to_function<void>([] { walkers->broadcast<&Walker::count>(round_begun); }));
}

}  // namespace

int main(int argc, char** argv) {
  wanted = native_test::moves_wanted(argc, argv);
  return skein::run(argc, argv, [](skein::Job& job) {
    walkers.set(job.array<Walker>(elements));
    Walker::begin(1);
  });
}
