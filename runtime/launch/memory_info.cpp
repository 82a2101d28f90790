// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/memory_info.hpp"

#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/arena/arena.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/size_text.hpp"
#include "runtime/options/values.hpp"

namespace skein::launch {
namespace {

/// First line of a file of the kernel's; "unknown" where it is not to be read.
std::string first_line(const char* path) {
  char text[256];
  FILE* file = fopen(path, "r");
  if (!file) return "unknown";
  const bool read = fgets(text, sizeof text, file) != nullptr;
  fclose(file);
  if (!read) return "unknown";
  text[strcspn(text, "\n")] = '\0';
  return text;
}

/// Of "always [madvise] never", the word in brackets.
std::string chosen_word(const std::string& line) {
  const std::size_t open = line.find('['), close = line.find(']');
  return open < close && close != std::string::npos ? line.substr(open + 1, close - open - 1) : line;
}

std::string aslr_state() {
  const std::string setting = first_line("/proc/sys/kernel/randomize_va_space");
  const int now = personality(0xffffffff);
  const bool off_already = setting == "0" || (now >= 0 && (now & ADDR_NO_RANDOMIZE));
  if (off_already) return "off";
  // Nothing is run afterwards, so setting the flag for the test and taking it back changes nothing else.
  const bool can = now >= 0 && personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) >= 0;
  if (can) personality(static_cast<unsigned long>(now));
  return "on (randomize_va_space " + setting + "); " +
         (can ? "a run switches it off for itself"
              : format("personality() is refused here: %s", strerror(errno)));
}

std::string arena_state() {
  const auto base = reinterpret_cast<void*>(arena::arena_base);
  void* region = mmap(base, arena::arena_limit_bytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  const int error = errno;
  if (region != MAP_FAILED) munmap(region, arena::arena_limit_bytes);
  const std::string where = size_text(arena::arena_limit_bytes) + format(" at %p", base);
  return region == base ? where + " can be reserved"
                        : where + format(" cannot be reserved: %s", strerror(error));
}

std::string shared_memory_state() {
  const int memfd = memfd_create("skein-info", MFD_CLOEXEC);
  const bool works = memfd >= 0;
  if (works) close(memfd);
  return std::string(works ? "memfd works: messages inside a node go through memory, and what native "
                             "programs share is there once"
                           : "memfd_create() is refused: messages inside a node go through the MPI "
                             "underneath, and what native "
                             "programs share is there once per PE") +
         ", huge pages of shared memory: " +
         chosen_word(first_line("/sys/kernel/mm/transparent_hugepage/shmem_enabled")) +
         ", of private memory: " + chosen_word(first_line("/sys/kernel/mm/transparent_hugepage/enabled"));
}

std::string limits() {
  rlimit stack{};
  getrlimit(RLIMIT_STACK, &stack);
  return "overcommit_memory " + first_line("/proc/sys/vm/overcommit_memory") + ", max_map_count " +
         first_line("/proc/sys/vm/max_map_count") + ", ulimit -s " +
         (stack.rlim_cur == RLIM_INFINITY ? std::string("unlimited") : size_text(stack.rlim_cur));
}

}  // namespace

std::vector<Fact> memory_facts() {
  return {{"arena", arena_state()},
          {"ASLR", aslr_state()},
          {"backing", shared_memory_state()},
          {"limits", limits()}};
}

}  // namespace skein::launch
