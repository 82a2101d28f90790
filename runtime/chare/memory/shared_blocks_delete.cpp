// SPDX-License-Identifier: Apache-2.0
// operator delete of native programs, for vectors whose storage is a shared block. Weak, and in an object
// file of its own that nothing else needs: a program with its own operators, or with a library in front of
// this one that has some, keeps those, and there are no shared blocks (shared_blocks.cpp checks).

#include <cstdlib>
#include <new>

#include "runtime/chare/memory/shared_blocks.hpp"

void skein_delete(void* memory) noexcept {
  if (skein::chare::is_shared(memory)) [[unlikely]]
    return skein::chare::release_shared(memory);
  free(memory);
}
void skein_delete_sized(void* memory, std::size_t) noexcept { operator delete(memory); }

[[gnu::weak, gnu::alias("skein_delete")]] void operator delete(void* memory) noexcept;
[[gnu::weak, gnu::alias("skein_delete_sized")]] void operator delete(void* memory, std::size_t) noexcept;
