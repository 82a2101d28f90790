// SPDX-License-Identifier: Apache-2.0
// Elements pass tokens around a ring and synchronize every other step. Wherever LB steps put the elements,
// after as many steps as there are elements each token is back: element i then holds i. With --moved the job
// must have moved elements, without it none.
#include <map>

#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 20, steps = 20, steps_a_sync = 2;

class Member : public skein::Chare<Member, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& step_& token_& stopped_& early_& departures_& arrivals_& trail_;
  }

  void start() {
    token_ = index()[0];
    stopped_ = false;
    pass_on();
    go_on();
  }
  /// Neighbours may be a step ahead.
  void take(int step, int token) {
    early_[step] = token;
    go_on();
  }
  void resume_from_sync() {
    stopped_ = false;
    if (step_ < steps) pass_on();
    go_on();
  }
  void about_to_move() { ++departures_; }
  void just_moved() { ++arrivals_; }

 private:
  void pass_on() {
    const int next = (index()[0] + 1) % elements;
    array()[next].send<&Member::take>(step_, token_);
  }
  void go_on() {
    while (!stopped_) {
      const auto found = early_.find(step_);
      if (found == early_.end()) return;
      token_ = found->second;
      early_.erase(found);
      trail_.push_back(token_);
      ++step_;
      if (step_ == steps) return finish();
      if (step_ % steps_a_sync == 0) {
        stopped_ = true;
        at_sync();
        return;
      }
      pass_on();
    }
  }
  void finish();

  int step_ = 0;
  int token_ = -1;
  int departures_ = 0, arrivals_ = 0;
  bool stopped_ = true;  // tokens may come before start() and before resume_from_sync()
  std::map<int, int> early_;
  std::vector<int> trail_;
};

native_test::Moves wanted = native_test::Moves::none;

void Member::finish() {
  EXPECT_EQUAL(token_, index()[0]);
  EXPECT_EQUAL(trail_.size(), std::size_t{steps});
  for (int step = 0; step < steps; ++step)
    EXPECT_EQUAL(trail_[static_cast<std::size_t>(step)], (index()[0] - step - 1 + elements) % elements);
  EXPECT_EQUAL(departures_, arrivals_);
  contribute(arrivals_, skein::sum, skein::to_function<int>([](int moves) {
               EXPECT_MOVES(moves, wanted);
               native_test::passed();
             }));
}

}  // namespace

int main(int argc, char** argv) {
  wanted = native_test::moves_wanted(argc, argv);
  return skein::run(argc, argv,
                    [](skein::Job& job) { job.array<Member>(elements).broadcast<&Member::start>(); });
}
