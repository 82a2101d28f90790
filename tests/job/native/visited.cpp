// SPDX-License-Identifier: Apache-2.0
// Elements that have gone on from a sync point call others, which then move by themselves, perhaps to a PE
// that has gone on, too, and from one that has not yet: every element goes on from the point exactly once.
// With a period of seconds most sync points gather the elements and are no LB step.
#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 24, rounds = 300;

class Host : public skein::Chare<Host, skein::Index1> {
 public:
  explicit Host(bool gathered = false) : gathered_(gathered) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& gathered_& waits_& round_& visits_;
  }
  void start() { at_sync(); }
  void resume_from_sync() {
    EXPECT(!waits_);
    waits_ = true;
    ++round_;
    array()[(index()[0] + round_) % elements].send<&Host::visit>();
    go_on();
  }
  /// Comes once in each round, perhaps before this element has gone on itself.
  void visit() {
    if (++visits_ % 3 != index()[0] % 3) migrate_to((skein::this_pe() + 1) % skein::pe_count());
    if (gathered_) EXPECT(visits_ == round_ || visits_ == round_ + 1);
    go_on();
  }
  /// Comes at any time, also when this element is at its next sync point and others have not gone on from the
  /// last.
  void push() { migrate_to((skein::this_pe() + index()[0]) % skein::pe_count()); }

 private:
  void go_on() {
    if (!waits_ || visits_ < round_) return;
    waits_ = false;
    array()[(index()[0] + 7) % elements].send<&Host::push>();
    if (round_ < rounds) return at_sync();
    contribute(visits_, skein::sum, skein::to_function<int>([](int visits) {
                 EXPECT_EQUAL(visits, elements * rounds);
                 native_test::passed();
               }));
  }

  bool gathered_, waits_ = false;  // every sync point gathers all; the visit of this round
  int round_ = 0, visits_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const bool gathered = argc > 1 && std::string_view(argv[1]) == "--gathered";
  return skein::run(argc, argv, [gathered](skein::Job& job) {
    job.array<Host>(elements, gathered).broadcast<&Host::start>();
  });
}
