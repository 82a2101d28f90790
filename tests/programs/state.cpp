// SPDX-License-Identifier: Apache-2.0
// `state [ROUNDS]`: everything that a C++ program may keep between two statements, while its rank moves.
#include <cmath>
#include <exception>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "check.h"

namespace {

// ---- static initialisation and thread_local destructors

int constructed = 0;

struct Static {
  std::string name = "static object with a string that is too long for the small buffer";
  std::vector<int> squares;
  Static() {
    ++constructed;
    for (int i = 0; i < 100; ++i) squares.push_back(i * i);
  }
};
Static global;

const std::map<std::string, int> dynamic_map = {{"one", 1}, {"two", 2}, {"three", 3}};

Static& local_static() {
  static Static instance;
  return instance;
}

int destroyed_threads = 0;
struct OfThread {
  std::string text = "thread-local";
  int number = my_rank;
  ~OfThread() { ++destroyed_threads; }
};
thread_local OfThread of_thread;

/// Outlives main: reports if the thread-local object did not go first, exactly once.
struct LastWord {
  ~LastWord() {
    if (destroyed_threads != 1) {
      fprintf(stderr, "rank %d: %d thread-local objects destroyed at exit, not 1\n", my_rank,
              destroyed_threads);
      _Exit(4);
    }
  }
} last_word;

void check_statics(int round) {
  // `global`, then local_static() at the first call.
  Static& local = local_static();
  CHECK(constructed == 2);
  CHECK(global.squares[static_cast<std::size_t>(round % 100)] == (round % 100) * (round % 100));
  CHECK(local.name == global.name);
  CHECK(dynamic_map.at("two") == 2 && dynamic_map.size() == 3);
  CHECK(of_thread.number == my_rank + round);
  ++of_thread.number;
  of_thread.text += static_cast<char>('a' + round % 26);
  CHECK(of_thread.text.size() == 12 + static_cast<std::size_t>(round) + 1);
}

// ---- containers

class Containers {
 public:
  void grow(int round) {
    numbers_.push_back(round * 2 + my_rank);
    names_[round] = std::string(static_cast<std::size_t>(round % 40), 'x') + std::to_string(my_rank);
    hashes_["key" + std::to_string(round)] = round * 0.25;
    chain_ = std::make_shared<Link>(Link{chain_, round});
  }
  void check(int round) const {
    const long long n = round + 1;
    CHECK(std::accumulate(numbers_.begin(), numbers_.end(), 0LL) == n * (n - 1) + n * my_rank);
    CHECK(names_.size() == static_cast<std::size_t>(n));
    CHECK(names_.at(round / 2).size() ==
          static_cast<std::size_t>(round / 2 % 40) + std::to_string(my_rank).size());
    CHECK(hashes_.at("key" + std::to_string(round / 3)) == round / 3 * 0.25);
    int expected = round;
    for (const Link* link = chain_.get(); link; link = link->before.get()) CHECK(link->number == expected--);
    CHECK(expected == -1);
  }

 private:
  struct Link {
    std::shared_ptr<Link> before;
    int number;
  };
  std::vector<int> numbers_;
  std::map<int, std::string> names_;
  std::unordered_map<std::string, double> hashes_;
  std::shared_ptr<Link> chain_;
};

// ---- virtual calls and run-time types

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
struct Square : Shape {
  double side;
  explicit Square(double s) : side(s) {}
  double area() const override { return side * side; }
};
struct Tagged {
  virtual ~Tagged() = default;
  int tag = 77;
};
struct TaggedSquare : Tagged, Square {
  using Square::Square;
  double area() const override { return Square::area() + tag; }
};

void check_shapes(const std::vector<std::unique_ptr<Shape>>& shapes, int round) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const double side = static_cast<double>(i) + 1;
    CHECK(shapes[i]->area() == side * side + (i % 2 ? 77 : 0));
    CHECK((dynamic_cast<Tagged*>(shapes[i].get()) != nullptr) == (i % 2 == 1));
  }
  std::function<int(int)> add = [round](int x) { return x + round; };
  maybe_move();
  CHECK(add(5) == 5 + round);
}

// ---- exceptions

struct Failure : std::runtime_error {
  int code;
  Failure(int c) : std::runtime_error("failure " + std::to_string(c)), code(c) {}
};

struct Unwound {
  int& count;
  ~Unwound() { ++count; }
};

[[gnu::noinline]] void throw_below(int levels, int code, int& unwound) {
  const Unwound guard{unwound};
  if (levels == 0) {
    maybe_move();
    throw Failure(code);
  }
  throw_below(levels - 1, code, unwound);
  CHECK(!"reached");
}

void check_exceptions(int round) {
  int unwound = 0;
  std::exception_ptr kept;
  try {
    try {
      throw_below(5, round, unwound);
    } catch (const std::exception& outer) {
      CHECK(unwound == 6);
      maybe_move();  // with an exception being handled
      CHECK(std::string(outer.what()) == "failure " + std::to_string(round));
      try {
        throw std::out_of_range("inner");
      } catch (const std::logic_error& inner) {
        maybe_move();  // with two
        CHECK(std::string(inner.what()) == "inner");
      }
      CHECK(std::uncaught_exceptions() == 0);
      kept = std::current_exception();
      throw;
    }
  } catch (const Failure& failure) {
    CHECK(failure.code == round);
  }
  maybe_move();
  try {
    std::rethrow_exception(kept);
  } catch (const Failure& failure) {
    CHECK(failure.code == round);
  }
}

// ---- streams

void check_streams(std::ostringstream& log, int round) {
  log << std::setw(4) << round << ';';
  CHECK(log.str().size() == 5 * (static_cast<std::size_t>(round) + 1));
  std::istringstream in("12 3.5 word");
  int a;
  double b;
  std::string c;
  in >> a;
  maybe_move();
  in >> b >> c;
  CHECK(a == 12 && b == 3.5 && c == "word");
  // The rank's settings of cout belong to the rank.
  const char fill = static_cast<char>('A' + my_rank % 26);
  if (round == 0) std::cout << (my_rank % 2 ? std::oct : std::hex) << std::setfill(fill);
  CHECK(std::cout.fill() == fill);
  CHECK((std::cout.flags() & std::ios::basefield) == (my_rank % 2 ? std::ios::oct : std::ios::hex));
}

}  // namespace

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 60);
  Containers containers;
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 8; ++i) {
    if (i % 2)
      shapes.push_back(std::make_unique<TaggedSquare>(i + 1));
    else
      shapes.push_back(std::make_unique<Square>(i + 1));
  }
  std::ostringstream log;
  for (int round = 0; round < rounds; ++round) {
    containers.grow(round);
    maybe_move();
    check_statics(round);
    containers.check(round);
    check_shapes(shapes, round);
    check_exceptions(round);
    check_streams(log, round);
  }
  if (my_rank == 0) std::cout << std::setw(6) << 255 << std::endl;
  finish("state");
  return 0;
}
