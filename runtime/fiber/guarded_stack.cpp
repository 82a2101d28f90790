// SPDX-License-Identifier: Apache-2.0
#include "runtime/fiber/guarded_stack.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "runtime/base/error.hpp"
#include "runtime/base/pe_runtime.hpp"

namespace skein::fiber {
namespace {

/// Size of a guard, in addresses only: so large that hardly a frame steps over it.
constexpr std::size_t kGuardBytes = std::size_t{16} << 20;

struct Stacks {
  std::size_t bytes = std::size_t{8} << 20;
  std::vector<std::byte*> unused;
  ~Stacks() {
    for (std::byte* const base : unused) munmap(base, kGuardBytes + bytes);
  }
};
PerRuntime<Stacks> stacks;

std::byte* map_stack() {
  void* const base = mmap(nullptr, kGuardBytes + stacks->bytes, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  auto* const guard = static_cast<std::byte*>(base);
  if (base != MAP_FAILED && mprotect(guard + kGuardBytes, stacks->bytes, PROT_READ | PROT_WRITE) == 0)
    return guard;
  const int error = errno;
  if (base != MAP_FAILED) munmap(base, kGuardBytes + stacks->bytes);
  throw Error(
      format("no stack of %zu KiB for a threaded entry method: %s (--stack-size; each takes two mappings, "
             "which vm.max_map_count limits)",
             stacks->bytes / 1024, strerror(error)));
}

}  // namespace

void set_stack_bytes(std::size_t bytes) { stacks->bytes = bytes; }

GuardedStack::GuardedStack() {
  if (stacks->unused.empty()) {
    base_ = map_stack();
  } else {
    base_ = stacks->unused.back();
    stacks->unused.pop_back();
  }
}
GuardedStack::~GuardedStack() { stacks->unused.push_back(base_); }

std::byte* GuardedStack::top() const { return base_ + kGuardBytes + stacks->bytes; }
std::size_t GuardedStack::bytes() const { return stacks->bytes; }
bool GuardedStack::guards(const void* address) const {
  const auto* const at = static_cast<const std::byte*>(address);
  return at >= base_ && at < base_ + kGuardBytes;
}

}  // namespace skein::fiber
