// SPDX-License-Identifier: Apache-2.0
// An element ends and is inserted anew on another PE, again and again, while its home PE is busy: the news of
// the end and of the new element arrive at the home in any order, and calls by way of the home reach the new
// element. The same holds for elements that move before they end.
#include <chrono>

#include "tests/job/native/check.hpp"

namespace {

constexpr int rounds = 300;

/// Returns an index whose home is the last PE.
skein::Index1 index_at_last() {
  int i = 0;
  while (skein::hash_of(skein::Index1(i)) % skein::pe_count() != static_cast<unsigned>(skein::pe_count() - 1))
    ++i;
  return i;
}
int middle_pe() { return skein::pe_count() / 2; }

class Keeper;

class Guest : public skein::Chare<Guest, skein::Index1> {
 public:
  explicit Guest(skein::Array<Keeper> keepers = {}, int life = 0) : keepers_(keepers), life_(life) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& keepers_& life_;
  }
  void wander(int moves) {
    if (moves == 0) return leave();
    migrate_to((skein::this_pe() + 1) % skein::pe_count());
    self().send<&Guest::wander>(moves - 1);
  }
  void leave();
  void answer(int life);

 private:
  skein::Array<Keeper> keepers_;
  int life_;
};

/// One on every PE. The one on PE 0 inserts, the one on the middle PE calls.
class Keeper : public skein::Chare<Keeper, skein::Index1> {
 public:
  void begin(skein::Array<Guest> guests) {
    guests_ = guests;
    contribute(skein::to<&Keeper::first_life>(array()[0]));
  }
  void first_life() {
    if (++round_ > rounds) return native_test::passed();
    guests_[index_at_last()].insert_on(middle_pe(), array(), 1);
    array()[skein::pe_count() - 1].send<&Keeper::compute>();
    array()[middle_pe()].send<&Keeper::see_off>(round_ % 3);
  }
  void see_off(int moves) { guests_[index_at_last()].send<&Guest::wander>(moves); }
  void compute() {
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < std::chrono::microseconds(200)) {
    }
  }
  void second_life() {
    guests_[index_at_last()].insert_on(0, array(), 2);
    array()[middle_pe()].send<&Keeper::ask>();
  }
  void ask() { guests_[index_at_last()].send<&Guest::answer>(2); }

 private:
  skein::Array<Guest> guests_;
  int round_ = 0;
};

/// The element ends when the method returns: an element that hears of it here must not insert the new one
/// earlier, at least on the same PE. Calls keep their order, and PE 0 does all insertions.
void Guest::leave() {
  destroy();
  keepers_[0].send<&Keeper::second_life>();
}
void Guest::answer(int life) {
  EXPECT_EQUAL(life_, life);
  destroy();
  keepers_[0].send<&Keeper::first_life>();
}

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto guests = job.sparse_array<Guest>();
    job.group<Keeper>().broadcast<&Keeper::begin>(guests);
  });
}
