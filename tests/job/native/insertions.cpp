// SPDX-License-Identifier: Apache-2.0
// An element that is inserted gets exactly the broadcasts that come after its insertion, on any PE; so does
// an element bound to it.
#include "tests/job/native/check.hpp"

namespace {

constexpr int rounds = 60, steps = 3;

/// Records the rounds that it has heard, from its first on.
template <class Self>
class Listener : public skein::Chare<Self, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& heard_& steps_;
  }
  void hear(int round) {
    if (heard_.empty())
      EXPECT_EQUAL(round, this->index()[0]);
    else
      EXPECT_EQUAL(round, heard_.back() + 1);
    heard_.push_back(round);
  }

 protected:
  std::vector<int> heard_;
  int steps_ = 0;
};

class Late : public Listener<Late> {
 public:
  void synchronize() {
    EXPECT_EQUAL(static_cast<int>(heard_.size()), rounds - index()[0]);
    ++steps_;
    at_sync();
  }
  void resume_from_sync() {
    if (steps_ < steps) return synchronize();
    contribute(static_cast<long>(heard_.size()), skein::sum, skein::to_function<long>([](long all) {
                 EXPECT_EQUAL(all, long{rounds} * (rounds + 1) / 2);
                 native_test::passed();
               }));
  }
};
class Bound : public Listener<Bound> {
 public:
  void check() { EXPECT_EQUAL(static_cast<int>(heard_.size()), rounds - index()[0]); }
};

skein::Array<Late> late;
skein::Array<Bound> bound;

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    late = job.sparse_array<Late>();
    bound = job.array<Bound>(skein::bound_to(late));
    for (int round = 0; round < rounds; ++round) {
      late[round].insert_on(round % job.pes());
      late.broadcast<&Late::hear>(round);
      bound.broadcast<&Bound::hear>(round);
    }
    job.at_quiescence(skein::to_function<void>([] {
      bound.broadcast<&Bound::check>();
      late.broadcast<&Late::synchronize>();
    }));
  });
}
