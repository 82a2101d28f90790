// SPDX-License-Identifier: Apache-2.0
// The folders in which the job of a `skein run` keeps states in the memory of machines.
//
//   /dev/shm/skein-states-<process>          on the machine of `skein run`, which is that process
//   /dev/shm/skein-states-<process>@<host>   on each other machine; <host> is its name
//
// `skein run` makes and removes the former. A PE on each other machine holds the latter as long as it lives,
// and removes it when the job has ended well.
#pragma once

#include <sys/types.h>

#include <string>

namespace skein::checkpoint {

/// The environment variable in which `skein run` names the folder to PEs. It is not for the user, so it lacks
/// the prefix of the user's variables.
inline constexpr char kMemoryFolderVariable[] = "skein_states";

/// Returns true if there is such a process, of any user.
bool is_alive(pid_t process);

/// Returns the folder on the machine of `skein run`.
std::string memory_folder(pid_t starter);
/// Returns the folder on another machine. `folder`: the result of memory_folder().
std::string memory_folder_on(const std::string& folder, const std::string& host);

/// Removes this user's folders that jobs have left on this machine: those whose `skein run` is gone or is
/// this process, and folders of the second kind that no PE holds.
void remove_left_memory_folders();

/// Makes a folder of the second kind, removes folders that others have left here, and holds the new one until
/// this process ends. If PEs of the same job that are about to end still hold it, waits for their end. Throws
/// skein::Error.
void take_memory_folder(const std::string& folder);

}  // namespace skein::checkpoint
