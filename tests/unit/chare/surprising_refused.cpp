// SPDX-License-Identifier: Apache-2.0
// For must_fail.sh: what would compile and do something else than was meant.
#include <skein/skein.hpp>
#include <string>
#include <string_view>

enum class Colour { red };
struct Name {  // an index of the program's own
  char text[8] = {};
  bool operator==(const Name&) const = default;
};

struct Cell : skein::Chare<Cell, skein::Index3> {
  skein::Awaited<void(int step)> ghost;
  void count(int number);
  void fill(std::vector<double> values);
  void small(float value, short number);
  void flag(bool on);
  void wide(double value, long number, std::size_t size);
  void text(std::string words, Colour colour);
  int look(int number) const noexcept;
  void only_named() &;
  void only_temporary() &&;
  void unstable() volatile;
  skein::Flow flow(int number);
  void thread(int number);
  using Threaded = skein::Methods<&Cell::thread>;
  void work() {
#if defined(CASE_LOSES_AT_SYNC)
    at_sync<&Cell::count>(0.5);
#endif
  }
};
struct Stranger : skein::Chare<Cell, skein::Index3> {};
struct Later : Cell {};
struct Named : skein::Chare<Named, Name> {
  void take(int) {}
};

// FAILS CASE_EXPLICIT: by a constructor that is explicit
// FAILS CASE_VIEW: by a constructor that is explicit
// FAILS CASE_LOSES: may lose a part of its value in the entry method's parameter
// FAILS CASE_LOSES_SIZE: may lose a part of its value in the entry method's parameter
// FAILS CASE_LOSES_FLOAT: may lose a part of its value in the entry method's parameter
// FAILS CASE_LOSES_POINTER: may lose a part of its value in the entry method's parameter
// FAILS CASE_LOSES_NUMBER: may lose a part of its value in the entry method's parameter
// FAILS CASE_LOSES_AWAITED: may lose a part of its value in the entry method's parameter
// FAILS CASE_LOSES_AGGREGATED: may lose a part of its value in the entry method's parameter
// FAILS CASE_LOSES_AT_SYNC: may lose a part of its value in the entry method's parameter
// FAILS CASE_LVALUE: an entry method is a plain member function
// FAILS CASE_RVALUE: an entry method is a plain member function
// FAILS CASE_VOLATILE: an entry method is a plain member function
// FAILS CASE_STRANGER: a class of elements derives from Chare of itself
// FAILS CASE_LATER: a class of elements derives from Chare of itself
// FAILS CASE_OWN_INDEX: a dense array has indices of Index1 to Index6
// FAILS CASE_OWN_INDEX_PLACED: a dense array has indices of Index1 to Index6
void calls(skein::Array<Cell> cells, skein::Job& job) {
  const auto cell = cells[{1, 2, 3}];
  // What is meant as it stands, and loses nothing.
  cell.send<&Cell::count>(short{1});
  cell.send<&Cell::count>('a');
  cell.send<&Cell::count>(true);
  cell.send<&Cell::wide>(1, 2, 3);
  cell.send<&Cell::wide>(1.0f, 2u, std::size_t{3});
  cell.send<&Cell::text>("words", Colour::red);
  cell.send<&Cell::fill>(std::vector<double>(5));
  cell.send<&Cell::small>(0.5f, static_cast<short>(1));
  cell.ask<&Cell::look>(1);
  cell.call<&Cell::look>(1);
  skein::aggregate<&Cell::flow>(cell, 1);
  skein::aggregate<&Cell::thread>(cell, 1);
  skein::aggregate<&Cell::ghost>(cell, 1);
  const auto named = job.sparse_array<Named>();
  named[Name{}].send<&Named::take>(1);
#if defined(CASE_EXPLICIT)
  cell.send<&Cell::fill>(5);
#elif defined(CASE_VIEW)
  cell.send<&Cell::text>(std::string_view("words"), Colour::red);
#elif defined(CASE_LOSES)
  cell.send<&Cell::count>(0.5);
#elif defined(CASE_LOSES_SIZE)
  cells.broadcast<&Cell::count>(std::vector<int>().size());
#elif defined(CASE_LOSES_FLOAT)
  cell.send<&Cell::small>(0.5, short{1});
#elif defined(CASE_LOSES_POINTER)
  cell.send<&Cell::flag>("on");
#elif defined(CASE_LOSES_NUMBER)
  cell.send<&Cell::flag>(2);
#elif defined(CASE_LOSES_AWAITED)
  cell.send<&Cell::ghost>(2.0);
#elif defined(CASE_LOSES_AGGREGATED)
  skein::aggregate<&Cell::count>(cell, 2.0);
#elif defined(CASE_LVALUE)
  cell.send<&Cell::only_named>();
#elif defined(CASE_RVALUE)
  cell.send<&Cell::only_temporary>();
#elif defined(CASE_VOLATILE)
  cell.send<&Cell::unstable>();
#elif defined(CASE_STRANGER)
  job.array<Stranger>({1, 2, 3});
#elif defined(CASE_LATER)
  job.array<Later>({1, 2, 3});
#elif defined(CASE_OWN_INDEX)
  job.array<Named>(Name{});
#elif defined(CASE_OWN_INDEX_PLACED)
  job.array_placed<Named>([](const Name&, const Name&, int) { return 0; }, Name{});
#endif
}
