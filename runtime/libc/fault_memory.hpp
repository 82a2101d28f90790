// SPDX-License-Identifier: Apache-2.0
// Memory for what may be called in handlers of faults, when neither the rank's heap nor the process's can be
// relied on, whose lock the interrupted code may hold: the names of C++ functions, which the C++ library
// reads with malloc().
#pragma once

#include <cstddef>

namespace skein::arena {
class Heap;
}

namespace skein::libc {

/// A NameReader (runtime/base/backtrace.hpp). Not for several threads at once.
bool read_cxx_name(const char* name, char* out, std::size_t bytes);

/// Whether malloc() got the block while read_cxx_name() ran.
bool in_fault_memory(const void* block);
/// That heap; it forgets its blocks with each name.
arena::Heap& fault_heap();

}  // namespace skein::libc
