// SPDX-License-Identifier: Apache-2.0
// Three arrays bound together, one of them made after elements have moved, and a sparse array whose elements
// come and go: wherever an element runs, the elements bound to it are there, with the state they had.
#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 14, rounds = 8;

class Forces;
class History;

class Cell : public skein::Chare<Cell, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& forces_& history_& round_& moves_;
  }
  void start(const skein::Array<Forces>& forces, const skein::Array<History>& history);
  void step();
  void resume_from_sync() { step(); }
  void finish();
  void just_moved() { ++moves_; }
  int round() const { return round_; }
  int moves() const { return moves_; }

 private:
  skein::Array<Forces> forces_;
  skein::Array<History> history_;
  int round_ = 0, moves_ = 0;
};

class Forces : public skein::Chare<Forces, skein::Index1> {
 public:
  explicit Forces(skein::Array<Cell> cells = {}, int factor = 0) : cells_(cells), factor_(factor) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& cells_& factor_& rounds_& moves_;
  }
  void just_moved() { ++moves_; }
  /// Is called as a plain method from the cell beside it.
  int compute() { return factor_ * ++rounds_; }
  /// Finds its cell on this PE when it is called from elsewhere.
  void visit(int from) {
    const Cell* const cell = cells_[index()].local();
    EXPECT(cell != nullptr);
    EXPECT_EQUAL(cell->moves(), moves_);
    if (from % 3 == 0) migrate_to((skein::this_pe() + 1) % skein::pe_count());
    contribute(skein::to<&Cell::finish>(cells_));
  }
  int moves() const { return moves_; }

 private:
  skein::Array<Cell> cells_;
  int factor_, rounds_ = 0, moves_ = 0;
};

class History : public skein::Chare<History, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& noted_;
  }
  std::vector<int>& noted() { return noted_; }

 private:
  std::vector<int> noted_;
};

// ---- a sparse array, whose elements end

class Node : public skein::Chare<Node, skein::Index2> {
 public:
  explicit Node(int depth = 0) : depth_(depth) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& depth_;
  }
  void grow() {
    for (int child = 0; depth_ > 0 && child < 2; ++child) {
      const auto node = array()[{index()[0] + 1, 2 * index()[1] + child}];
      node.insert(depth_ - 1);
      node.send<&Node::grow>();
    }
    migrate_to((skein::this_pe() + index()[1]) % skein::pe_count());
  }
  void count() {
    contribute(1, skein::sum, skein::to_function<int>([](int n) { EXPECT_EQUAL(n, 31); }));
  }
  /// Leaves end, and so do the elements bound to them: 31 - 16 are left.
  void prune() {
    if (depth_ == 0) destroy();
  }

 private:
  int depth_;
};

class Tag : public skein::Chare<Tag, skein::Index2> {
 public:
  explicit Tag(skein::Array<Node> nodes = {}) : nodes_(nodes) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& nodes_& level_;
  }
  void count(int expected) {
    level_ = index()[0];
    EXPECT(nodes_[index()].local() != nullptr);
    if (expected == 31)
      contribute(level_, skein::sum, skein::to_function<int>([](int sum) {
                   // level l has 2^l nodes: 0 + 2 + 8 + 24 + 64
                   EXPECT_EQUAL(sum, 98);
                 }));
    else
      contribute(1, skein::sum, skein::to_function<int>([](int n) {
                   EXPECT_EQUAL(n, 15);
                   native_test::passed();
                 }));
  }

 private:
  skein::Array<Node> nodes_;
  int level_ = 0;
};

void check_tree(skein::Job& job);

// ---- Cell

void Cell::start(const skein::Array<Forces>& forces, const skein::Array<History>& history) {
  forces_ = forces;
  history_ = history;
  step();
}

void Cell::step() {
  EXPECT(forces_[index()].local() != nullptr);
  EXPECT_EQUAL(forces_[index()].local()->compute(), 3 * (round_ + 1));
  History* const history = history_[index()].local();
  EXPECT(history != nullptr);
  EXPECT_EQUAL(history->noted().size(), static_cast<std::size_t>(round_));
  history->noted().push_back(round_);
  if (++round_ < rounds) return at_sync();
  forces_[(index()[0] + 5) % elements].send<&Forces::visit>(index()[0]);
}

void Cell::finish() {
  EXPECT_EQUAL(forces_[index()].local()->moves(), moves_);
  contribute(static_cast<int>(history_[index()].local()->noted().size()), skein::sum,
             skein::to_function<int>([](int sum) {
               EXPECT_EQUAL(sum, elements * rounds);
               skein::Job job;
               check_tree(job);
             }));
}

skein::Array<Tag> the_tags, the_late_tags;
skein::Array<Node> the_tree;

void check_tree(skein::Job& job) {
  the_tree = job.sparse_array<Node>();
  the_tags = job.array<Tag>(skein::bound_to(the_tree), the_tree);
  the_tree[{0, 0}].insert(4);
  the_tree[{0, 0}].send<&Node::grow>();
  // The array is made while nodes are being inserted and move.
  the_late_tags = job.array<Tag>(skein::bound_to(the_tags), the_tree);
  job.at_quiescence(skein::to_function<void>([] {
    the_tree.broadcast<&Node::count>();
    the_tags.broadcast<&Tag::count>(31);
    the_late_tags.broadcast<&Tag::count>(31);
    the_tree.broadcast<&Node::prune>();
    skein::Job().at_quiescence(skein::to_function<void>([] { the_late_tags.broadcast<&Tag::count>(15); }));
  }));
}

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto cells = job.array<Cell>(elements);
    const auto forces = job.array<Forces>(skein::bound_to(cells), cells, 3);
    const auto history = job.array<History>(skein::bound_to(cells));
    cells.broadcast<&Cell::start>(forces, history);
  });
}
