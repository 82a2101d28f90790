// SPDX-License-Identifier: Apache-2.0
// For must_fail.sh: calls of node tables, node vectors and parallel loops that must not compile.
#include "skein/skein.hpp"

#include <list>
#include <optional>

struct Cell : skein::Chare<Cell, skein::Index1> {
  void work();
};

struct JoinTexts {
  void operator()(std::string& into, std::string&& with) const { into += with; }
};
struct NotPlain {
  std::string name;
};

// FAILS CASE_TABLE_TYPE: a node table has plain values
// FAILS CASE_TABLE_POINTER: a pointer in a node table means nothing in other processes
// FAILS CASE_BUILD_CAPTURES: a table is built on other nodes, too, so the function must not capture anything
// FAILS CASE_BUILD_TYPE: takes a std::span of its values
// FAILS CASE_VECTOR_TYPE: a node vector has plain values
// FAILS CASE_CAPTURES_VECTOR: captures plain values only
// FAILS CASE_CAPTURES_REFERENCE: captures a reference, `this` or another pointer
// FAILS CASE_CAPTURES_THIS: captures a reference, `this` or another pointer
// FAILS CASE_CAPTURES_POINTER: captures a reference, `this` or another pointer
// FAILS CASE_CAPTURES_IN_STRUCT: captures a reference, `this` or another pointer
// FAILS CASE_CAPTURES_IN_LAMBDA: captures a reference, `this` or another pointer
// FAILS CASE_CAPTURES_UNION: or a union, which may hide one
// FAILS CASE_MUTABLE: no mutable lambda
// FAILS CASE_LARGE_BODY: captures at most 512 bytes
// FAILS CASE_NO_VALUE: returns a value of the type of the start
// FAILS CASE_REDUCER: the reducer does not combine values of this type
// FAILS CASE_LIST: a block is written from plain values one behind the other
// FAILS CASE_WRITTEN: the callback takes a skein::Written, or nothing
void Cell::work() {
  skein::NodeVector<double> vector(10);
  const skein::NodeSpan<double> span = vector.span();
#if !defined(MUST_FAIL)
  skein::parallel_for(0, 10, 1, [=](std::int64_t i) { span[static_cast<std::size_t>(i)] = 1; });
#endif
  const skein::FileArray<1> file{.path = "x", .shape = {10}};
#if defined(CASE_TABLE_TYPE)
  static skein::NodeTable<NotPlain> table;
#elif defined(CASE_TABLE_POINTER)
  static skein::NodeTable<const char*> table;
#elif defined(CASE_BUILD_CAPTURES)
  static skein::NodeTable<int> table;
  const int n = 3;
  table.build(5, [n](std::span<int> all) { all[0] = n; });
#elif defined(CASE_BUILD_TYPE)
  static skein::NodeTable<int> table;
  table.build(5, [](std::span<double>) {});
#elif defined(CASE_VECTOR_TYPE)
  skein::NodeVector<NotPlain> other(3);
#elif defined(CASE_CAPTURES_VECTOR)
  skein::parallel_for(0, 10, 1, [vector](std::int64_t) {});
#elif defined(CASE_CAPTURES_REFERENCE)
  int n = 0;
  skein::parallel_for(0, 10, 1, [&n](std::int64_t) { ++n; });
#elif defined(CASE_CAPTURES_THIS)
  skein::parallel_for(0, 10, 1, [this](std::int64_t) { (void)index(); });
#elif defined(CASE_CAPTURES_POINTER)
  skein::parallel_for(0, 10, 1, [values = vector.data()](std::int64_t i) { values[i] = 1; });
#elif defined(CASE_CAPTURES_IN_STRUCT)
  struct {
    int n;
    double* values;
  } const both = {2, vector.data()};
  skein::parallel_for(0, 10, 1, [both](std::int64_t i) { both.values[i] = 1; });
#elif defined(CASE_CAPTURES_IN_LAMBDA)
  int n = 0;
  const auto count = [&n] { ++n; };
  skein::parallel_for(0, 10, 1, [count](std::int64_t) { count(); });
#elif defined(CASE_CAPTURES_UNION)
  skein::parallel_for(0, 10, 1, [n = std::optional<int>(3)](std::int64_t) { (void)n; });
#elif defined(CASE_MUTABLE)
  skein::parallel_for(0, 10, 1, [n = 0](std::int64_t) mutable { ++n; });
#elif defined(CASE_LARGE_BODY)
  std::array<double, 100> values{};
  skein::parallel_for(0, 10, 1, [values](std::int64_t) { (void)values; });
#elif defined(CASE_NO_VALUE)
  skein::parallel_reduce(
      0, 10, 1, 0, [](std::int64_t) { return std::string(); }, skein::sum);
#elif defined(CASE_REDUCER)
  skein::parallel_reduce(
      0, 10, 1, 0, [](std::int64_t) { return 1; }, JoinTexts());
#elif defined(CASE_LIST)
  skein::write_block(*this, file, std::list<int>(10), {.extent = {10}}, skein::to_function<void>([] {}));
#elif defined(CASE_WRITTEN)
  skein::write_block(*this, file, std::vector<int>(10), {.extent = {10}},
                     skein::to_function<int>([](int) {}));
#endif
  (void)span;
}
