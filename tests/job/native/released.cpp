// SPDX-License-Identifier: Apache-2.0
// Sections that are made, used and released again and again, by elements that move: calls before the release
// run, calls after it reach no element, incomplete reductions are dropped, members that do not exist delay
// nothing, and no PE uses more memory after many sections, and LB steps, than after few.
#include <malloc.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "tests/job/native/check.hpp"

namespace {

constexpr int cells = 12, late_rounds = 10, warm_up = 300, rounds = 600, between_measurements = 100,
              measurements = 1 + (rounds - warm_up) / between_measurements;
/// A section that is not released takes several hundred bytes at its root, and a member's count more than 48:
/// over a hundred rounds that is more than three times this limit, on each of three PEs. So does anything
/// that an LB step leaves behind, from 250 bytes on. Such a leak shows in each hundred rounds; memory that
/// grows with use by chance does not grow in all three.
constexpr long most_growth = 8 * 1024;

bool is_member(int round, int i) { return (7 * i + round) % 3 != 0; }

class Cell;
using Section = skein::Section<Cell>;

/// One on every PE: measures how much memory is in use.
class Meter : public skein::Chare<Meter, skein::Index1> {
 public:
  void measure() {
    const auto now = static_cast<long>(mallinfo2().uordblks);
    if (before_ != 0) least_growth_ = std::min(least_growth_, now - before_);
    before_ = now;
    if (++measured_ == measurements && least_growth_ > most_growth)
      throw std::runtime_error("in each hundred rounds " + std::to_string(least_growth_) +
                               " bytes more come into use");
    contribute(skein::to_function<void>([] { go_on(); }));
  }

 private:
  static void go_on();
  int measured_ = 0;
  long before_ = 0, least_growth_ = std::numeric_limits<long>::max();
};
skein::Array<Meter> meters;  // on PE 0

class Cell : public skein::Chare<Cell, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& round_& worked_;
  }

  void begin_round() {
    const Section some =
        skein::section(array(), [round = round_](const skein::Index1& i) { return is_member(round, i[0]); });
    some.broadcast<&Cell::work>(some);
  }
  void work(const Section& some) {
    EXPECT(is_member(round_, index()[0]));
    ++worked_;
    contribute(some, index()[0], skein::sum, skein::to<&Cell::summed>(array()[round_ % cells]));
    contribute(some, skein::to<&Cell::all_worked>(some));
    // This reduction is never complete: of cells 3, 7 and 11 two are members.
    if (index()[0] % 2 == 0) contribute(some, 1, skein::greatest, skein::to<&Cell::never>(array()[0]));
    if (index()[0] == (is_member(round_, 0) ? 0 : 1)) array()[round_ % cells].send<&Cell::know>(some);
  }
  void all_worked() {}
  void know(Section some) {
    some_ = some;
    end_if_done();
  }
  void summed(int sum) {
    int expected = 0;
    for (int i = 0; i < cells; ++i) expected += is_member(round_, i) ? i : 0;
    EXPECT_EQUAL(sum, expected);
    summed_ = true;
    end_if_done();
  }
  /// Calls from one PE arrive in order at the PE where the section was made.
  void end_section(const Section& some) {
    some.release();
    some.broadcast<&Cell::never>(round_);
    some.release();
    array().broadcast<&Cell::contribute_late>(some);
  }
  void contribute_late(const Section& some) {
    EXPECT_EQUAL(worked_, is_member(round_, index()[0]) ? 1 : 0);
    // These contributions may arrive before the release. After it each one, a mistake of the program, leaves
    // a count with the element, so there are only few.
    if (is_member(round_, index()[0]) && index()[0] % 4 == 1 && round_ < late_rounds)
      contribute(some, 1, skein::greatest, skein::to<&Cell::never>(array()[0]));
    worked_ = 0;
    ++round_;
    at_sync();
  }
  void never(int) { throw std::runtime_error("a call that goes to nobody has come"); }
  void resume_from_sync() {
    contribute(round_, skein::greatest, skein::to_function<int>([](int round) { after_round(round); }));
  }

 private:
  void end_if_done() {
    if (!summed_ || some_.size() == 0) return;
    array()[(round_ + 5) % cells].send<&Cell::end_section>(std::exchange(some_, {}));
    summed_ = false;
  }
  static void after_round(int round);

  int round_ = 0, worked_ = 0;
  // These members are empty while the element moves.
  Section some_;
  bool summed_ = false;
};
skein::Array<Cell> all_cells;  // on PE 0
int round_now = 0;

void Cell::after_round(int round) {
  round_now = round;
  if (round >= warm_up && (round - warm_up) % between_measurements == 0)
    skein::Job().at_quiescence(skein::to<&Meter::measure>(meters));
  else
    all_cells[round % cells].send<&Cell::begin_round>();
}
void Meter::go_on() {
  if (round_now == rounds) return native_test::passed();
  all_cells[round_now % cells].send<&Cell::begin_round>();
}

/// A sparse array's elements: one member ends, and one never comes.
class Guest : public skein::Chare<Guest, skein::Index1> {
 public:
  void leave(const skein::Section<Guest>& guests) {
    destroy();
    guests.release();
  }
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    all_cells = job.array<Cell>(cells);
    meters = job.group<Meter>();
    const auto guests = job.sparse_array<Guest>();
    guests[5].insert();
    guests[5].send<&Guest::leave>(skein::section(guests, {5, 6}));
    skein::section(guests, {}).release();
    all_cells[0].send<&Cell::begin_round>();
  });
}
