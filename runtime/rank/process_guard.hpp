// SPDX-License-Identifier: Apache-2.0
// The key with which the C library mangles pointers to code that it keeps. While a rank runs the key is the
// job's, so that pointers mangled by a rank mean the same on every PE (job_guards.hpp); on the PE's own stack
// it is the one that the process was started with.
#pragma once

namespace skein {

inline void set_pointer_guard(unsigned long value) { asm volatile("mov %0, %%fs:0x30" ::"r"(value)); }

/// Returns the pointer guard in force.
inline unsigned long pointer_guard() {
  unsigned long value;
  asm volatile("mov %%fs:0x30, %0" : "=r"(value));
  return value;
}

/// Restores the process's own pointer guard, before libc runs its exit handlers. Does nothing before the
/// first rank runs.
void use_process_guards();

/// Puts the process's own pointer guard in force for the scope, although a rank runs: for functions of the C
/// library that call through pointers mangled for the whole process, such as those of the name service. No
/// switch may happen meanwhile.
class ProcessGuardScope {
 public:
  ProcessGuardScope();
  ~ProcessGuardScope();
  ProcessGuardScope(const ProcessGuardScope&) = delete;
  ProcessGuardScope& operator=(const ProcessGuardScope&) = delete;

 private:
  unsigned long saved_;
};

}  // namespace skein
