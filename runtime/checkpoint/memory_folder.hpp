// SPDX-License-Identifier: Apache-2.0
// Folders with states in the memory of machines: where the job of a `skein run` has them.
//
//   /dev/shm/skein-states-<process>          on the machine of `skein run`, of that process
//   /dev/shm/skein-states-<process>@<host>   on each other machine, of its name
//
// `skein run` makes and removes the former. The latter is held by a PE there as long as that lives, which
// removes it when the job has ended well.
#pragma once

#include <sys/types.h>

#include <string>

namespace skein::checkpoint {

/// The environment variable by which `skein run` tells PEs of the folder. Not for the user, and so without
/// the prefix of those that are.
inline constexpr char kMemoryFolderVariable[] = "skein_states";

/// Whether there is such a process, of whatever user.
bool is_alive(pid_t process);

std::string memory_folder(pid_t starter);
/// On another machine. `folder`: what memory_folder() has returned.
std::string memory_folder_on(const std::string& folder, const std::string& host);

/// Removes those of this user that jobs have left here: whose `skein run` is gone, or this process, and those
/// of the second kind that nobody holds.
void remove_left_memory_folders();

/// Makes one of the second kind, removes what others have left here, and holds it until this process ends.
/// Where PEs of the same job that are about to end hold it yet, waits for their end. Throws skein::Error.
void take_memory_folder(const std::string& folder);

}  // namespace skein::checkpoint
