// SPDX-License-Identifier: Apache-2.0
// Elements come, end and split between asking for a decision and its application, at every sync point:
// decisions name elements that have ended, and others exist when they are applied. Each cell carries weight;
// a cell that splits off, or gives away at its end, passes weight to another, so the sum stays. No element is
// ever on a PE that only decides, pinned ones stay where they were made, and no weight is lost.
//
// By hand: `cells` elements begin with the weight 12 each. At each of the first `rounds` points a cell with
// an even number in an even round, or an odd one in an odd, inserts a child that gets half of its weight; a
// child ends at the second point after its insertion and gives its weight back to its parent. With --pinned
// all elements are pinned.
#include "tests/job/native/check.hpp"

namespace {

constexpr int cells = 12, rounds = 40, weight = 12;

native_test::Moves wanted = native_test::Moves::none;
bool all_pinned = false;

class Cell : public skein::Chare<Cell, skein::Index2> {
 public:
  Cell() { EXPECT(skein::this_pe() < skein::pe_count()); }
  Cell(long given, int round) : Cell() {
    weight_ = given;
    born_ = round_ = round;
    settle();
  }
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& weight_& born_& round_& moves_& made_on_& children_& at_end_;
  }

  void start() {
    weight_ = weight;
    settle();
    step();
  }
  /// At the point where a child is made its parent stands too: both have passed the same points.
  void step() {
    EXPECT(skein::this_pe() < skein::pe_count());
    if (all_pinned) EXPECT_EQUAL(skein::this_pe(), made_on_);
    const bool is_child = index()[1] > 0;
    if (is_child && round_ == born_ + 2) {
      array()[{index()[0], 0}].send<&Cell::take_back>(weight_);
      return destroy();
    }
    if (!is_child && round_ < rounds && (index()[0] + round_) % 2 == 0) {
      const auto child = array()[{index()[0], round_ + 1}];
      child.insert(weight_ / 2, round_);
      child.send<&Cell::step>();
      weight_ -= weight_ / 2;
      ++children_;
    }
    if (!is_child && round_ == rounds + 3) return end();
    ++round_;
    at_sync();
  }
  void take_back(long given) {
    weight_ += given;
    --children_;
    if (at_end_) end();
  }
  void resume_from_sync() { step(); }
  void just_moved() {
    EXPECT(skein::this_pe() < skein::pe_count());
    ++moves_;
  }

 private:
  /// If no element waits, a child may be many points behind.
  void end() {
    at_end_ = true;
    if (children_ > 0) return;
    EXPECT_EQUAL(weight_, weight);
    contribute(std::tuple(weight_, moves_), skein::each(skein::sum, skein::sum),
               skein::to_function<std::tuple<long, int>>([](std::tuple<long, int> sums) {
                 EXPECT_EQUAL(std::get<0>(sums), cells * weight);
                 EXPECT_MOVES(std::get<1>(sums), wanted);
                 native_test::passed();
               }));
  }
  void settle() {
    made_on_ = skein::this_pe();
    if (all_pinned) pin();
  }

  long weight_ = 0;
  int born_ = 0, round_ = 0, moves_ = 0, made_on_ = 0, children_ = 0;
  bool at_end_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) all_pinned |= std::string_view(argv[i]) == "--pinned";
  wanted = all_pinned ? native_test::Moves::none : native_test::moves_wanted(argc, argv);
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto all = job.sparse_array<Cell>();
    for (int i = 0; i < cells; ++i) {
      all[{i, 0}].insert();
      all[{i, 0}].send<&Cell::start>();
    }
  });
}
