// SPDX-License-Identifier: Apache-2.0
// Sums of numbers of very different size, whose value depends on the order of adding, over an array and a
// section, and the results of concat. The program prints them, and whether they equal its own combination
// from the first element to the last.
#include <cmath>

#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 40, rounds = 3;

double value_of(int i, int round) { return std::ldexp(1.0 + i / 7.0, (i * 37 + round * 11) % 80); }

class Member : public skein::Chare<Member, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& round_& evens_;
  }
  void start(const skein::Section<Member>& evens) {
    evens_ = evens;
    round();
  }
  void resume_from_sync() { round(); }

 private:
  void round() {
    const int i = index()[0];
    contribute(std::tuple(round_, value_of(i, round_)), skein::each(skein::greatest, skein::sum),
               skein::to_function<std::tuple<int, double>>([](std::tuple<int, double> r) { show(r, 1); }));
    if (i % 2 == 0)
      contribute(evens_, std::tuple(round_, value_of(i, round_)), skein::each(skein::greatest, skein::sum),
                 skein::to_function<std::tuple<int, double>>([](std::tuple<int, double> r) { show(r, 2); }));
    contribute(std::vector<int>{i}, skein::concat,
               skein::to_function<std::vector<int>>([](const std::vector<int>& all) {
                 bool sorted = true;
                 for (int k = 0; k < elements; ++k) sorted &= all[static_cast<std::size_t>(k)] == k;
                 printf("joined %s\n", sorted ? "in order" : "anyhow");
               }));
    if (++round_ < rounds) at_sync();
  }
  static void show(const std::tuple<int, double>& round_and_sum, int stride) {
    const auto [round, sum] = round_and_sum;
    double expected = value_of(0, round);
    for (int i = stride; i < elements; i += stride) expected += value_of(i, round);
    printf("round %d stride %d: %a %s\n", round, stride, sum, sum == expected ? "in order" : "anyhow");
    fflush(stdout);
  }

  int round_ = 0;
  skein::Section<Member> evens_;
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto members = job.array_placed<Member>(skein::RoundRobinMap{}, elements);
    members.broadcast<&Member::start>(
        skein::section(members, [](const skein::Index1& i) { return i[0] % 2 == 0; }));
  });
}
