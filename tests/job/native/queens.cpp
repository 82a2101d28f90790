// SPDX-License-Identifier: Apache-2.0
// n queens by a search whose nodes are chares of no array: each places a queen in the next row and creates a
// chare for each place where it can stand. A group adds up the solutions, whose number is known (OEIS
// A000170). Names may be used before the chare exists: its creator makes the first call of each.
#include "tests/job/native/check.hpp"

namespace {

constexpr std::int64_t solutions[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724};

struct Counter : skein::Chare<Counter, skein::Index1> {
  std::int64_t found = 0, nodes = 0;
  void add(std::int64_t more) { found += more; }
  void report() {
    contribute(std::tuple(found, nodes), skein::each(skein::sum, skein::sum),
               skein::to_function<std::tuple<std::int64_t, std::int64_t>>(
                   [](const std::tuple<std::int64_t, std::int64_t>& all) {
                     finish(std::get<0>(all), std::get<1>(all));
                   }));
  }
  static void finish(std::int64_t found, std::int64_t nodes);
};
skein::ReadOnly<skein::Array<Counter>> counters;
skein::ReadOnly<int> board_size;

/// The squares that the queens so far attack in the next row, as bits: columns and diagonals.
struct Board {
  std::uint32_t columns = 0, left = 0, right = 0;
  int row = 0;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& columns& left& right& row;
  }
};

class Node : public skein::Chare<Node> {
 public:
  explicit Node(Board board = {}) : board_(board) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& board_;
  }
  void search(int row) {
    EXPECT_EQUAL(row, board_.row);
    Counter* const counter = (*counters)[skein::this_pe()].local();
    ++counter->nodes;
    if (board_.row == *board_size) {
      counter->add(1);
      return destroy();
    }
    const std::uint32_t all = (1u << *board_size) - 1;
    for (std::uint32_t free = all & ~(board_.columns | board_.left | board_.right); free; free &= free - 1) {
      const std::uint32_t queen = free & -free;
      const auto child = skein::create<Node>(Board{board_.columns | queen, ((board_.left | queen) << 1) & all,
                                                   (board_.right | queen) >> 1, board_.row + 1});
      child.send<&Node::search>(board_.row + 1);
    }
    destroy();
  }

 private:
  Board board_;
};

void Counter::finish(std::int64_t found, std::int64_t nodes) {
  EXPECT_EQUAL(found, solutions[*board_size]);
  EXPECT(nodes > found);
  native_test::passed();
}

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    board_size.set(job.arguments().empty() ? 8 : std::stoi(job.arguments()[0]));
    const auto group = job.group<Counter>();
    counters.set(group);
    skein::create<Node>().send<&Node::search>(0);
    job.at_quiescence(skein::to_function<void>([] { counters->broadcast<&Counter::report>(); }));
  });
}
