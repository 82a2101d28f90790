// SPDX-License-Identifier: Apache-2.0
// The process numbers of ranks. To its program a rank is a process, so each has a number of its own, which
// stays when it moves and which no process of the system has: a scratch file, a seed or a lock named by
// getpid() is the rank's.
//
//   number(rank) = kFirstNumber + starter * kNumbersOfJob + rank
//
// `starter` is the number of the job's first PE in the system: jobs of up to kNumbersOfJob ranks on one node
// share none. Calls that take a process's number take the caller's for its PE (process_numbers.cpp); the
// kernel knows no such process, so what is not translated fails, and meets nobody else.
#pragma once

#include <sys/types.h>

namespace skein {
struct Rank;
}

namespace skein::libc {

/// Linux gives no higher ones to processes (PID_MAX_LIMIT).
inline constexpr pid_t kFirstNumber = 1 << 22;
inline constexpr pid_t kNumbersOfJob = 509;  // so that all fit an int

/// Sets what all PEs say alike, before any rank runs.
void set_process_numbers(pid_t starter, int ranks);

pid_t number_of(const Rank& rank);

/// What the system calls `process`, as the program of `rank` has it: the PE for the rank's own number, else
/// the same.
pid_t in_system(const Rank& rank, pid_t process);

}  // namespace skein::libc
