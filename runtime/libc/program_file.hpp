// SPDX-License-Identifier: Apache-2.0
// The file of the program that ranks run, where the system would name the launcher's: the link
// /proc/self/exe.
#pragma once

namespace skein::libc {

/// Remembers the path by which the program is started: ranks get it as AT_EXECFN, and the C library names the
/// program by it in messages. Called before any rank runs.
void remember_program_file(const char* executed);

/// Returns the path that the system is to open for `path`, which may be null: the program's file, if a rank's
/// program (or a library on its behalf) calls, and `path` is /proc/self/exe or the same link under the
/// caller's number (process_numbers.hpp) or "thread-self"; the PE's path, for others under the caller's
/// number; else `path`. The program's file is absolute, without symbolic links, and its name stays valid; the
/// PE's until the next call. Leaves errno alone, allocates nothing: may be called in children of vfork().
const char* path_in_system(const char* path);
/// Returns the path for calls about a link itself, or that write: /proc/self/exe is the launcher's.
const char* link_in_system(const char* path);

}  // namespace skein::libc
