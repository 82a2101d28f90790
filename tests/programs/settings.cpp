// SPDX-License-Identifier: Apache-2.0
// `settings`: settings that the C and C++ libraries keep once a process are each rank's own, and move with
// it. With the argument `terminate` rank 0 throws an exception that is not caught: its own handler ends the
// job.
#include <libintl.h>
#include <printf.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>
#include <ext/mt_allocator.h>
#include <ext/pool_allocator.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <exception>
#include <iterator>
#include <locale>
#include <memory_resource>
#include <new>
#include <string>
#include <vector>

#include "check.h"

namespace {

constexpr int steps = 4;

bool is_odd() { return my_rank % 2 == 1; }
void step() {
  MPI_Barrier(MPI_COMM_WORLD);
  maybe_move();
}

// ---- C++

char* reserve;
int given;
void give_reserve() {
  ++given;
  free(reserve);
  reserve = nullptr;
  std::set_new_handler(nullptr);
}

/// Checks that an odd rank's reserve is freed only when that rank runs out of memory.
void new_handlers() {
  const auto want_too_much = [] {
    try {
      volatile std::size_t too_much = std::size_t{1} << 60;
      char* volatile got = new char[too_much];  // read again: compilers leave out what nobody uses
      delete[] got;
    } catch (const std::bad_alloc&) {
      return true;
    }
    return false;
  };
  CHECK(std::get_new_handler() == nullptr);
  if (is_odd()) {
    reserve = static_cast<char*>(malloc(1 << 16));
    CHECK(std::set_new_handler(give_reserve) == nullptr);
  }
  for (int i = 0; i < steps; ++i) {
    step();
    if (!is_odd()) CHECK(want_too_much());
    CHECK(given == 0 && (std::get_new_handler() == give_reserve) == is_odd());
  }
  if (is_odd()) CHECK(want_too_much() && given == 1 && !reserve && !std::get_new_handler());
}

class Counting final : public std::pmr::memory_resource {
 public:
  int count = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    ++count;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(p, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
} counting;

void memory_resources() {
  CHECK(std::pmr::get_default_resource() == std::pmr::new_delete_resource());
  if (is_odd()) CHECK(std::pmr::set_default_resource(&counting) == std::pmr::new_delete_resource());
  for (int i = 0; i < steps; ++i) {
    step();
    const std::pmr::string text(100, 'x');
    CHECK(counting.count == (is_odd() ? i + 1 : 0));
  }
  if (is_odd()) CHECK(std::pmr::set_default_resource(nullptr) == &counting);
  CHECK(std::pmr::get_default_resource() == std::pmr::new_delete_resource());
}

[[noreturn]] void end_by_own_handler() {
  fprintf(stderr, "rank %d terminates\n", my_rank);
  MPI_Abort(MPI_COMM_WORLD, 40 + my_rank);
  std::abort();
}
[[noreturn]] void another_handler() { std::abort(); }

void terminate_handlers() {
  const auto usual = std::get_terminate();
  CHECK(usual);
  if (is_odd()) CHECK(std::set_terminate(another_handler) == usual);
  for (int i = 0; i < steps; ++i) {
    step();
    CHECK(std::get_terminate() == (is_odd() ? another_handler : usual));
  }
  std::set_terminate(usual);
}

/// Returns the PE of this rank.
int place() {
  void* pe = nullptr;
  int there = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, AMPI_MY_PROCESS, &pe, &there);
  return there ? *static_cast<int*>(pe) : -1;
}
/// Returns true if `memory` is less than 16 MiB from the rank's heap: slots are larger.
bool is_in_own_slot(const void* memory) {
  void* const mine = malloc(16);
  const auto apart = static_cast<const char*>(memory) - static_cast<const char*>(mine);
  free(mine);
  return std::abs(apart) < 16 << 20;
}

/// Checks that this rank gets no block that another rank has freed.
template <class Allocator>
void pooled_blocks(Allocator allocator) {
  std::vector<int*> blocks(40);
  for (int i = 0; i < steps; ++i) {
    for (int*& block : blocks) *(block = allocator.allocate(6)) = my_rank + i;
    step();
    for (int* const block : blocks) {
      CHECK(is_in_own_slot(block) && *block == my_rank + i);
      allocator.deallocate(block, 6);
    }
    step();
  }
}

void synchronized_pools() {
  for (int i = 0; i < steps; ++i) {
    std::pmr::synchronized_pool_resource pool;
    const int there = place();
    pooled_blocks(std::pmr::polymorphic_allocator<int>(&pool));
    CHECK(place() == there);
  }
}

template <int Kind>
struct Numbered final : std::locale::facet {
  static std::locale::id id;
  static constexpr int kind = Kind;
};
template <int Kind>
std::locale::id Numbered<Kind>::id;

/// Checks that a kind of facets has one number, wherever the rank was when it made the first facet of another
/// kind.
void own_facets() {
  const std::locale one(std::locale::classic(), new Numbered<1>);
  CHECK(!std::has_facet<Numbered<2>>(one));
  const int there = place();
  for (int i = 0; i < steps; ++i) step();
  const std::locale both(one, new Numbered<2>);
  CHECK(std::use_facet<Numbered<1>>(both).kind == 1 && std::use_facet<Numbered<2>>(both).kind == 2);
  CHECK(place() == there);
}

extern "C" void __register_frame(void*);
extern "C" void __deregister_frame(void*);

void registered_code() {
  static std::size_t no_functions[2];
  __register_frame(no_functions);
  const int there = place();
  for (int i = 0; i < steps; ++i) step();
  CHECK(place() == there);
  __deregister_frame(no_functions);
}

// ---- C

int print_own(FILE* stream, const printf_info*, const void* const* arguments) {
  return fprintf(stream, "<%d:%d>", my_rank, **static_cast<const int* const*>(arguments[0]));
}
int count_own(const printf_info*, std::size_t most, int* types, int* sizes) {
  if (most > 0) types[0] = PA_POINTER, sizes[0] = sizeof(void*);
  return 1;
}

/// Has no format attribute, as the compiler does not know the conversion.
std::string printed(const char* format, ...) {
  char text[64];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return text;
}

void conversions() {
  if (is_odd()) CHECK(register_printf_specifier('W', print_own, count_own) == 0);
  const int number = 7;
  for (int i = 0; i < steps; ++i) {
    step();
    if (is_odd())
      CHECK(printed("%W %d", &number, i) == "<" + std::to_string(my_rank) + ":7> " + std::to_string(i));
    else
      CHECK(printed("%W %d", i) == "%W " + std::to_string(i));
  }
}

void messages() {
  const std::string own = "domain" + std::to_string(my_rank);
  CHECK(strcmp(textdomain(nullptr), "messages") == 0);
  CHECK(textdomain(own.c_str()) == own && setlogmask(0) == 0xff);
  const int mask = LOG_UPTO(my_rank % 8);
  CHECK(setlogmask(mask) == 0xff);
  for (int i = 0; i < steps; ++i) {
    step();
    CHECK(textdomain(nullptr) == own && setlogmask(0) == mask);
    CHECK(strcmp(gettext("no translation"), "no translation") == 0);
  }
}

int before_fork, after_fork;

/// Forking works with private memory only (ENOTSUP).
void fork_handlers() {
  CHECK(pthread_atfork([] { ++before_fork; }, [] { ++after_fork; }, nullptr) == 0);
  step();
  if (!is_odd()) return;
  const pid_t child = fork();
  if (child == 0) _exit(before_fork == 1 && after_fork == 0 ? 0 : 1);
  if (child < 0) {
    CHECK(errno == ENOTSUP);
    return;
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(before_fork == 1 && after_fork == 1);
}

/// A signal stack keeps the rank on its PE until it is disabled.
void signal_stacks() {
  stack_t own = {}, found = {};
  CHECK(sigaltstack(nullptr, &found) == 0 && (found.ss_flags & SS_DISABLE));
  if (is_odd()) {
    own.ss_size = 64 * 1024;
    own.ss_sp = malloc(own.ss_size);
    CHECK(sigaltstack(&own, nullptr) == 0);
  }
  for (int i = 0; i < steps; ++i) {
    step();
    if (is_odd()) CHECK(sigaltstack(nullptr, &found) == 0 && found.ss_sp == own.ss_sp);
  }
  if (is_odd()) {
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    CHECK(sigaltstack(&none, nullptr) == 0);
    free(own.ss_sp);
  }
  step();
}

}  // namespace

int main(int argc, char** argv) {
  begin(&argc, &argv);
  if (argc > 1) {
    std::set_terminate(end_by_own_handler);
    step();
    if (my_rank == 0) throw 1;
    step();
  }
  new_handlers();
  memory_resources();
  terminate_handlers();
  pooled_blocks(__gnu_cxx::__pool_alloc<int>());
  synchronized_pools();
  registered_code();
  conversions();
  messages();
  fork_handlers();
  signal_stacks();
  // From here on ranks stay where they are.
  own_facets();
  pooled_blocks(__gnu_cxx::__mt_alloc<int>());
  finish("settings");
}
