// SPDX-License-Identifier: Apache-2.0
// The process numbers of ranks. To its program a rank is a process, so each has a number of its own, which
// stays when it moves and which no process of the system has: a scratch file, a seed or a lock named by
// getpid() is the rank's.
//
//   number(rank) = kFirstNumber + starter * kNumbersOfJob + rank
//
// `starter` is the number of the job's first PE in the system: jobs of up to kNumbersOfJob ranks on one node
// share none. Calls that take a process's number translate the caller's to its PE's (process_numbers.cpp);
// the kernel knows no process of that number, so a call without translation fails, and hits no other process.
#pragma once

#include <sys/types.h>

namespace skein {
struct Rank;
}

namespace skein::libc {

/// Linux gives no higher ones to processes (PID_MAX_LIMIT).
inline constexpr pid_t kFirstNumber = 1 << 22;
inline constexpr pid_t kNumbersOfJob = 509;  // so that all fit an int

/// Sets the values, the same on all PEs, before any rank runs.
void set_process_numbers(pid_t starter, int ranks);

pid_t number_of(const Rank& rank);

/// Returns the system's number for `process` as the program of `rank` knows it: the PE's for the rank's own
/// number, else the same number.
pid_t in_system(const Rank& rank, pid_t process);

}  // namespace skein::libc
