// SPDX-License-Identifier: Apache-2.0
// The runtime of a PE as one object, which run_job.cpp and run_native.cpp make. What the modules keep for a
// job, each in its own file, begins with it: a second runtime in one process finds nothing of the first.
//
//   PerRuntime<State> state;           // in a module, at namespace scope
//   state->steps += 1;                 // an address that the linker knows: no look-up, no indirection
//
// State that belongs to the process for good is no PerRuntime: the MPI underneath, which starts once, tables
// of C library functions, facts about the machine.
#pragma once

#include <memory>
#include <new>

#include "runtime/base/upcalls.hpp"

namespace skein {

namespace detail {
/// A link of the list of all states, which grows while static objects are made.
class RuntimeStateLink {
 public:
  RuntimeStateLink(const RuntimeStateLink&) = delete;
  RuntimeStateLink& operator=(const RuntimeStateLink&) = delete;
  /// Resets the state to its value at the start of the process.
  virtual void begin_anew() = 0;
  RuntimeStateLink* next() const { return next_; }
  static RuntimeStateLink* first;

 protected:
  RuntimeStateLink() : next_(first) { first = this; }
  ~RuntimeStateLink() = default;

 private:
  RuntimeStateLink* next_;
};
}  // namespace detail

/// State of a module that lasts as long as the PE's runtime. Must be at namespace scope, for it is never
/// unlinked; State has a default constructor. The initialisation of other static objects must not use it.
template <class State>
class PerRuntime final : detail::RuntimeStateLink {
 public:
  State* operator->() { return &state_; }
  State& operator*() { return state_; }

 private:
  void begin_anew() override {
    std::destroy_at(&state_);
    std::construct_at(&state_);
  }
  State state_{};
};

/// Resets variables with each PE's runtime that are named by headers which do not know of PerRuntime, or that
/// would gain nothing from being in one: `const BegunAnew<queue, running> with_runtime;`. At first they are
/// zero, null, empty or default-constructed.
template <auto&... variables>
class BegunAnew final : detail::RuntimeStateLink {
 private:
  void begin_anew() override { (renew(variables), ...); }
  template <class State>
  static void renew(State& variable) {
    std::destroy_at(&variable);
    ::new (static_cast<void*>(&variable)) State{};
  }
};

/// The runtime of a PE, one at a time. The state that it begins lasts until its end. Made and destroyed on
/// the PE's own stack, while no rank or element exists.
class PeRuntime {
 public:
  explicit PeRuntime(const Upcalls& of_layers_above);
  ~PeRuntime();
  PeRuntime(const PeRuntime&) = delete;
  PeRuntime& operator=(const PeRuntime&) = delete;
};

}  // namespace skein
