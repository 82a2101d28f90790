// SPDX-License-Identifier: Apache-2.0
// PEs that are never idle: on each an element calls itself until it is told to stop: by a reduction to which
// an element contributes before it leaves, by one over a section, and by the answer to an aggregated call.
// None of these may wait for an idle PE.
#include "tests/job/native/check.hpp"

namespace {

constexpr int rounds = 4;

class Spinner : public skein::Chare<Spinner, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& others_& round_& stops_& spins_;
  }
  void begin(const skein::Section<Spinner>& others) {
    others_ = others;
    begin_round();
  }
  void spin(int round) {
    if (round != round_) return;
    if (++spins_ == 100) work();
    self().send<&Spinner::spin>(round);
  }
  void answer(int to) { array()[to].send<&Spinner::stop>(); }
  void stop_all(int contributions) {
    EXPECT_EQUAL(contributions, 2 * skein::pe_count());
    stop();
  }
  void stop_others(int contributions) {
    EXPECT_EQUAL(contributions, skein::pe_count());
    stop();
  }
  void stop() {
    if (++stops_ < 2) return;  // one stop of the whole array, one of its kind
    ++round_;
    stops_ = spins_ = 0;
    if (round_ == rounds)
      contribute(1, skein::sum, skein::to_function<int>([](int all) {
                   EXPECT_EQUAL(all, 2 * skein::pe_count());
                   native_test::passed();
                 }));
    else
      at_sync();
  }
  void resume_from_sync() { begin_round(); }

 private:
  // Odd elements leave for the next PE when they have contributed.
  bool is_passenger() const { return index()[0] % 2 == 1; }
  void begin_round() { self().send<&Spinner::spin>(round_); }
  void work() {
    if (is_passenger()) {
      contribute(others_, 1, skein::sum, skein::to<&Spinner::stop_others>(others_));
      contribute(1, skein::sum, skein::to<&Spinner::stop_all>(array()));
      migrate_to((skein::this_pe() + 1) % skein::pe_count());
    } else {
      skein::aggregate<&Spinner::answer>(array()[(index()[0] + 3) % (2 * skein::pe_count())], index()[0]);
      contribute(1, skein::sum, skein::to<&Spinner::stop_all>(array()));
    }
  }

  skein::Section<Spinner> others_;
  int round_ = 0;
  int stops_ = 0, spins_ = 0;  // in this round
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto spinners = job.array<Spinner>(2 * job.pes());
    const auto odd = skein::section(spinners, [](const skein::Index1& i) { return i[0] % 2 == 1; });
    spinners.broadcast<&Spinner::begin>(odd);
  });
}
