// SPDX-License-Identifier: Apache-2.0
// Arrays whose elements come and go: a binary tree of the user's indices that inserts itself, calls that
// arrive before their element, reductions over existing elements; index types of 1 to 6 dimensions, maps,
// groups.
#include "tests/job/native/check.hpp"

namespace {

constexpr int depth = 7;
constexpr int nodes = (1 << (depth + 1)) - 1;

struct Branch {
  std::uint32_t level = 0, number = 0;
  bool operator==(const Branch&) const = default;
};

class Node : public skein::Chare<Node, Branch> {
 public:
  Node() = default;
  explicit Node(std::string text) : text_(std::move(text)) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& text_& visits_& end_;
  }

  void grow(int to_depth) {
    if (static_cast<int>(index().level) < to_depth) {
      for (std::uint32_t child = 0; child < 2; ++child) {
        const auto element = array()[{index().level + 1, index().number * 2 + child}];
        element.send<&Node::grow>(to_depth);  // waits for the element
        const auto name = text_ + (child == 0 ? "l" : "r");
        if (child == 0)
          element.insert(name);
        else
          element.insert_on(skein::this_pe(), name);
      }
    }
    EXPECT_EQUAL(text_.size(), std::size_t{index().level} + 1);
    contribute(1, skein::sum, skein::to<&Node::grown>(array()[{0, 0}]));
  }
  void grown(int count) {
    EXPECT_EQUAL(count, nodes);
    array().broadcast<&Node::prune>();
  }
  /// Leaves end; the other nodes are counted.
  void prune() {
    if (index().level == depth) return destroy();
    contribute(1, skein::sum, skein::to<&Node::pruned>(array()[{0, 0}]));
  }
  void pruned(int count) {
    EXPECT_EQUAL(count, nodes / 2);
    array().broadcast<&Node::synchronize>();
  }
  void synchronize() { at_sync(); }
  void resume_from_sync() { contribute(1, skein::sum, skein::to<&Node::moved>(array()[{0, 0}])); }
  void moved(int count);

 private:
  std::string text_;
  int visits_ = 0, end_ = 0;
};

template <int dimensions>
class Grid : public skein::Chare<Grid<dimensions>, skein::Index<dimensions>> {
 public:
  explicit Grid(int weight = 0) : weight_(weight) {}
  void count() {
    int place = 0;
    for (int i = 0; i < dimensions; ++i) place = place * 2 + this->index()[i];
    this->contribute(place * weight_, skein::sum, skein::to_function<int>([](int sum) {
                       const int size = 1 << dimensions;
                       EXPECT_EQUAL(sum, size * (size - 1) / 2 * 3);
                     }));
  }

 private:
  int weight_;
};

template <int... dimensions>
void check_grids(skein::Job& job, std::integer_sequence<int, dimensions...>) {
  const auto check = [&]<int d>(std::integral_constant<int, d>) {
    skein::Index<d> bounds;
    for (int i = 0; i < d; ++i) bounds[i] = 2;
    job.array<Grid<d>>(bounds, 3).template broadcast<&Grid<d>::count>();
    job.array_placed<Grid<d>>(skein::RoundRobinMap{}, bounds, 3).template broadcast<&Grid<d>::count>();
  };
  (check(std::integral_constant<int, dimensions + 1>{}), ...);
}

/// Is placed by a map of the program's own; its constructor takes string literals.
struct Backwards : skein::Chare<Backwards, skein::Index1> {
  std::string text;
  explicit Backwards(std::string given = {}) : text(std::move(given)) {}
  void check(int elements) {
    EXPECT_EQUAL(text, "a text");
    EXPECT_EQUAL(skein::this_pe(), (elements - 1 - index()[0]) % skein::pe_count());
  }
};

struct PerPe : skein::Chare<PerPe, skein::Index1> {
  void greet() {
    EXPECT_EQUAL(index()[0], skein::this_pe());
    EXPECT(array()[skein::this_pe()].local() == this);
    contribute(index()[0], skein::sum, skein::to_function<int>([](int sum) {
                 EXPECT_EQUAL(sum, skein::pe_count() * (skein::pe_count() - 1) / 2);
               }));
  }
};

struct PerNode : skein::Chare<PerNode, skein::Index1> {
  void greet() {
    EXPECT_EQUAL(index()[0], skein::this_node());
    EXPECT_EQUAL(skein::first_pe_of_node(index()[0]), skein::this_pe());
    contribute(1, skein::sum,
               skein::to_function<int>([](int count) { EXPECT_EQUAL(count, skein::node_count()); }));
  }
};

void Node::moved(int count) {
  EXPECT_EQUAL(count, nodes / 2);
  native_test::passed();
}

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    check_grids(job, std::make_integer_sequence<int, 6>{});
    constexpr int elements = 7;
    const auto from_end = [](const skein::Index1& index, const skein::Index1& bounds, int pes) {
      return (bounds[0] - 1 - index[0]) % pes;
    };
    job.array_placed<Backwards>(from_end, elements, "a text").broadcast<&Backwards::check>(elements);
    job.group<PerPe>().broadcast<&PerPe::greet>();
    job.node_group<PerNode>().broadcast<&PerNode::greet>();
    const auto tree = job.sparse_array<Node>();
    tree[{0, 0}].insert("t");
    tree[{0, 0}].send<&Node::grow>(depth);
  });
}
