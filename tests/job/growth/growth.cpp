// SPDX-License-Identifier: Apache-2.0
// A native program that does one thing so often, for what it takes to be counted (growth.py):
//   growth broadcasts N    N broadcasts, each followed by a reduction
//   growth insertions N    every PE inserts N elements at once, on the next PE
//   growth quiescence N    N times quiescence, one after the other
//   growth detections N    N completion detectors, each with a producer on every PE
//   growth steps N         N LB steps; every second PE has thrice the load of others
#include <cstdlib>
#include <string>

#include "tests/job/native/check.hpp"

namespace {

constexpr int elements_a_pe = 4;
// On every PE:
std::string what;
int times = 0;

int rests = 0;  // on PE 0
void rest() {
  if (rests++ == times) return native_test::passed();
  skein::Job().at_quiescence(skein::to_function<void>([] { rest(); }));
}

class Guest : public skein::Chare<Guest, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar&, unsigned) {}
  void count() {
    contribute(1, skein::sum, skein::to_function<int>([](int all) { check(all); }));
  }

 private:
  static void check(int all) {
    EXPECT_EQUAL(all, times * skein::pe_count());
    native_test::passed();
  }
};

class Cell : public skein::Chare<Cell, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& done_& guests_;
  }
  double load() const { return pe() % 2 == 0 ? 3 : 1; }

  void start(skein::Array<Guest> guests) {
    guests_ = guests;
    if (what == "broadcasts") hear();
    if (what == "insertions") insert();
    if (what == "detections" && index()[0] == 0) detect();
    if (what == "steps") at_sync();
  }

  void hear() { contribute(1, skein::sum, skein::to<&Cell::heard>(array()[0])); }
  void heard(int all) {
    EXPECT_EQUAL(all, elements_a_pe * skein::pe_count());
    if (++done_ == times) return native_test::passed();
    array().broadcast<&Cell::hear>();
  }

  void insert() {
    if (!is_first()) return;
    for (int i = 0; i < times; ++i) guests_[pe() * times + i].insert_on((pe() + 1) % skein::pe_count());
  }

  void detect() {
    if (done_++ == times) return native_test::passed();
    array().broadcast<&Cell::produce>(
        skein::CompletionDetector::begin("all", skein::pe_count(), skein::to<&Cell::detect>(self())));
  }
  void produce(skein::CompletionDetector detector) {
    if (!is_first()) return;
    detector.produce();
    array()[(index()[0] + elements_a_pe) % (elements_a_pe * skein::pe_count())].send<&Cell::consume>(
        detector);
    detector.done();
  }
  void consume(skein::CompletionDetector detector) { detector.consume(); }

  void resume_from_sync() {
    if (++done_ < times) return at_sync();
    contribute(1, skein::sum, skein::to<&Cell::stepped>(array()[0]));
  }
  void stepped(int) { native_test::passed(); }

 private:
  int pe() const { return index()[0] / elements_a_pe; }
  bool is_first() const { return index()[0] % elements_a_pe == 0; }

  int done_ = 0;
  skein::Array<Guest> guests_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  what = argv[1];
  times = std::atoi(argv[2]);
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto guests = job.sparse_array<Guest>();
    job.array<Cell>(elements_a_pe * skein::pe_count()).broadcast<&Cell::start>(guests);
    if (what == "quiescence") rest();
    if (what == "insertions") {
      static skein::Array<Guest> all;
      all = guests;
      job.at_quiescence(skein::to_function<void>([] { all.broadcast<&Guest::count>(); }));
    }
  });
}
