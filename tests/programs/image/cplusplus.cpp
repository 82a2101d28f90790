// SPDX-License-Identifier: Apache-2.0
// C++ in private images: constructors of globals, streams (copied from libstdc++), exceptions thrown and
// caught with other ranks' exceptions in between, thread_local objects, call_once, type information.
#include <link.h>

#include <any>
#include <exception>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

#include "harness.h"

namespace {

struct Registry {
  std::map<std::string, int> entries;
  std::string name = "constructed before main, longer than a small string";
  Registry() {
    entries["constructor"] = 42;
    skein_test_reached("constructor");
  }
  ~Registry() { skein_test_reached("destructor"); }
};
Registry registry;
std::vector<int> numbers{1, 2, 3};
std::ostringstream global_stream;

struct Local {
  int value = 5;
  std::string text = "thread_local, longer than a small string";
  ~Local() { skein_test_reached("thread_local destructor"); }
};
thread_local Local local;
thread_local int local_number = 3;

template <class T>
struct Unique {
  static inline int count = 0;  // STB_GNU_UNIQUE in shared objects
};

struct Base {
  virtual ~Base() = default;
  virtual int value() const { return 1; }
};
struct Derived : Base {
  explicit Derived(int v) : v_(v) {}
  int value() const override { return v_; }
  int v_;
};

struct Failure : std::runtime_error {
  explicit Failure(int c) : std::runtime_error("failure " + std::to_string(c)), code(c) {}
  int code;
};
struct CountUp {
  int& count;
  ~CountUp() { ++count; }
};

int throw_from(int depth, int& unwound) {
  CountUp count{unwound};
  if (depth == 0) {
    skein_test_yield();
    throw Failure(skein_test_rank() * 10);
  }
  const std::string on_this_frame(100, 'x');
  return throw_from(depth - 1, unwound) + static_cast<int>(on_this_frame.size());
}

int calls_of_lazy() {
  static const std::unique_ptr<std::string> made_once = std::make_unique<std::string>("lazy");
  static int calls = 0;
  return ++calls + static_cast<int>(made_once->size()) - 4;
}

void check_exceptions(int rank) {
  int unwound = 0;
  std::exception_ptr kept;
  try {
    throw_from(5, unwound);
    EXPECT(!"reached");
  } catch (const Failure& failure) {
    skein_test_yield();  // meanwhile other ranks throw and catch
    EXPECT(failure.code == rank * 10 && failure.what() == "failure " + std::to_string(rank * 10));
    EXPECT(std::uncaught_exceptions() == 0);
    try {
      skein_test_yield();
      throw;
    } catch (std::exception& again) {
      EXPECT(dynamic_cast<Failure&>(again).code == rank * 10);
      kept = std::current_exception();
    }
  }
  EXPECT(unwound == 6);
  skein_test_yield();
  try {
    std::rethrow_exception(kept);
  } catch (const Failure& failure) {
    EXPECT(failure.code == rank * 10);
  }
  try {
    (void)std::vector<int>(3).at(10);  // thrown inside libstdc++
    EXPECT(!"reached");
  } catch (const std::out_of_range&) {
  }
  try {
    (void)std::any_cast<int>(std::any(std::string("text")));
    EXPECT(!"reached");
  } catch (const std::bad_any_cast&) {
  }
}

/// Returns true if dl_iterate_phdr() lists the object that holds this function exactly once.
bool is_listed_once() {
  int holders = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* count) {
        const auto here = reinterpret_cast<Elf64_Addr>(&is_listed_once);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const Elf64_Phdr& s = info->dlpi_phdr[i];
          if (s.p_type == PT_LOAD && here - (info->dlpi_addr + s.p_vaddr) < s.p_memsz)
            ++*static_cast<int*>(count);
        }
        return 0;
      },
      &holders);
  return holders == 1;
}

}  // namespace

int main() {
  const int rank = skein_test_rank();
  skein_test_reached("main");
  EXPECT(registry.entries["constructor"] == 42 && numbers.size() == 3);
  EXPECT(is_listed_once());
  local.value = rank;
  local_number = rank + 100;
  std::cout << std::setprecision(3 + rank);
  std::vector<std::unique_ptr<Base>> objects;
  std::once_flag once;
  int times = 0;
  const std::function<int(int)> add = [rank](int x) { return x + rank; };
  for (int round = 0; round < 8; ++round) {
    ++Unique<int>::count;
    registry.entries[std::to_string(round)] = rank;
    numbers.push_back(round);
    objects.push_back(std::make_unique<Derived>(round));
    global_stream << rank % 10 << ';';
    const Base& first = *objects.front();
    std::call_once(once, [&] { ++times; });
    check_exceptions(rank);
    EXPECT(times == 1 && Unique<int>::count == round + 1 && calls_of_lazy() == round + 1);
    EXPECT(registry.entries.size() == static_cast<std::size_t>(round) + 2);
    EXPECT(numbers.size() == static_cast<std::size_t>(round) + 4);
    EXPECT(local.value == rank && local_number == rank + 100);
    EXPECT(add(1) == rank + 1 && typeid(first) == typeid(Derived) && objects.back()->value() == round);
    EXPECT(global_stream.str().size() == 2u * static_cast<std::size_t>(round + 1));
    EXPECT(std::cout.precision() == 3 + rank);
    std::istringstream input("12 3.5 word");
    int a;
    double b;
    std::string c;
    input >> a >> b >> c;
    EXPECT(a == 12 && b == 3.5 && c == "word");
  }
  std::cout << "rank " << rank << ' ' << 3.14159265358979 << std::endl;
}
