// SPDX-License-Identifier: Apache-2.0
// The environment of ranks. The job's environment is kept once a PE, at one address on all PEs: a rank that
// only reads it needs no memory for it, and pointers that getenv() returned stay good when the rank moves.
// The first change gives the rank a vector of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skein {
struct Rank;
}

namespace skein::libc {

/// The address of the job's environment on every PE.
inline constexpr std::uintptr_t kJobEnvironmentAddress = 0x10ff'0000'0000;

struct Environment {
  char** own = nullptr;        ///< the rank's vector, in its slot; null while it reads the job's
  std::size_t capacity = 0;    ///< pointers that fit `own`, the null at the end included
  bool cleared = false;        ///< clearenv() was called, and nothing was set since
  char*** variable = nullptr;  ///< the program's `environ`, when the private library is loaded
};

/// Returns an environment as one block, each string with its terminating zero, ready to be sent to the other
/// PEs.
std::vector<char> flatten_environment(const char* const* environment);

/// Sets the environment that ranks start with, from a block of flatten_environment(). Every PE of the job
/// must give the same. Once, before any rank exists. Throws skein::Error when the fixed address is taken.
void set_job_environment(std::span<const char> block);

/// Returns the vector in force for a rank (third argument of its main()); null after clearenv().
char** environment_of(Rank& rank);

/// Makes the rank's environment the process's for the scope: for functions of the C library that read it, or
/// start children with it. Null: nothing changes. No switch may happen meanwhile.
class EnvironmentScope {
 public:
  explicit EnvironmentScope(Rank* rank);
  ~EnvironmentScope();
  EnvironmentScope(const EnvironmentScope&) = delete;
  EnvironmentScope& operator=(const EnvironmentScope&) = delete;

 private:
  char** saved_;
};

}  // namespace skein::libc

namespace skein::libc {

/// Returns the number of entries of a vector that ends with a null pointer, like argv and environ; 0 if the
/// vector itself is null.
inline std::size_t null_ended_length(char* const* vector) {
  std::size_t n = 0;
  while (vector && vector[n]) ++n;
  return n;
}

}  // namespace skein::libc
