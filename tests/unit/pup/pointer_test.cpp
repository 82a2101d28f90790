// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <boost/serialization/export.hpp>

#include "tests/unit/pup/linked.hpp"
#include "tests/unit/pup/round_trip.hpp"

using namespace skein;
using pup_test::check_round_trip;

namespace pup_shapes {

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
  std::string label;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& label;
  }
};

struct Square : Shape {
  double side = 0;
  double area() const override { return side * side; }
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& boost::serialization::base_object<Shape>(*this) & side;
  }
};

struct Tagged {
  virtual ~Tagged() = default;
  int tag = 0;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& tag;
  }
};

/// A class whose Shape is not at its beginning.
struct Circle : Tagged, Shape {
  double radius = 0;
  double area() const override { return 3 * radius * radius; }
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& boost::serialization::base_object<Tagged>(*this);
    ar& boost::serialization::base_object<Shape>(*this);
    ar& radius;
  }
};

struct Secret : Shape {  // not exported
  double area() const override { return 0; }
};

struct Node : Linked<Node> {
  int value = 0;
  std::weak_ptr<Node> back;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& value& next& back;
  }
};

struct Link {
  std::unique_ptr<Link> next;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& next;
  }
};

/// Uses plain pointers as Boost's archives treat them, and a private serialize().
class Tree {
 public:
  Tree() = default;
  explicit Tree(int value) : value_(value) {}
  Tree(const Tree&) = delete;
  ~Tree() {
    delete left_;
    delete right_;
  }
  void grow(int left, int right) {
    left_ = new Tree(left);
    right_ = new Tree(right);
  }
  int sum() const { return value_ + (left_ ? left_->sum() : 0) + (right_ ? right_->sum() : 0); }

 private:
  friend class boost::serialization::access;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& value_& left_& right_;
  }
  int value_ = 0;
  Tree* left_ = nullptr;
  Tree* right_ = nullptr;
};

}  // namespace pup_shapes

BOOST_CLASS_EXPORT(pup_shapes::Square)
BOOST_CLASS_EXPORT(pup_shapes::Circle)

using namespace pup_shapes;

namespace {

std::unique_ptr<Square> square(double side) {
  auto made = std::make_unique<Square>();
  made->side = side;
  made->label = "square";
  return made;
}

}  // namespace

TEST_CASE("pup: a pointer to a base brings the derived object") {
  std::vector<std::unique_ptr<Shape>> shapes;
  shapes.push_back(square(2));
  auto circle = std::make_unique<Circle>();
  circle->radius = 5;
  circle->tag = 9;
  circle->label = "circle";
  shapes.push_back(std::move(circle));
  shapes.push_back(nullptr);
  shapes.push_back(square(3));
  const auto back = check_round_trip(shapes);
  REQUIRE(back.size() == 4);
  CHECK(back[0]->area() == 4);
  CHECK(back[0]->label == "square");
  CHECK(back[1]->area() == 75);
  CHECK(dynamic_cast<Circle&>(*back[1]).tag == 9);
  CHECK_FALSE(back[2]);
  CHECK(back[3]->area() == 9);
}

TEST_CASE("pup: the name of a class is written once") {
  std::vector<std::unique_ptr<Shape>> one, two;
  one.push_back(square(1));
  for (int i = 0; i < 2; ++i) two.push_back(square(1));
  // An object: class number 4, label 8 + 6, side 8. Its class: length 8 and the name.
  CHECK(packed_size(two) - packed_size(one) == 26);
  CHECK(packed_size(one) == 8 + 26 + 8 + std::string("pup_shapes::Square").size());
}

TEST_CASE("pup: a class that was not exported is named") {
  const std::unique_ptr<Shape> secret = std::make_unique<Secret>();
  CHECK_THROWS_WITH(packed_size(secret), doctest::Contains("BOOST_CLASS_EXPORT"));
  CHECK_THROWS_WITH(packed_size(secret), doctest::Contains("Secret"));
}

TEST_CASE("pup: shared objects are shared again, cycles close") {
  auto a = std::make_shared<Node>(), b = std::make_shared<Node>();
  a->value = 1;
  b->value = 2;
  a->next = {b, b};
  b->back = a;
  const std::shared_ptr<Node> copy = check_round_trip(a);
  CHECK(copy != a);
  REQUIRE(copy->next.size() == 2);
  CHECK(copy->next[0] == copy->next[1]);
  CHECK(copy->next[0]->value == 2);
  CHECK(copy->next[0]->back.lock() == copy);
  Node::break_cycles();
}

TEST_CASE("pup: shared objects may be constant") {
  const auto node = std::make_shared<Node>();
  node->value = 3;
  const std::pair<std::shared_ptr<const Node>, std::shared_ptr<const Node>> both{node, node};
  const auto back = check_round_trip(both);
  CHECK(back.first == back.second);
  CHECK(back.first->value == 3);
}

TEST_CASE("pup: two shared pointers to bases of one object share it") {
  const auto circle = std::make_shared<Circle>();
  circle->radius = 1;
  const std::pair<std::shared_ptr<Shape>, std::shared_ptr<Tagged>> both{circle, circle};
  const auto back = check_round_trip(both);
  CHECK(dynamic_cast<Circle*>(back.first.get()) == dynamic_cast<Circle*>(back.second.get()));
  CHECK(back.first->area() == 3);
}

TEST_CASE("pup: smart pointers to what is no class travel, too") {
  enum class Colour : short { red = 7 };
  CHECK(*check_round_trip(std::make_unique<int>(5)) == 5);
  CHECK(*check_round_trip(std::make_unique<const double>(0.5)) == 0.5);
  CHECK(*check_round_trip(std::make_unique<bool>(true)));
  CHECK(*check_round_trip(std::make_unique<Colour>(Colour::red)) == Colour::red);
  CHECK(*check_round_trip(std::make_unique<std::string>("text")) == "text");
  CHECK(*check_round_trip(std::make_shared<const std::string>("text")) == "text");
  CHECK(**check_round_trip(std::make_shared<std::unique_ptr<int>>(std::make_unique<int>(6))) == 6);
  CHECK_FALSE(check_round_trip(std::unique_ptr<int>()));
  CHECK_FALSE(check_round_trip(std::shared_ptr<int>()));
}

TEST_CASE("pup: a number that is shared is shared again, also by weak pointers") {
  const auto number = std::make_shared<int>(5), other = std::make_shared<int>(5);
  const std::tuple<std::shared_ptr<int>, std::shared_ptr<const int>, std::shared_ptr<int>, std::weak_ptr<int>>
      all{number, number, other, number};
  const auto [first, again, second, weak] = check_round_trip(all);
  CHECK(first == again);
  CHECK(first != second);
  CHECK(weak.lock() == first);
  CHECK(*first == 5);
  CHECK(*second == 5);
}

TEST_CASE("pup: plain pointers make objects") {
  Tree tree(1);
  tree.grow(10, 100);
  Tree copy;
  unpack(pack(tree), copy);
  CHECK(copy.sum() == 111);
}

TEST_CASE("pup: endless nesting is refused before it overflows the stack") {
  Link first;
  Link* last = &first;
  for (int i = 0; i < 1000; ++i) {
    last->next = std::make_unique<Link>();
    last = last->next.get();
  }
  const Link copy = unpack<Link>(pack(first));
  int length = 0;
  for (const Link* at = copy.next.get(); at; at = at->next.get()) ++length;
  CHECK(length == 1000);
  // Class number 1 says that another class follows, as long as the data lasts.
  const std::vector<std::uint32_t> endless(1'000'000, 1);
  CHECK_THROWS_AS(unpack<Link>(std::as_bytes(std::span(endless))), CorruptBuffer);
}
