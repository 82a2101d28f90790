// SPDX-License-Identifier: Apache-2.0
// Insertions with priorities. A PE that always has a call in its queue makes an element that was inserted
// with a later priority only when the calls end, and after one that was inserted later without a priority; an
// LB step that is requested meanwhile neither waits for the element nor loses it.
#include "tests/job/native/check.hpp"

namespace {

constexpr int longest = 10'000'000;

// Of this PE.
int busy = 0, made_while_busy = 0;

class Made : public skein::Chare<Made, skein::Index2> {
 public:
  static constexpr bool moves_anytime = true;
  explicit Made(bool at_leisure = false) : at_leisure_(at_leisure) {
    made_while_busy += !at_leisure;
    if (at_leisure) EXPECT_EQUAL(busy, 0);
  }
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& at_leisure_;
  }
  /// This call is sent before the element exists.
  void call(bool at_leisure) {
    EXPECT_EQUAL(at_leisure_, at_leisure);
    skein::to_function<int>([](int count) { arrived(count); })(1);
    destroy();
  }
  static void arrived(int count);

 private:
  bool at_leisure_;
};

skein::ReadOnly<skein::Array<Made>> all_made;

/// One on each PE.
class Site : public skein::Chare<Site, skein::Index1> {
 public:
  void start(int round) {
    const auto patient = (*all_made)[{skein::this_pe(), 2 * round}];
    const auto plain = (*all_made)[{skein::this_pe(), 2 * round + 1}];
    busy = 1;
    made_while_busy = 0;
    patient.prioritized(5).insert_on(skein::this_pe(), round == 0);
    plain.insert_on(skein::this_pe(), false);
    plain.send<&Made::call>(false);
    patient.send<&Made::call>(round == 0);
    if (round == 1) skein::start_lb();
    self().send<&Site::work>(0);
  }
  /// Keeps the PE busy until the last inserted element exists. In round 1 its calls are put aside meanwhile.
  void work(int count) {
    EXPECT(count < longest);
    if (made_while_busy == 0) return self().send<&Site::work>(count + 1);
    busy = 0;
  }
};

int round_now = 0, arrivals = 0;
skein::Array<Site> all_sites;

void Made::arrived(int count) {
  arrivals += count;
  if (arrivals < 2 * skein::pe_count()) return;
  arrivals = 0;
  if (++round_now < 2)
    all_sites.broadcast<&Site::start>(round_now);
  else
    native_test::passed();
}

}  // namespace

int main(int argc, char** argv) {
  round_now = arrivals = busy = made_while_busy = 0;
  return skein::run(argc, argv, [](skein::Job& job) {
    all_made.set(job.sparse_array<Made>());
    all_sites = job.group<Site>();
    all_sites.broadcast<&Site::start>(0);
  });
}
