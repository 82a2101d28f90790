// SPDX-License-Identifier: Apache-2.0
// The file of the program that ranks run, where the system names the launcher's: the link /proc/self/exe.
#pragma once

namespace skein::libc {

/// `executed` is the path by which the program is started: what ranks get as AT_EXECFN, and by which the C
/// library names the program in messages. Call before any rank runs.
void remember_program_file(const char* executed);

/// What the system is to open for `path`, which may be null: the program's file if a rank's program (or a
/// library on its behalf) calls, and `path` is /proc/self/exe or the same link under the caller's number
/// (process_numbers.hpp) or "thread-self"; for what else is under the caller's number, the PE's; else `path`.
/// The program's file is absolute, without symbolic links, and its name stays; that of the PE's until the
/// next call. Leaves errno alone, allocates nothing: may be called in children of vfork().
const char* path_in_system(const char* path);
/// The path for calls that are about a link itself, or write: /proc/self/exe is the launcher's.
const char* link_in_system(const char* path);

}  // namespace skein::libc
