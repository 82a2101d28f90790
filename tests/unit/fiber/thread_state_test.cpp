// SPDX-License-Identifier: Apache-2.0
// The state of a thread that a switch of stacks exchanges.
#include <doctest/doctest.h>

#include <cerrno>
#include <exception>
#include <stdexcept>
#include <string>

#include "runtime/fiber/thread_state.hpp"

using namespace skein;

TEST_CASE("thread state: errno is each fiber's own") {
  fiber::find_thread_state();
  ThreadState one, other;
  errno = ENOENT;
  fiber::save(one);
  fiber::restore(other);
  CHECK(errno == 0);
  errno = EAGAIN;
  fiber::save(other);
  fiber::restore(one);
  CHECK(errno == ENOENT);
  fiber::restore(other);
  CHECK(errno == EAGAIN);
}

TEST_CASE(
    "thread state: a fiber that blocks inside a catch block keeps its exception; others do not see it") {
  fiber::find_thread_state();
  ThreadState blocked;
  const ThreadState fresh;
  try {
    throw std::runtime_error("first");
  } catch (...) {
    fiber::save(blocked);
    fiber::restore(fresh);
    CHECK(std::current_exception() == nullptr);
    try {  // the other fiber throws and catches while the first is away
      throw std::logic_error("second");
    } catch (const std::logic_error& error) {
      CHECK(std::string(error.what()) == "second");
    }
    CHECK(std::current_exception() == nullptr);
    fiber::restore(blocked);
    try {
      throw;  // the exception that the first fiber is handling
    } catch (const std::runtime_error& error) {
      CHECK(std::string(error.what()) == "first");
    }
  }
  CHECK(std::current_exception() == nullptr);
}

namespace {

/// Saves the state in its destructor, while an exception passes it.
struct Observer {
  ThreadState& state;
  ~Observer() { fiber::save(state); }
};

}  // namespace

TEST_CASE("thread state: an exception under way is counted in the fiber that threw it alone") {
  fiber::find_thread_state();
  ThreadState unwinding;
  try {
    const Observer observer{unwinding};
    throw 1;
  } catch (int) {
  }
  CHECK(unwinding.uncaught_exceptions == 1);
  CHECK(std::uncaught_exceptions() == 0);
  ThreadState here;
  fiber::save(here);
  fiber::restore(unwinding);
  CHECK(std::uncaught_exceptions() == 1);
  fiber::restore(here);
  CHECK(std::uncaught_exceptions() == 0);
}
