// SPDX-License-Identifier: Apache-2.0
// Memory for functions that handlers of faults call, when the interrupted code may hold the lock of the
// rank's heap or of the process's: the names of C++ functions, which the C++ library reads with malloc().
#pragma once

#include <cstddef>

namespace skein::arena {
class Heap;
}

namespace skein::libc {

/// Reads a name, as a NameReader (runtime/base/backtrace.hpp). Not for several threads at once.
bool read_cxx_name(const char* name, char* out, std::size_t bytes);

/// Returns true if malloc() got the block while read_cxx_name() ran.
bool in_fault_memory(const void* block);
/// Returns the heap of read_cxx_name(), which forgets its blocks with each name.
arena::Heap& fault_heap();

}  // namespace skein::libc
