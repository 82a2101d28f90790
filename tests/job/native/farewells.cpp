// SPDX-License-Identifier: Apache-2.0
// Elements that move by themselves call others in about_to_move(), while they leave: each of these calls
// arrives once.
#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 7, hops = 25;

class Traveller : public skein::Chare<Traveller, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& hop_& told_& heard_;
  }

  void go() {
    if (hop_++ == hops) return at_sync();
    migrate_to((skein::this_pe() + 1) % skein::pe_count());
    self().send<&Traveller::go>();
  }
  void about_to_move() {
    array()[(index()[0] + 1) % elements].send<&Traveller::hear>(index()[0]);
    ++told_;
  }
  void hear(int from) {
    EXPECT_EQUAL((from + 1) % elements, index()[0]);
    ++heard_;
  }
  void resume_from_sync() {}

  void compare() {
    // A call that has followed an element for long runs before the element moves on, so the element may move
    // less often than it asks.
    EXPECT(skein::pe_count() == 1 || told_ > 0);
    contribute(std::vector{told_, heard_}, skein::sum,
               skein::to_function<std::vector<int>>([](const std::vector<int>& all) {
                 EXPECT_EQUAL(all[0], all[1]);
                 native_test::passed();
               }));
  }

 private:
  int hop_ = 0, told_ = 0, heard_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto travellers = job.array<Traveller>(elements);
    travellers.broadcast<&Traveller::go>();
    job.at_quiescence(skein::to<&Traveller::compare>(travellers));
  });
}
