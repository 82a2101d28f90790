// SPDX-License-Identifier: Apache-2.0
// Twenty elements that all move, each adding its index: 0 + 1 + ... + 19 = 190.
#include <cstdio>
#include <skein/skein.hpp>

struct Worker : skein::Chare<Worker, skein::Index1> {
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& number;
  }
  void start() {
    number = index()[0];
    at_sync();
  }
  void resume_from_sync() {
    contribute(number, skein::sum, skein::to_function<int>([](int sum) { std::printf("sum %d\n", sum); }));
  }
  int number = 0;
};

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) { job.array<Worker>(20).broadcast<&Worker::start>(); });
}
