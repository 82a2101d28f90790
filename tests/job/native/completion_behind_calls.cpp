// SPDX-License-Identifier: Apache-2.0
// Completion is detected while a PE still has the report of its counts in a long queue: the PE is asked twice
// before the report's turn comes, and then has nothing to add.
#include "tests/job/native/check.hpp"

namespace {

constexpr int rounds = 10, calls = 100;
constexpr double call_seconds = 2e-4;

/// PE 0 and the last PE pass one item to and fro.
struct Member : skein::Chare<Member, skein::Index1> {
  void begin() {
    const auto detector =
        skein::CompletionDetector::begin("hand-over", 1, skein::to<&Member::end_half>(self()));
    detector.produce();
    detector.done();
    array()[skein::pe_count() - 1].send<&Member::take>(detector);
  }
  /// PE 0's reports so far look complete: one item produced, one consumed. Then PE 0 is told of two.
  void take(skein::CompletionDetector detector) {
    for (int i = 0; i < calls; ++i) self().send<&Member::compute>();
    detector.produce();
    detector.consume();
    array()[0].expedited().send<&Member::take_back>(detector);
    self().send<&Member::compute_last>();
  }
  void take_back(skein::CompletionDetector detector) { detector.consume(); }
  void compute() {
    const double begun = skein::job_seconds();
    while (skein::job_seconds() < begun + call_seconds) {
    }
  }
  void compute_last() { array()[0].send<&Member::end_half>(); }
  /// Is called when the other PE's queue is done, and when completion is detected.
  void end_half() {
    if (++halves_ % 2 != 0) return;
    if (halves_ < 2 * rounds) return begin();
    native_test::passed();
  }

 private:
  int halves_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) { job.group<Member>()[0].send<&Member::begin>(); });
}
