// SPDX-License-Identifier: Apache-2.0
// Locks on files for ranks, by fcntl() and flock(): file_locks.cpp says how.
#pragma once

#include <fcntl.h>

namespace skein::libc {

/// Returns true if a rank must not give this command of fcntl() to the system unchanged.
bool is_lock_command(int command);
/// Executes a lock command of a rank. May switch to other ranks of the PE; the caller does not move. Returns
/// -1 with errno on errors.
int rank_lock_command(int descriptor, int command, struct flock* lock);

/// Returns true if the open file behind a descriptor of this process has a lock. Callable from anywhere.
bool is_locked(int descriptor);

}  // namespace skein::libc
