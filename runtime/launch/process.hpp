// SPDX-License-Identifier: Apache-2.0
// How this process was started, how it becomes another program, and which processes descend from one.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skein::launch {

/// Returns the absolute path of the running skein command, links resolved. Throws skein::Error.
std::string own_path();

/// Opens /dev/null as descriptor 0 if that is closed, so that nothing else gets its number. First in main().
void open_closed_input();

/// Splits the command line in a variable (SKEIN_MPIEXEC, SKEIN_CC) at blanks; no quoting.
std::vector<std::string> split_words(std::string_view text);

/// Joins words by blanks, for messages.
std::string join_words(std::span<const std::string> words);

/// Replaces this process by `command`, looked up in PATH. Returns only on failure, with errno set.
void replace_process(const std::vector<std::string>& command);

/// The properties of a process that is started.
struct ProcessStart {
  bool own_group;    ///< it leads a process group of its own
  bool empty_input;  ///< in place of this process's standard input
  sigset_t mask;     ///< of blocked signals
};
/// Starts `command`, looked up in PATH, which gets SIGTERM when this process dies. Throws skein::Error, whose
/// text is the reason, if it cannot be started.
pid_t start_process(const std::vector<std::string>& command, const ProcessStart& as);

/// Returns the process, if it exists, and all its descendants on this machine, parents before their children.
std::vector<pid_t> with_descendants(pid_t process);
/// Returns true if a signal has stopped the process, and not a debugger.
bool is_stopped(pid_t process);
/// Returns true if a descendant of the process runs.
bool has_living_descendant(pid_t process);

}  // namespace skein::launch
