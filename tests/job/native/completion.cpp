// SPDX-License-Identifier: Apache-2.0
// Completion is detected when everything that was produced has been consumed, while other calls never cease:
// the job is quiescent only at its end. Items that are passed on are produced again before they are consumed.
#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 9, items = 40, detectors = 4;

/// One on each PE, always with something to do.
struct Other : skein::Chare<Other, skein::Index1> {
  bool stopped = false;
  void spin() {
    if (!stopped) self().send<&Other::spin>();
  }
  void stop() { stopped = true; }
};

class Worker : public skein::Chare<Worker, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& taken_& answers_& sum_& others_;
  }

  skein::Flow run(int number, skein::Array<Other> others) {
    others_ = others;
    if (index()[0] == 0) {
      const auto over = skein::Future<void>::make();
      array().broadcast<&Worker::produce>(
          skein::CompletionDetector::begin("exchange " + std::to_string(number), elements, skein::to(over)));
      co_await over;
      array().broadcast<&Worker::check>(number);
    }
  }
  void produce(skein::CompletionDetector detector) {
    for (int i = 0; i < items; ++i) {
      detector.produce();
      array()[(index()[0] + i) % elements].send<&Worker::take>(detector, i % 5);
    }
    detector.done();
  }
  /// Passes an item on to `hops` further elements.
  void take(skein::CompletionDetector detector, int hops) {
    ++taken_;
    if (hops > 0) {
      detector.produce();
      array()[(index()[0] * 2 + hops) % elements].send<&Worker::take>(detector, hops - 1);
    }
    detector.consume();
    if (taken_ % 16 == 0) migrate_to((skein::this_pe() + 1) % skein::pe_count());
  }

  /// An item with h hops is taken h + 1 times: 3 on average over h = 0, ..., 4.
  void check(int number) { array()[0].send<&Worker::add_up>(taken_, number); }
  void add_up(int taken, int number) {
    sum_ += taken;
    if (++answers_ < elements) return;
    EXPECT_EQUAL(sum_, (number + 1) * elements * items * 3);
    answers_ = sum_ = 0;
    if (number + 1 < detectors) return array().broadcast<&Worker::run>(number + 1, others_);
    native_test::passed();
    others_.broadcast<&Other::stop>();
  }

 private:
  int taken_ = 0, answers_ = 0, sum_ = 0;
  skein::Array<Other> others_;
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto others = job.group<Other>();
    others.broadcast<&Other::spin>();
    job.array<Worker>(elements).broadcast<&Worker::run>(0, others);
  });
}
