// SPDX-License-Identifier: Apache-2.0
// Calls to elements that have just moved, and that move after every call: each arrives once. There are so
// many that the program would not end in time if each call was forwarded by itself at each move.
#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 7, senders = 5;
constexpr long aggregated = 50'000, sent = 1'500, asked = 50;

void hop_on(auto& element) { element.migrate_to((skein::this_pe() + 1) % skein::pe_count()); }

class Target : public skein::Chare<Target, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& calls_& sum_;
  }
  void hop() { hop_on(*this); }
  void take(long number, double half) {
    EXPECT_EQUAL(half, 0.5 * static_cast<double>(number));
    ++calls_;
    sum_ += number;
  }
  void take_and_hop(long number, double half) {
    take(number, half);
    hop();
  }
  long answer(long number) {
    take_and_hop(number, 0.5 * static_cast<double>(number));
    return number + index()[0];
  }
  void stop() { at_sync(); }
  void resume_from_sync() { tell(); }
  void tell() {
    contribute(std::vector{calls_, sum_}, skein::sum,
               skein::to_function<std::vector<long>>([](const std::vector<long>& all) { next_phase(all); }));
    calls_ = sum_ = 0;
  }
  static void next_phase(const std::vector<long>& all);

 private:
  long calls_ = 0, sum_ = 0;
};

skein::Array<Target> targets;  // on PE 0

class Sender : public skein::Chare<Sender, skein::Index1> {
 public:
  explicit Sender(skein::Array<Target> all = {}) : targets_(all) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& targets_;
  }
  /// One method moves an element and calls it.
  void aggregate(bool hopping, int priority) {
    for (int i = 0; i < elements; ++i) targets_[i].send<&Target::hop>();
    for (long i = 0; i < aggregated; ++i) {
      const auto to = targets_[static_cast<int>(i) % elements].prioritized(priority);
      const double half = 0.5 * static_cast<double>(i);
      if (hopping)
        skein::aggregate<&Target::take_and_hop>(to, i, half);
      else
        skein::aggregate<&Target::take>(to, i, half);
    }
  }
  void send() {
    for (long i = 0; i < sent; ++i) targets_[0].send<&Target::take_and_hop>(i, 0.5 * static_cast<double>(i));
  }
  skein::Flow ask() {
    for (long i = 0; i < asked; ++i) EXPECT_EQUAL(co_await targets_[1].ask<&Target::answer>(i), i + 1);
  }

 private:
  skein::Array<Target> targets_;
};

skein::Array<Sender> all_senders;
int phase = 0;
std::pair<long, long> expected{0, 0};

void expect_next(long numbers) { expected = {senders * numbers, senders * numbers * (numbers - 1) / 2}; }

void Target::next_phase(const std::vector<long>& all) {
  EXPECT_EQUAL(all[0], expected.first);
  EXPECT_EQUAL(all[1], expected.second);
  if (phase < 3) {  // plainly, hopping, and with a priority that forwarded calls keep
    expect_next(aggregated);
    all_senders.broadcast<&Sender::aggregate>(phase == 1, phase == 2 ? -1 : 0);
  } else if (phase == 3) {
    expect_next(sent);
    all_senders.broadcast<&Sender::send>();
  } else if (phase == 4) {
    expect_next(asked);
    all_senders.broadcast<&Sender::ask>();
  } else {
    return native_test::passed();
  }
  ++phase;
  skein::Job().at_quiescence(skein::to_function<void>([] { targets.broadcast<&Target::stop>(); }));
}

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    targets = job.array<Target>(elements);
    all_senders = job.array<Sender>(senders, targets);
    targets.broadcast<&Target::tell>();
  });
}
