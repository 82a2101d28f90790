// SPDX-License-Identifier: Apache-2.0
// Flows that take turns, each on its own stack.
#include "runtime/fiber/context.hpp"

#include <doctest/doctest.h>
#include <fenv.h>
#include <ucontext.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

using namespace skein;

namespace {

/// A flow that records in `said` what it does. It gives way by pause(), and once its function has ended does
/// only that.
class Flow {
 public:
  explicit Flow(void (*what)(Flow&), std::size_t unaligned = 0) : what_(what) {
    context_ = fiber::make_context(stack_.data() + stack_.size() - unaligned, begin);
    first_call_ = static_cast<const std::byte*>(context_);
  }
  void go_on() {
    entered = this;
    fiber::switch_context(outside_, context_);
  }
  void pause() { fiber::switch_context(context_, outside_); }
  bool waits_on_own_stack() const {
    return fiber::waits_on_own_stack(context_, first_call_, stack_.data() + stack_.size());
  }

  std::string said;

 private:
  static void begin() {
    Flow& self = *entered;
    self.what_(self);
    for (;;) self.pause();
  }
  static Flow* entered;
  void (*what_)(Flow&);
  std::vector<std::byte> stack_ = std::vector<std::byte>(64 * 1024);
  fiber::Context context_ = nullptr, outside_ = nullptr;
  const std::byte* first_call_ = nullptr;
};
Flow* Flow::entered = nullptr;

/// Puts numbers into the registers that a call preserves, switches to the other side, and returns true if the
/// numbers are still there.
bool keeps_registers(std::uint64_t first, Flow& flow) {
  std::array<std::uint64_t, 5> found{};
  // The call may change the first four, and all registers in the list of clobbers.
  std::uint64_t number = first;
  Flow* its = &flow;
  std::uint64_t* to = found.data();
  void (*pause)(Flow&) = [](Flow& paused) { paused.pause(); };
  asm volatile(
      "mov %[number], %%rbx\n"
      "lea 1(%%rbx), %%r12\n lea 2(%%rbx), %%r13\n lea 3(%%rbx), %%r14\n lea 4(%%rbx), %%r15\n"
      "mov %%rsp, %%rax\n sub $256, %%rsp\n and $-16, %%rsp\n push %%rax\n push %[to]\n"
      "call *%[pause]\n"
      "pop %%rax\n pop %%rsp\n"
      "mov %%rbx, (%%rax)\n mov %%r12, 8(%%rax)\n mov %%r13, 16(%%rax)\n mov %%r14, 24(%%rax)\n"
      "mov %%r15, 32(%%rax)\n"
      : [number] "+S"(number), [flow] "+D"(its), [to] "+c"(to), [pause] "+d"(pause)
      :
      : "rax", "r8", "r9", "r10", "r11", "rbx", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3",
        "xmm4", "xmm5", "xmm6", "xmm7", "cc", "memory");
  for (std::uint64_t i = 0; i < found.size(); ++i)
    if (found[i] != first + i) return false;
  return true;
}

}  // namespace

TEST_CASE("context: flows take turns, each going on where it was") {
  const auto what = [](Flow& flow) {
    for (char c = 'a'; c < 'e'; ++c) {
      flow.said += c;
      flow.pause();
    }
  };
  Flow one(what), other(what);
  one.go_on();
  one.go_on();
  CHECK(one.said == "ab");
  other.go_on();
  CHECK(other.said == "a");
  for (int i = 0; i < 3; ++i) one.go_on(), other.go_on();
  CHECK(one.said == "abcd");
  CHECK(other.said == "abcd");
}

TEST_CASE("context: the registers that a call keeps are each flow's own") {
  Flow one([](Flow& flow) { flow.said = keeps_registers(1000, flow) ? "kept" : "lost"; });
  Flow other([](Flow& flow) { flow.said = keeps_registers(2000, flow) ? "kept" : "lost"; });
  for (int i = 0; i < 2; ++i) one.go_on(), other.go_on();
  CHECK(one.said == "kept");
  CHECK(other.said == "kept");
}

TEST_CASE("context: each flow rounds its own way, at first as where it was made") {
  const auto third = [] {
    volatile double one = 1, three = 3;
    volatile long double long_one = 1, long_three = 3;
    return std::pair<double, long double>(one / three, long_one / long_three);
  };
  static constexpr auto way = [](Flow& flow) { flow.said += fegetround() == FE_UPWARD ? 'u' : 'n'; };
  Flow flow([](Flow& its) {
    way(its);
    fesetround(FE_UPWARD);
    its.pause();
    way(its);
  });
  const auto near = third();
  flow.go_on();
  CHECK(fegetround() == FE_TONEAREST);
  CHECK(third() == near);
  flow.go_on();
  CHECK(flow.said == "nu");
  CHECK(third() == near);
  fesetround(FE_UPWARD);
  CHECK(third() != near);
  Flow upward(way);
  fesetround(FE_TONEAREST);
  upward.go_on();
  CHECK(upward.said == "u");
}

TEST_CASE("context: what went wrong in arithmetic is told to the flow whose it was") {
  static constexpr auto flags = [](Flow& flow) {
    flow.said += fetestexcept(FE_DIVBYZERO) ? 'd' : '-';
    flow.said += fetestexcept(FE_OVERFLOW) ? 'o' : '-';
    flow.said += fetestexcept(FE_INVALID) ? 'i' : '-';
  };
  // One flow computes with long double on one floating-point unit, another with double on the other.
  Flow long_double([](Flow& its) {
    volatile long double zero = 0, large = 1e4932L, result = 1 / zero;
    its.pause();
    flags(its);
    result = large * large;
    its.pause();
    flags(its);
    feclearexcept(FE_OVERFLOW);
    its.pause();
    flags(its);
    (void)result;
  });
  Flow short_double([](Flow& its) {
    volatile double zero = 0;
    [[maybe_unused]] volatile const double result = zero / zero;
    for (int i = 0; i < 3; ++i) {
      its.pause();
      flags(its);
    }
  });
  feclearexcept(FE_ALL_EXCEPT);
  for (int i = 0; i < 4; ++i) {
    long_double.go_on();
    CHECK(fetestexcept(FE_ALL_EXCEPT) == 0);
    short_double.go_on();
    CHECK(fetestexcept(FE_ALL_EXCEPT) == 0);
  }
  CHECK(long_double.said == "d--do-d--");
  CHECK(short_double.said == "--i--i--i");
}

TEST_CASE("context: what interrupts one flow does not interrupt another") {
  static volatile long double one = 1, zero = 0;
  [[maybe_unused]] static volatile long double result;
  Flow strict([](Flow& its) {
    feenableexcept(FE_DIVBYZERO);
    for (int i = 0; i < 3; ++i) {
      its.pause();
      result = one * 2;
    }
    its.said = fegetexcept() == FE_DIVBYZERO && !fetestexcept(FE_DIVBYZERO) ? "strict" : "not";
  });
  Flow lenient([](Flow& its) {
    for (int i = 0; i < 3; ++i) {
      result = one / zero;
      its.pause();
    }
    its.said = fegetexcept() == 0 && fetestexcept(FE_DIVBYZERO) ? "lenient" : "not";
  });
  for (int i = 0; i < 4; ++i) strict.go_on(), lenient.go_on();
  CHECK(strict.said == "strict");
  CHECK(lenient.said == "lenient");
  CHECK(fegetexcept() == 0);
}

TEST_CASE("context: a stack begins aligned, wherever it ends") {
  const auto what = [](Flow& flow) {
    alignas(16) volatile char place[16];
    const bool frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) % 16 == 0;
    const bool variable = reinterpret_cast<std::uintptr_t>(place) % 16 == 0;
    flow.said = frame && variable ? "aligned" : "not";
  };
  for (const std::size_t unaligned : {0, 1, 8, 15}) {
    Flow flow(what, unaligned);
    flow.go_on();
    CHECK(flow.said == "aligned");
  }
}

TEST_CASE("context: a flow throws and catches, and pauses while it does") {
  Flow flow([](Flow& its) {
    try {
      its.pause();
      throw std::runtime_error("its own");
    } catch (const std::exception& error) {
      its.pause();
      its.said = error.what();
    }
  });
  for (int i = 0; i < 3; ++i) flow.go_on();
  CHECK(flow.said == "its own");
}

TEST_CASE("context: a flow waits on its own stack, or on one that it has made") {
  static Flow* flow;
  static ucontext_t main, other;
  static std::array<char, 16384> elsewhere;
  Flow here([](Flow& its) {
    its.pause();
    const auto begin_on = [](char* stack, std::size_t bytes) {
      getcontext(&other);
      other.uc_stack.ss_sp = stack;
      other.uc_stack.ss_size = bytes;
      other.uc_link = &main;
      makecontext(
          &other, [] { flow->pause(); }, 0);
      swapcontext(&main, &other);
    };
    begin_on(elsewhere.data(), elsewhere.size());
    its.pause();
    std::array<char, 16384> frame;
    begin_on(frame.data(), frame.size());
    its.pause();
  });
  flow = &here;
  for (const bool own : {true, true, false, true, false, true}) {
    CHECK(here.waits_on_own_stack() == (own && fiber::knows_calls));
    here.go_on();
  }
}
