// SPDX-License-Identifier: Apache-2.0
// A program that ends by exit() without a status. Elements of a ring count in a member what they hear from
// both neighbours, round by round, and wait in no flow; some move after each round. If all calls are made the
// job ends well; with `forgotten` one is not made, and the job comes to rest; `error` ends with a status.
#include <cstring>

#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 12, rounds = 6, forgetful = 7;
const char* way = "";

class Cell : public skein::Chare<Cell, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& round_& ended_& heard_;
  }
  void start() {
    const int left = (index()[0] + elements - 1) % elements, right = (index()[0] + 1) % elements;
    array()[right].send<&Cell::hear>(round_);
    if (strcmp(way, "forgotten") != 0 || round_ != 3 || index()[0] != forgetful)
      array()[left].send<&Cell::hear>(round_);
  }
  void hear(int round) {
    ++heard_[round % 2];
    while (heard_[round_ % 2] == 2) advance();
  }
  void end(int round) {
    EXPECT_EQUAL(round, rounds);
    if (++ended_ < elements) return;
    if (strcmp(way, "error") == 0) return skein::exit(7);
    printf("done\n");
    skein::exit();
  }

 private:
  void advance() {
    heard_[round_ % 2] = 0;
    if (++round_ == rounds) return array()[0].send<&Cell::end>(round_);
    if (index()[0] % 3 == 0) migrate_to((skein::this_pe() + 1) % skein::pe_count());
    start();
  }

  int round_ = 0, ended_ = 0;
  std::array<int, 2> heard_{};  // of this round and of the next one
};

}  // namespace

int main(int argc, char** argv) {
  way = argv[1];
  return skein::run(argc, argv, [](skein::Job& job) { job.array<Cell>(elements).broadcast<&Cell::start>(); });
}
