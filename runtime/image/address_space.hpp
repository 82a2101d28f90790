// SPDX-License-Identifier: Apache-2.0
// Makes the addresses of everything but the slots equal on all PEs, since a rank that moves carries pointers
// into shared libraries and to thread-local data of the process with it. In order of preference:
//
//   personality  the kernel is told not to randomise, and the launcher starts itself again
//   boot         where that is forbidden (containers' seccomp filters): skein-boot, a program that loads the
//                launcher as the kernel would, into a window of addresses of its own choice. GDB cannot
//                attach to such a process, as the kernel's notes about it describe skein-boot.
//   none         ranks do not move
//
// No method guarantees equal addresses: PEs must compare Program::library_addresses() before relying on them.
#pragma once

#include <cstdint>
#include <string>

namespace skein::image {

struct AddressSpaceState {
  enum class Method { fixed_before, personality, boot, none };
  Method method = Method::none;
  std::string launcher_path;  ///< the launcher's file; /proc/self/exe is skein-boot under Method::boot
  std::string obstacle;       ///< Method::none: what failed, for the message
};

/// Starts the launcher again, at most twice, where that helps, and then does not return; the first act of its
/// main(). Passes `argv` on unchanged. Also lowers a stack limit above 64 MiB to 8 MiB: the kernel places
/// libraries by that limit, so it must be equal on all PEs, and an unlimited one places them where the arena
/// is. (Ranks have stacks of their own.)
AddressSpaceState settle_address_space(char** argv);

/// Returns a digest, equal on two PEs only if all their shared libraries are the same files at the same
/// addresses and their thread pointers are equal. Excludes the kernel's vdso: programs reach it only through
/// libc. Program computes it when the program's libraries are loaded and before MPI_Init:
/// Program::library_addresses().
std::uint64_t address_fingerprint();

}  // namespace skein::image
