// SPDX-License-Identifier: Apache-2.0
// Ordered channels between elements that move all the time, each by its own calls: what is sent over a
// channel arrives in order, whatever its size and however often both ends have moved meanwhile.
#include <map>

#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 9, channels = 3, rounds = 40, calls_a_round = 4;
constexpr int calls = rounds * calls_a_round;

class Talker : public skein::Chare<Talker, skein::Index1> {
 public:
  Talker() {
    for (int i = 0; i < channels; ++i) to_.emplace_back(array()[(index()[0] + 2 * i + 1) % elements]);
    unfinished();
  }
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& to_& round_& heard_& hops_;
  }

  void speak() {
    for (auto& channel : to_)
      for (int i = 0; i < calls_a_round; ++i) {
        const int number = round_ * calls_a_round + i;
        // Long and short ones take different ways between PEs.
        channel.send<&Talker::hear>(index()[0], number,
                                    std::vector<int>(number % 7 == 3 ? 20'000 : 1, number));
      }
    hop();
    if (++round_ < rounds) self().send<&Talker::speak>();
  }
  void hear(int from, int number, const std::vector<int>& data) {
    EXPECT_EQUAL(number, heard_[from]);
    for (const int value : data) EXPECT_EQUAL(value, number);
    ++heard_[from];
    if (number % 5 == 0) hop();
    for (const auto& [who, count] : heard_)
      if (heard_.size() < channels || count < calls) return;
    finished();
    at_sync();
  }
  void resume_from_sync() {
    contribute(1, skein::sum, skein::to_function<int>([](int all) {
                 EXPECT_EQUAL(all, elements);
                 native_test::passed();
               }));
  }

 private:
  void hop() { migrate_to((skein::this_pe() + 1 + hops_++ % 2) % skein::pe_count()); }

  std::vector<skein::Ordered<Talker>> to_;
  int round_ = 0, hops_ = 0;
  std::map<int, int> heard_;  // how many calls from whom
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv,
                    [](skein::Job& job) { job.array<Talker>(elements).broadcast<&Talker::speak>(); });
}
