// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "runtime/fiber/thread_block.hpp"

using namespace skein::fiber;

TEST_CASE("RuntimeScope: allocations are the process's own inside, the rank's again outside; scopes nest") {
  auto* const heap = reinterpret_cast<skein::arena::Heap*>(0x1000);  // never dereferenced here
  auto* const before = thread_block.heap;
  thread_block.heap = heap;
  void *in_outer, *in_inner, *after_inner;
  {
    const RuntimeScope outer;
    in_outer = thread_block.heap;
    {
      const RuntimeScope inner;
      in_inner = thread_block.heap;
    }
    after_inner = thread_block.heap;
  }
  void* const after = thread_block.heap;
  thread_block.heap = before;  // doctest allocates
  CHECK(in_outer == nullptr);
  CHECK(in_inner == nullptr);
  CHECK(after_inner == nullptr);
  CHECK(after == heap);
}
