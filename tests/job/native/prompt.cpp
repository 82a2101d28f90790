// SPDX-License-Identifier: Apache-2.0
// A PE looks for messages by the clock: between two long calls, whatever else waits to run. The last PE has
// many such calls in its queue; an expedited call from PE 0 runs after at most two of them.
#include "tests/job/native/check.hpp"

namespace {

constexpr int rounds = 10, calls = 200;
constexpr double call_seconds = 2e-4;
// One call may begin between the look and the message, and a second if the clocks of two PEs differ a little.
constexpr int most_late = 2;

struct Member : skein::Chare<Member, skein::Index1> {
  void begin() {
    begun_.clear();
    at_stop_ = -1;
    for (int i = 0; i < calls; ++i) self().send<&Member::compute>();
    array()[0].send<&Member::interrupt>(index()[0]);
  }
  void compute() {
    if (at_stop_ >= 0) return;
    begun_.push_back(skein::job_seconds());
    while (skein::job_seconds() < begun_.back() + call_seconds) {
    }
  }
  void interrupt(int whom) {
    array()[whom].expedited().send<&Member::stop>();
    array()[whom].expedited().send<&Member::was_stopped_by>(skein::job_seconds());
  }
  void stop() { at_stop_ = static_cast<int>(begun_.size()); }
  void was_stopped_by(double when) {
    int late = 0;
    for (int i = 0; i < at_stop_; ++i) late += begun_[static_cast<std::size_t>(i)] > when;
    late_ += late;
    if (++round_ < rounds) return self().send<&Member::begin>();  // behind the calls of this round
    EXPECT(late_ <= rounds * most_late);
    native_test::passed();
  }

 private:
  std::vector<double> begun_;
  int at_stop_ = -1, late_ = 0, round_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto members = job.group<Member>();
    members[skein::pe_count() - 1].send<&Member::begin>();
  });
}
