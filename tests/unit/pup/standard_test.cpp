// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <chrono>
#include <complex>
#include <filesystem>
#include <numeric>
#include <random>
#include <valarray>

#include "tests/unit/pup/round_trip.hpp"

using namespace skein;
using pup_test::check_equal_after_round_trip;
using pup_test::check_round_trip;

namespace {

struct Point {
  double x, y, z;
  bool operator==(const Point&) const = default;
};

struct Particle {
  int kind;
  double at[3];
  std::array<float, 2> charge;
  bool operator==(const Particle&) const = default;
};

enum class Colour : std::uint8_t { red, green };

struct Empty {
  bool operator==(const Empty&) const = default;
};

/// A class without default constructor: load_construct_data() makes its objects.
class Named {
 public:
  explicit Named(std::string name) : name_(std::move(name)) {}
  const std::string& name() const { return name_; }
  int value = 0;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& value;
  }
  bool operator==(const Named&) const = default;

 private:
  std::string name_;
};
template <class Ar>
void save_construct_data(Ar& ar, const Named* named, unsigned) {
  ar << named->name();
}
template <class Ar>
void load_construct_data(Ar& ar, Named* named, unsigned) {
  std::string name;
  ar >> name;
  ::new (named) Named(std::move(name));
}

/// A matrix that looks to a template like Eigen's.
template <int rows_fixed>
class Matrix {
 public:
  using Scalar = double;
  static constexpr int RowsAtCompileTime = rows_fixed, ColsAtCompileTime = -1;
  Matrix() : Matrix(rows_fixed < 0 ? 0 : rows_fixed, 0) {}
  Matrix(long rows, long cols) : rows_(rows), cols_(cols), values_(static_cast<std::size_t>(rows * cols)) {}
  double* data() { return values_.data(); }
  long rows() const { return rows_; }
  long cols() const { return cols_; }
  void resize(long rows, long cols) { *this = Matrix(rows, cols); }
  bool operator==(const Matrix&) const = default;

 private:
  long rows_, cols_;
  std::vector<double> values_;
};

}  // namespace

TEST_CASE("pup: numbers, enumerations and plain structs are their own bytes") {
  check_equal_after_round_trip(42);
  check_equal_after_round_trip(-1.5);
  check_equal_after_round_trip(true);
  check_equal_after_round_trip(Colour::green);
  check_equal_after_round_trip(Point{1, 2, 3});
  check_equal_after_round_trip(Particle{7, {1, 2, 3}, {4, 5}});
  check_equal_after_round_trip(std::complex<double>(1, -2));
  CHECK(packed_size(Point{}) == 24);
  CHECK(packed_size(std::array<int, 5>{}) == 20);
}

TEST_CASE("pup: a vector of plain values is a count of 8 bytes and the values' bytes") {
  const std::vector<Point> points{{1, 2, 3}, {4, 5, 6}};
  const std::vector<std::byte> packed = pack(points);
  REQUIRE(packed.size() == 8 + 2 * sizeof(Point));
  CHECK(memcmp(packed.data() + 8, points.data(), 2 * sizeof(Point)) == 0);
}

TEST_CASE("pup: sequences") {
  check_equal_after_round_trip(std::vector<double>{1, 2, 3});
  check_equal_after_round_trip(std::vector<bool>{true, false, true, true});
  check_equal_after_round_trip(
      std::vector<std::string>{"a", "", "text that does not fit into the string itself"});
  check_equal_after_round_trip(std::vector<std::vector<int>>{{1}, {}, {2, 3}});
  check_equal_after_round_trip(std::vector<Empty>(5));
  check_equal_after_round_trip(std::u16string(u"wide"));
  check_equal_after_round_trip(std::deque<int>{1, 2});
  check_equal_after_round_trip(std::list<std::string>{"x", "y"});
  check_equal_after_round_trip(std::forward_list<int>{3, 2, 1});
  check_equal_after_round_trip(std::array<std::string, 2>{"p", "q"});
  const std::valarray<float> numbers = check_round_trip(std::valarray<float>{1, 2, 3});
  CHECK(numbers.size() == 3);
  CHECK(numbers.sum() == 6);
}

TEST_CASE("pup: sets and maps, ordered and not") {
  check_equal_after_round_trip(std::set<int>{3, 1, 2});
  check_equal_after_round_trip(std::multiset<std::string>{"a", "a", "b"});
  check_equal_after_round_trip(std::map<int, std::string>{{1, "one"}, {2, "two"}});
  check_equal_after_round_trip(std::multimap<int, int>{{1, 2}, {1, 3}});
  check_equal_after_round_trip(std::unordered_set<int>{5, 6});
  check_equal_after_round_trip(std::unordered_multiset<int>{5, 5});
  check_equal_after_round_trip(std::unordered_map<std::string, double>{{"pi", 3.14}, {"e", 2.72}});
  check_equal_after_round_trip(std::unordered_multimap<int, int>{{1, 1}, {1, 2}});
}

TEST_CASE("pup: adaptors keep their order") {
  std::queue<int> queue;
  queue.push(1);
  queue.push(2);
  CHECK(check_round_trip(queue) == queue);
  std::stack<int> stack;
  stack.push(1);
  CHECK(check_round_trip(stack) == stack);
  std::priority_queue<int> largest_first;
  for (const int i : {3, 9, 4}) largest_first.push(i);
  CHECK(check_round_trip(largest_first).top() == 9);
}

TEST_CASE("pup: optional, variant, pair, tuple") {
  check_equal_after_round_trip(std::optional<std::string>("here"));
  check_equal_after_round_trip(std::optional<std::string>());
  using Either = std::variant<std::monostate, int, std::string>;
  check_equal_after_round_trip(Either());
  check_equal_after_round_trip(Either(3));
  check_equal_after_round_trip(Either("three"));
  check_equal_after_round_trip(std::pair<int, std::string>(1, "x"));
  check_equal_after_round_trip(std::tuple<int, std::string, std::vector<int>>(1, "x", {2}));
}

TEST_CASE("pup: what else the standard library holds") {
  check_equal_after_round_trip(std::bitset<13>(0b1'0110'0110'1001));
  check_equal_after_round_trip(std::chrono::milliseconds(5));
  check_equal_after_round_trip(std::chrono::system_clock::time_point(std::chrono::hours(7)));
  check_equal_after_round_trip(std::filesystem::path("/tmp/x"));
  const std::atomic<int> number{4};
  std::atomic<int> back{0};
  unpack(pack(number), back);
  CHECK(back == 4);
}

TEST_CASE("pup: classes that are made by load_construct_data()") {
  std::vector<Named> people;
  people.emplace_back("Ada");
  people.emplace_back("Grace");
  people[1].value = 5;
  check_equal_after_round_trip(people);
  check_equal_after_round_trip(std::optional<Named>("Ada"));
  check_equal_after_round_trip(std::map<std::string, Named>{{"x", Named("y")}});
}

TEST_CASE("pup: matrices") {
  Matrix<-1> any(3, 2);
  std::iota(any.data(), any.data() + 6, 1.0);
  check_equal_after_round_trip(any);
  Matrix<2> two_rows(2, 3);
  std::iota(two_rows.data(), two_rows.data() + 6, 1.0);
  check_equal_after_round_trip(two_rows);
  CHECK_THROWS_AS(unpack<Matrix<2>>(pack(any)), CorruptBuffer);
}

TEST_CASE("pup: a count that the data cannot hold is found before memory is taken") {
  std::vector<std::byte> packed = pack(std::vector<std::string>{"a"});
  const std::uint64_t huge = std::uint64_t{1} << 60;
  memcpy(packed.data(), &huge, sizeof huge);
  CHECK_THROWS_AS(unpack<std::vector<std::string>>(packed), CorruptBuffer);
  CHECK_THROWS_AS(unpack<std::vector<double>>(packed), CorruptBuffer);
  CHECK_THROWS_AS(unpack<std::vector<Empty>>(packed), CorruptBuffer);
}

TEST_CASE("pup: what an object of the right size holds is used again") {
  std::vector<double> values(1000, 1.0);
  const std::vector<std::byte> packed = pack(values);
  const double* const memory = values.data();
  values.assign(1000, 0.0);
  unpack(packed, values);
  CHECK(values.data() == memory);
  CHECK(values == std::vector<double>(1000, 1.0));
}

TEST_CASE("pup: random values of nested types come back equal") {
  using Value = std::map<std::string, std::vector<std::optional<std::variant<int, std::string, Point>>>>;
  std::mt19937 random(1);
  const auto below = [&](unsigned n) { return random() % n; };
  for (int round = 0; round < 50; ++round) {
    Value value;
    for (unsigned i = below(4); i > 0; --i) {
      auto& list = value[std::string(below(20), static_cast<char>('a' + below(26)))];
      for (unsigned j = below(4); j > 0; --j) {
        switch (below(4)) {
          case 0:
            list.emplace_back();
            break;
          case 1:
            list.emplace_back(static_cast<int>(random()));
            break;
          case 2:
            list.emplace_back(std::string(below(30), 'x'));
            break;
          default:
            list.emplace_back(Point{1.0 * below(9), 2, 3});
        }
      }
    }
    check_equal_after_round_trip(value);
  }
}
