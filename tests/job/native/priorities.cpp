// SPDX-License-Identifier: Apache-2.0
// Calls that wait on one PE run in the order of their priorities, equal ones in the order of arrival; calls
// with priorities find elements on other PEs, elements that have moved, and elements that come later.
#include "tests/job/native/check.hpp"

namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
constexpr int others = 8, calls = 30;

class Patient : public skein::Chare<Patient, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& seen_& hops_;
  }

  /// All calls wait behind this one.
  void start() {
    const auto me = self();
    me.prioritized(lowest).send<&Patient::last>();
    me.prioritized(7).send<&Patient::see>(9);
    me.send<&Patient::see>(5);
    me.prioritized(-3).send<&Patient::see>(2);
    me.prioritized(7).send<&Patient::see>(10);
    me.prioritized(-std::int64_t{1} << 40).send<&Patient::see>(1);
    me.send<&Patient::see>(6);
    me.prioritized(-3).send<&Patient::see>(3);
    me.expedited().send<&Patient::see>(0);
    me.prioritized(-2).send<&Patient::see>(4);
    me.prioritized(0).send<&Patient::see>(7);
    me.prioritized(1).send<&Patient::see>(8);
  }
  void see(int number) { seen_.push_back(number); }
  void last() {
    EXPECT_EQUAL(seen_.size(), std::size_t{11});
    for (int i = 0; i < 11; ++i) EXPECT_EQUAL(seen_[static_cast<std::size_t>(i)], i);
    seen_.clear();
    contribute(skein::to<&Patient::meet>(array()));
  }
  void meet() { at_sync(); }
  void resume_from_sync() {
    if (index()[0] != 0) return;  // all are past last()
    for (int i = 0; i < calls; ++i)
      for (int other = 0; other < others; ++other)
        array()[other].prioritized(i % 5 - 2).send<&Patient::hop>(i);
  }
  void hop(int number) {
    seen_.push_back(number);
    migrate_to((skein::this_pe() + ++hops_) % skein::pe_count());
    if (static_cast<int>(seen_.size()) < calls) return;
    std::ranges::sort(seen_);
    for (int i = 0; i < calls; ++i) EXPECT_EQUAL(seen_[static_cast<std::size_t>(i)], i);
    contribute(skein::to_function<void>([] { native_test::passed(); }));
  }

 private:
  std::vector<int> seen_;
  int hops_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv,
                    [](skein::Job& job) { job.array<Patient>(others).broadcast<&Patient::start>(); });
}
