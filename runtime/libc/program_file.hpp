// SPDX-License-Identifier: Apache-2.0
// The file of the program that ranks run, where the system names the launcher's: the link /proc/self/exe.
#pragma once

namespace skein::libc {

/// `executed` is the path by which the program is started: what ranks get as AT_EXECFN. Call before any rank
/// runs.
void remember_program_file(const char* executed);

/// The file behind `path`: that of the program if a rank's program (or a library on its behalf) calls, and
/// `path` is /proc/self/exe or the same link under the caller's number or "thread-self"; else `path`, which
/// may be null. What is returned is absolute, without symbolic links, and stays. Leaves errno alone,
/// allocates nothing: may be called in children of vfork().
const char* behind_exe_link(const char* path);

}  // namespace skein::libc
