// SPDX-License-Identifier: Apache-2.0
// The runtime of a PE as one object, which run_job.cpp and run_native.cpp make. What the modules keep for a
// job, each in its own file, begins with it: a second runtime in one process finds nothing of the first.
//
//   PerRuntime<State> state;           // in a module, at namespace scope
//   state->steps += 1;                 // an address that the linker knows: no look-up, no indirection
//
// Not of the runtime, and so no PerRuntime, is what belongs to the process for good: the MPI underneath,
// which starts once, tables of C library functions, what was found out about the machine.
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
  /// As it was when the process started.
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

/// State of a module that lasts as long as the PE's runtime. At namespace scope, for it is never unlinked;
/// State is made without arguments. Not to be used by the initialisation of other static objects.
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

/// Begins variables anew with each PE's runtime that headers name which do not know of this, or that would
/// gain nothing from being in a PerRuntime: `const BegunAnew<queue, running> with_runtime;`. They are zero,
/// null, empty or what their default constructor makes at first.
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

/// One at a time. What it began lasts until its end. Made and destroyed on the PE's own stack, while no rank
/// or element is there.
class PeRuntime {
 public:
  explicit PeRuntime(const Upcalls& of_layers_above);
  ~PeRuntime();
  PeRuntime(const PeRuntime&) = delete;
  PeRuntime& operator=(const PeRuntime&) = delete;
};

}  // namespace skein
