// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/fault_memory.hpp"

#include <cxxabi.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "runtime/arena/heap.hpp"
#include "runtime/fiber/thread_block.hpp"

namespace skein::libc {
namespace {

/// Number of pages: a heap gives blocks of this size or more back to the system, which it must not do here.
constexpr std::size_t kPages = 12;
struct FaultMemory {
  alignas(arena::kPageBytes) std::byte bytes[kPages * arena::kPageBytes] = {};
  arena::Heap heap;
};
constinit FaultMemory fault_memory;

}  // namespace

bool in_fault_memory(const void* block) {
  return reinterpret_cast<std::uintptr_t>(block) - reinterpret_cast<std::uintptr_t>(fault_memory.bytes) <
         sizeof fault_memory.bytes;
}

arena::Heap& fault_heap() { return fault_memory.heap; }

bool read_cxx_name(const char* name, char* out, std::size_t bytes) {
  if (name[0] != '_' || name[1] != 'Z') return false;
  memset(fault_memory.bytes, 0, sizeof fault_memory.bytes);
  fault_memory.heap = {};
  fault_memory.heap.initialise(fault_memory.bytes, fault_memory.bytes + sizeof fault_memory.bytes);
  arena::Heap* const before = fiber::thread_block.heap;
  fiber::thread_block.heap = &fault_memory.heap;
  int status = -1;
  const char* const readable = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  fiber::thread_block.heap = before;
  if (status != 0 || !readable) return false;
  snprintf(out, bytes, "%s", readable);
  return true;
}

}  // namespace skein::libc
