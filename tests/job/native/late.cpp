// SPDX-License-Identifier: Apache-2.0
// An element that comes between two LB steps goes to the same steps as the elements before it, with any
// period: if it counted its sync points from its own first, some elements would wait for an LB step and
// others not.
#include "tests/job/native/check.hpp"

namespace {

constexpr int steps = 7;

class Late : public skein::Chare<Late, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& sync_points_;
  }
  void go_on() {
    if (sync_points_ == steps) return contribute(1, skein::sum, skein::to<&Late::met>(array()[0]));
    if (index()[0] == 0 && sync_points_ == 2) {
      array()[1].insert();
      array()[1].send<&Late::join>(sync_points_);
    }
    ++sync_points_;
    at_sync();
  }
  void join(int sync_points) {
    sync_points_ = sync_points;
    go_on();
  }
  void resume_from_sync() { go_on(); }
  void met(int count) {
    EXPECT_EQUAL(count, 2);
    native_test::passed();
  }

 private:
  int sync_points_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto late = job.sparse_array<Late>();
    late[0].insert();
    late[0].send<&Late::go_on>();
  });
}
