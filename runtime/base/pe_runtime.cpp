// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/pe_runtime.hpp"

#include "runtime/base/upcalls.hpp"

#include "runtime/base/check.hpp"

namespace skein {

constinit detail::RuntimeStateLink* detail::RuntimeStateLink::first = nullptr;

namespace {
bool exists = false;

void begin_all_anew() {
  for (detail::RuntimeStateLink* state = detail::RuntimeStateLink::first; state; state = state->next())
    state->begin_anew();
}
}  // namespace

PeRuntime::PeRuntime(const Upcalls& of_layers_above) {
  SKEIN_CHECK(!exists, "a PE has one runtime at a time");
  exists = true;
  begin_all_anew();
  upcalls = of_layers_above;
}

PeRuntime::~PeRuntime() {
  begin_all_anew();  // a process that goes on without a runtime keeps nothing of it
  upcalls = {};
  exists = false;
}

Upcalls upcalls;
int own_pe = 0;

}  // namespace skein
