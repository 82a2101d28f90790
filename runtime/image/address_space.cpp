// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/address_space.hpp"

#include <link.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "runtime/base/error.hpp"
#include "runtime/base/fnv.hpp"
#include "runtime/fiber/thread_block.hpp"
#include "runtime/image/boot/protocol.h"

namespace skein::image {
namespace {

using Method = AddressSpaceState::Method;

constexpr rlim_t kGreatestStack = rlim_t{64} << 20;
constexpr rlim_t kUsualStack = rlim_t{8} << 20;

/// Holds the last attempt, as METHOD:PID, so that neither a child process nor a PE started through a remote
/// launcher takes it for its own.
constexpr const char* kAttemptVariable = "SKEIN_ADDRESS_SPACE";

std::string attempt_mark(const char* method) { return std::string(method) + ":" + std::to_string(getpid()); }

bool tried(const char* method) {
  const char* mark = getenv(kAttemptVariable);
  return mark && attempt_mark(method) == mark;
}

bool is_randomised() {
  const int flags = personality(0xffffffff);
  if (flags >= 0 && (flags & ADDR_NO_RANDOMIZE)) return false;
  std::ifstream setting("/proc/sys/kernel/randomize_va_space");
  int value = 1;
  setting >> value;
  return value != 0;
}

/// Returns true if libraries have been placed by a stack limit that other PEs may not have.
bool lower_stack_limit() {
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur <= kGreatestStack) return false;
  limit.rlim_cur = kUsualStack;
  return setrlimit(RLIMIT_STACK, &limit) == 0;
}

std::string own_path() {
  if (const char* target = getenv(SKEIN_BOOT_TARGET_VARIABLE)) return target;
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : std::string();
}

/// Returns the path of skein-boot: beside the launcher in the build tree, in libexec when installed.
std::string boot_path(const std::string& launcher) {
  const std::string directory = launcher.substr(0, launcher.rfind('/') + 1);
  for (const char* place : {"skein-boot", "../libexec/skein/skein-boot"})
    if (access((directory + place).c_str(), X_OK) == 0) return directory + place;
  return {};
}

/// Starts the launcher again. Returns only if it fails, with the reason.
std::string start_again(const char* method, const char* file, char** argv) {
  setenv(kAttemptVariable, attempt_mark(method).c_str(), 1);
  execv(file, argv);
  return format("starting %s again failed: %s", file, strerror(errno));
}

std::string start_without_randomisation(char** argv) {
  const int flags = personality(0xffffffff);
  if (flags < 0 || personality(static_cast<unsigned long>(flags) | ADDR_NO_RANDOMIZE) < 0)
    return format("the system forbids personality(ADDR_NO_RANDOMIZE): %s", strerror(errno));
  return start_again("personality", "/proc/self/exe", argv);
}

std::string start_by_boot(const std::string& launcher, char** argv) {
  const std::string boot = boot_path(launcher);
  if (boot.empty()) return "skein-boot is not installed beside " + launcher;
  setenv(SKEIN_BOOT_TARGET_VARIABLE, launcher.c_str(), 1);
  std::string failure = start_again("boot", boot.c_str(), argv);
  unsetenv(SKEIN_BOOT_TARGET_VARIABLE);
  return failure;
}

}  // namespace

AddressSpaceState settle_address_space(char** argv) {
  AddressSpaceState state;
  state.launcher_path = own_path();
  const bool by_boot = tried("boot") && getenv(SKEIN_BOOT_TARGET_VARIABLE);
  const bool by_personality = tried("personality");
  if (by_boot) {
    state.method = Method::boot;
  } else {
    const bool misplaced = lower_stack_limit();
    if (is_randomised()) {
      state.obstacle = by_personality ? "the system ignores personality(ADDR_NO_RANDOMIZE)"
                                      : start_without_randomisation(argv);
      state.obstacle += "; " + start_by_boot(state.launcher_path, argv);
    } else if (misplaced && !by_personality) {
      state.obstacle = start_again("personality", "/proc/self/exe", argv);
    } else {
      state.method = by_personality ? Method::personality : Method::fixed_before;
    }
  }
  unsetenv(kAttemptVariable);
  unsetenv(SKEIN_BOOT_TARGET_VARIABLE);
  return state;
}

std::uint64_t address_fingerprint() {
  Fnv1a hash;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        if (strncmp(info->dlpi_name, "linux-vdso", 10) == 0) return 0;
        Fnv1a& h = *static_cast<Fnv1a*>(out);
        h.add(&info->dlpi_addr, sizeof info->dlpi_addr);
        h.add(info->dlpi_phdr, info->dlpi_phnum * sizeof(Elf64_Phdr));
        for (int i = 0; i < info->dlpi_phnum; ++i)  // notes hold the build id
          if (const Elf64_Phdr& s = info->dlpi_phdr[i]; s.p_type == PT_NOTE)
            h.add(reinterpret_cast<const void*>(info->dlpi_addr + s.p_vaddr), s.p_filesz);
        return 0;
      },
      &hash);
  const std::byte* const pointer = fiber::thread_pointer();
  hash.add(&pointer, sizeof pointer);
  return hash.value();
}

}  // namespace skein::image
