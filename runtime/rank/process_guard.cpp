// SPDX-License-Identifier: Apache-2.0
#include "runtime/rank/process_guard.hpp"

namespace skein {

unsigned long process_pointer_guard = 0;

namespace {

unsigned long pointer_guard() {
  unsigned long value;
  asm volatile("mov %%fs:0x30, %0" : "=r"(value));
  return value;
}

}  // namespace

void note_process_guard() { process_pointer_guard = pointer_guard(); }

void use_process_guards() {
  if (process_pointer_guard) set_pointer_guard(process_pointer_guard);
}

ProcessGuardScope::ProcessGuardScope() : saved_(pointer_guard()) { use_process_guards(); }
ProcessGuardScope::~ProcessGuardScope() { set_pointer_guard(saved_); }

}  // namespace skein
