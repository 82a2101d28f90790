// SPDX-License-Identifier: Apache-2.0
#include "runtime/fiber/thread_block.hpp"

#include "runtime/base/check.hpp"

namespace skein::fiber {

constinit thread_local ThreadBlock thread_block __attribute__((tls_model("local-exec"))) = {};

void check_thread_block() {
  const std::byte* end = reinterpret_cast<std::byte*>(&thread_block) + sizeof(ThreadBlock);
  SKEIN_CHECK(
      end == thread_pointer(),
      "the launcher has thread-local data beside its thread block: it ends at %p, the thread pointer is %p",
      static_cast<const void*>(end), static_cast<void*>(thread_pointer()));
}

}  // namespace skein::fiber
