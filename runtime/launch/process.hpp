// SPDX-License-Identifier: Apache-2.0
// What this process was started with, becoming another program, and processes that descend from one.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skein::launch {

/// Absolute path of the running skein command, links resolved. Throws skein::Error.
std::string own_path();

/// A closed descriptor 0 becomes /dev/null, so that nothing else gets its number. First in main().
void open_closed_input();

/// The words of a command line in a variable (SKEIN_MPIEXEC, SKEIN_CC), split at blanks; no quoting.
std::vector<std::string> split_words(std::string_view text);

/// The reverse, for messages.
std::string join_words(std::span<const std::string> words);

/// Replaces this process by `command`, looked up in PATH. Returns only on failure, with errno set.
void replace_process(const std::vector<std::string>& command);

/// What a process that is started is like.
struct ProcessStart {
  bool own_group;    ///< it leads a process group of its own
  bool empty_input;  ///< and not this process's standard input
  sigset_t mask;     ///< of blocked signals
};
/// Starts `command`, looked up in PATH, which gets SIGTERM when this process dies. Throws skein::Error, whose
/// text is why, when it cannot be started.
pid_t start_process(const std::vector<std::string>& command, const ProcessStart& as);

/// It, if it is there, and all that descend from it on this machine, parents before their children.
std::vector<pid_t> with_descendants(pid_t process);
/// Whether a signal has stopped it, and not a debugger.
bool is_stopped(pid_t process);
/// Whether one runs that descends from it.
bool has_living_descendant(pid_t process);

}  // namespace skein::launch
