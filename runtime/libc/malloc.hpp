// SPDX-License-Identifier: Apache-2.0
// The malloc family of the launcher. It stands in front of the C library's for the whole process: while a
// rank's own code runs, blocks come from the heap of its slot; at any other time from the C library.
//
//   malloc, calloc, memalign ...   the heap in fiber::thread_block, else the C library's
//   free, realloc, usable size     by the block's address: a block in the arena belongs to its slot's heap
//
// The dynamic linker's own blocks always come from the C library: they belong to the process, and a rank that
// calls dlopen() would otherwise take them along when it moves.
//
// Callable from anywhere. If a slot has no room they return null with ENOMEM, and the first time warn, naming
// --slot-size. mallinfo(), malloc_trim() and the like are about the rank's heap.
#pragma once

#include <span>

#include "runtime/libc/override.hpp"

namespace skein::libc {

/// Returns the functions above by name, for the loader of images: it must look here first, because a look-up
/// by symbol version passes over the launcher's unversioned definitions.
std::span<const Override> malloc_overrides();

}  // namespace skein::libc
