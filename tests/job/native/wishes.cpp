// SPDX-License-Identifier: Apache-2.0
// destroy() and migrate_to() that cannot be granted at once: a thread or flow of an element bound to the
// asking one is under way, and the asking method is called inside another, or plainly.
#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 24;

class Partner;

class Leader : public skein::Chare<Leader, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& partners_& moves_;
  }
  void start(const skein::Array<Partner>& partners);
  void resume_from_sync();
  void just_moved() { ++moves_; }

  bool ends() const { return index()[0] % 2 == 1; }
  void wish() {
    if (ends())
      destroy();
    else
      migrate_to((skein::this_pe() + 1) % skein::pe_count());
  }
  void count() {
    EXPECT(!ends());
    EXPECT_EQUAL(moves_, skein::pe_count() > 1 ? 1 : 0);
    contribute(1, skein::sum, skein::to_function<int>([](int left) {
                 EXPECT_EQUAL(left, elements / 2);
                 native_test::passed();
               }));
  }

 private:
  skein::Array<Partner> partners_;
  int moves_ = 0;
};

class Partner : public skein::Chare<Partner, skein::Index1> {
 public:
  skein::Awaited<void()> released;
  explicit Partner(skein::Array<Leader> leaders = {}) : leaders_(leaders) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& leaders_& value_;
  }
  void wait_in_thread(int value) {
    const int here = begin(value);
    wait_for(when<&Partner::released>());
    end(value, here);
  }
  skein::Flow wait_in_flow(int value) {
    const int here = begin(value);
    co_await when<&Partner::released>();
    end(value, here);
  }
  /// Runs after some turns of the queue, in which wishes might be granted too early.
  void release(int turns) {
    EXPECT(leaders_[index()].local() != nullptr);
    leaders_[index()].send<&Leader::ends>();
    if (turns > 0)
      self().send<&Partner::release>(turns - 1);
    else
      self().send<&Partner::released>();
  }
  using Threaded = skein::Methods<&Partner::wait_in_thread>;

 private:
  int begin(int value) {
    value_ = value;
    const auto leader = leaders_[index()];
    switch (index()[0] / 2 % 3) {
      case 0:
        leader.local()->wish();
        break;
      case 1:
        leader.call<&Leader::wish>();
        break;
      default:
        leader.send<&Leader::wish>();
    }
    self().send<&Partner::release>(3);
    return skein::this_pe();
  }
  void end(int value, int begun_on) {
    EXPECT_EQUAL(value_, value);
    EXPECT_EQUAL(skein::this_pe(), begun_on);
    EXPECT(leaders_[index()].local() != nullptr);
  }

  skein::Array<Leader> leaders_;
  int value_ = 0;
};

void Leader::start(const skein::Array<Partner>& partners) {
  partners_ = partners;
  at_sync();
}

void Leader::resume_from_sync() {
  moves_ = 0;
  const auto partner = partners_[index()];
  if (ends() || index()[0] % 4 == 0)  // flows of elements that end are ended while they wait
    partner.send<&Partner::wait_in_thread>(7 * index()[0]);
  else
    partner.send<&Partner::wait_in_flow>(7 * index()[0]);
  if (index()[0] == 0) skein::Job().at_quiescence(skein::to<&Leader::count>(array()));
}

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto leaders = job.array<Leader>(elements);
    const auto partners = job.array<Partner>(skein::bound_to(leaders), leaders);
    leaders.broadcast<&Leader::start>(partners);
  });
}
