// SPDX-License-Identifier: Apache-2.0
// For must_fail.sh: code that would compile, but do something else than its author meant.
#include <skein/skein.hpp>
#include <string>
#include <string_view>

enum class Colour { red };
struct Name {  // an index type of the program's own
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
struct Worker {
  void inherited(int number);
};
// Bases that list methods of their own as threaded.
struct Patient {
  void wait();
  using Threaded = skein::Methods<&Patient::wait>;
};
struct Silent {
  void wait_too();
  using Threaded = skein::Methods<&Silent::wait_too>;
};
struct Quiet : skein::Chare<Quiet, skein::Index1>, Patient {};
struct Both : skein::Chare<Both, skein::Index1>, Patient, Silent {};
struct Hasty : skein::Chare<Hasty, skein::Index1>, Worker {
  void own();
#if defined(CASE_THREADED_INHERITED)
  using Threaded = skein::Methods<&Hasty::own, &Hasty::inherited>;
#elif defined(CASE_THREADED_OF_BASE)
  using Threaded = skein::Methods<&Worker::inherited>;
#else
  using Threaded = skein::Methods<&Hasty::own>;
#endif
};
struct Stranger : skein::Chare<Cell, skein::Index3> {};
struct Later : Cell {};
struct Named : skein::Chare<Named, Name> {
  void take(int) {}
};

struct Made : skein::Chare<Made, skein::Index1> {
  explicit Made(int number = 0, double = 0, const std::string& = "") : first(number) {}
  explicit Made(std::vector<double> values, float = 0) : first(static_cast<int>(values.size())) {}
  Made(const std::string&, short) {}
  Made(const std::string&, int, bool) {}
  template <class V>
  Made(bool, bool, const std::vector<V>& values) : first(static_cast<int>(values.size())) {}
  int first = 0;
};
struct Lone : skein::Chare<Lone> {
  Lone(int = 0) {}
  Lone(double, int) {}
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
// FAILS CASE_LOSES_INSERTED: may lose a part of its value in the constructor's parameter
// FAILS CASE_LOSES_INSERTED_ON: may lose a part of its value in the constructor's parameter
// FAILS CASE_LOSES_SECOND: may lose a part of its value in the constructor's parameter
// FAILS CASE_LOSES_TO_BOOL: may lose a part of its value in the constructor's parameter
// FAILS CASE_LOSES_IN_ARRAY: may lose a part of its value in the constructor's parameter
// FAILS CASE_LOSES_IN_GROUP: may lose a part of its value in the constructor's parameter
// FAILS CASE_LOSES_IN_BOUND: may lose a part of its value in the constructor's parameter
// FAILS CASE_LOSES_CREATED: may lose a part of its value in the constructor's parameter
// FAILS CASE_LOSES_CREATED_ON: may lose a part of its value in the constructor's parameter
// FAILS CASE_EXPLICIT_INSERTED: no constructor of the class takes these arguments
// FAILS CASE_LVALUE: an entry method is a plain member function
// FAILS CASE_RVALUE: an entry method is a plain member function
// FAILS CASE_VOLATILE: an entry method is a plain member function
// FAILS CASE_STRANGER: a class of elements derives from Chare of itself
// FAILS CASE_LATER: a class of elements derives from Chare of itself
// FAILS CASE_THREADED_INHERITED: Threaded lists a method that the class inherits
// FAILS CASE_THREADED_OF_BASE: Threaded lists a method that the class inherits
// FAILS CASE_OWN_INDEX: a dense array has indices of Index1 to Index6
// FAILS CASE_OWN_INDEX_PLACED: a dense array has indices of Index1 to Index6
void calls(skein::Array<Cell> cells, skein::Job& job) {
  const auto cell = cells[{1, 2, 3}];
  const auto named = job.sparse_array<Named>();
  const auto made = job.sparse_array<Made>();
#if !defined(MUST_FAIL)
  // Calls that mean what they say, and lose nothing.
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
  named[Name{}].send<&Named::take>(1);
  made[0].insert();
  made[0].insert('a', 2, "words");
  made[0].insert(short{1}, 0.5f);
  made[0].insert(std::vector<double>(5), 0.5f);
  made[0].insert_on(0, "words", 3, true);
  made[0].insert(true, false, std::vector<int>(3));
  job.array<Made>(5, 1, 2);
  job.array<Quiet>(5);
  job.array<Both>(5);
  skein::create<Lone>(1);
  skein::create<Lone>(0.5, 1);
  skein::create<Lone>(0.5f, 1);
#endif
#if !defined(MUST_FAIL) || defined(CASE_THREADED_INHERITED) || defined(CASE_THREADED_OF_BASE)
  job.array<Hasty>(5);
#endif
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
#elif defined(CASE_LOSES_INSERTED)
  made[0].insert(0.5);
#elif defined(CASE_LOSES_INSERTED_ON)
  made[0].insert_on(0, std::vector<int>().size());
#elif defined(CASE_LOSES_SECOND)
  made[0].insert(std::vector<double>(5), 0.5);
#elif defined(CASE_LOSES_TO_BOOL)
  made[0].insert("words", 3, 2);
#elif defined(CASE_LOSES_IN_ARRAY)
  job.array<Made>(5, 2.0);
#elif defined(CASE_LOSES_IN_GROUP)
  job.group<Made>(2.0);
#elif defined(CASE_LOSES_IN_BOUND)
  job.array<Made>(skein::bound_to(made), 2.0);
#elif defined(CASE_LOSES_CREATED)
  skein::create<Lone>(0.5);
#elif defined(CASE_LOSES_CREATED_ON)
  skein::create_on<Lone>(0, 1L);
#elif defined(CASE_EXPLICIT_INSERTED)
  made[0].insert(std::string_view("words"), short{1});
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
