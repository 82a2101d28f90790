// SPDX-License-Identifier: Apache-2.0
// The key with which the C library mangles pointers to code that it keeps. While a rank runs it is the job's,
// so that what a rank has mangled means the same on every PE (job_guards.hpp); on the PE's own stack it is
// the one that the process was started with.
#pragma once

namespace skein {

inline void set_pointer_guard(unsigned long value) { asm volatile("mov %0, %%fs:0x30" ::"r"(value)); }

/// The one in force.
inline unsigned long pointer_guard() {
  unsigned long value;
  asm volatile("mov %%fs:0x30, %0" : "=r"(value));
  return value;
}

/// Back to the process's own pointer guard, before libc runs its exit handlers. Nothing before the first rank
/// runs.
void use_process_guards();

/// While it lives, the process's own pointer guard is in force although a rank runs: for functions of the C
/// library that call through pointers which it mangled for the whole process, such as those of the name
/// service. No switch may happen meanwhile.
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
