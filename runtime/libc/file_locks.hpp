// SPDX-License-Identifier: Apache-2.0
// Locks on files, as fcntl() and flock() give them to ranks: file_locks.cpp says how.
#pragma once

#include <fcntl.h>

namespace skein::libc {

/// Whether fcntl()'s command is one that a rank must not give to the system as it is.
bool is_lock_command(int command);
/// Such a command of a rank. May switch to other ranks of the PE; the caller does not move. -1 with errno on
/// errors.
int rank_lock_command(int descriptor, int command, struct flock* lock);

/// Whether the open file has a lock. Of a descriptor of this process, from anywhere.
bool is_locked(int descriptor);

}  // namespace skein::libc
