// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/malloc.hpp"

#include <dlfcn.h>
#include <link.h>
#include <malloc.h>

#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "runtime/arena/arena.hpp"
#include "runtime/arena/heap.hpp"
#include "runtime/base/check.hpp"
#include "runtime/fiber/thread_block.hpp"
#include "runtime/libc/fault_memory.hpp"
#include "runtime/rank/rank.hpp"

/// The C library's own family, under the names that it keeps for programs that replace malloc().
extern "C" {
void* __libc_malloc(std::size_t);
void __libc_free(void*);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

using skein::Rank;
using skein::arena::Heap;
using skein::arena::in_arena;

/// The executable segments of the dynamic linker.
struct CodeRange {
  std::uintptr_t begin = 0;
  std::uintptr_t bytes = 0;
  bool holds(const void* address) const { return reinterpret_cast<std::uintptr_t>(address) - begin < bytes; }
};

/// Finds the dynamic linker by its record, to which the executable's DT_DEBUG points. (The auxiliary vector
/// names its base only if the kernel loaded it.)
CodeRange find_dynamic_linker() {
  std::uintptr_t base = 0;
  for (const Elf64_Dyn* entry = _DYNAMIC; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_DEBUG) base = reinterpret_cast<const r_debug*>(entry->d_un.d_ptr)->r_ldbase;
  SKEIN_CHECK(base != 0, "the dynamic linker's record has no base address");
  const auto* file = reinterpret_cast<const Elf64_Ehdr*>(base);
  const auto* segments = reinterpret_cast<const Elf64_Phdr*>(base + file->e_phoff);
  for (int i = 0; i < file->e_phnum; ++i)
    if (segments[i].p_type == PT_LOAD && (segments[i].p_flags & PF_X))
      return {base + segments[i].p_vaddr, segments[i].p_memsz};
  SKEIN_CHECK(false, "the dynamic linker at %p has no code", reinterpret_cast<const void*>(base));
  return {};
}

/// Set before main(), so before any rank has a heap; until then every call goes to the C library anyway.
const CodeRange dynamic_linker = find_dynamic_linker();

/// Returns the heap that serves a call from `caller`, or null for the C library's.
inline Heap* heap_for(const void* caller) {
  Heap* heap = skein::fiber::thread_block.heap;
  return heap == nullptr || dynamic_linker.holds(caller) ? nullptr : heap;
}

inline Rank& owner_of(const void* in_slot) {
  return skein::rank_in_slot(static_cast<int>(skein::arena::slot_of(in_slot)));
}

/// Returns the result of a call for which `heap` found no block. Names no knob if no slot could be large
/// enough: programs try such sizes to see malloc() fail.
[[gnu::cold]] void* no_memory(const Heap* heap, std::size_t bytes) {
  constexpr std::size_t user_addresses = std::size_t{1} << 47;
  if (heap == &skein::libc::fault_heap()) return nullptr;
  if (bytes < user_addresses) skein::warn_slot_full(owner_of(heap), bytes);
  errno = ENOMEM;
  return nullptr;
}

void* aligned_block(const void* caller, std::size_t alignment, std::size_t bytes) {
  Heap* heap = heap_for(caller);
  if (!heap) return __libc_memalign(alignment, bytes);
  if (alignment > PTRDIFF_MAX) {
    errno = EINVAL;
    return nullptr;
  }
  void* block = heap->allocate_aligned(std::bit_ceil(alignment), bytes);
  return block ? block : no_memory(heap, bytes);
}

void* slot_realloc(void* block, std::size_t bytes) {
  Heap& heap = owner_of(block).heap;
  if (bytes == 0) {  // as in the C library
    heap.release(block);
    return nullptr;
  }
  void* moved = heap.reallocate(block, bytes);
  return moved ? moved : no_memory(&heap, bytes);
}

/// Returns the usable size, of which the C library keeps no second name.
std::size_t c_library_usable_size(void* block) {
  static const auto next = reinterpret_cast<std::size_t (*)(void*)>(dlsym(RTLD_NEXT, "malloc_usable_size"));
  SKEIN_CHECK(next != nullptr, "the C library has no malloc_usable_size");
  return next(block);
}

/// Returns the C library's mallinfo2() for a heap that has one arena and no mappings.
struct mallinfo2 info_of(const Heap& heap) {
  struct mallinfo2 info = {};
  info.arena = static_cast<std::size_t>(heap.top() - heap.begin());
  info.uordblks = heap.bytes_in_use();
  info.fordblks = info.arena - info.uordblks;
  return info;
}

struct mallinfo2 rank_mallinfo2() {
  const Heap* heap = skein::fiber::thread_block.heap;
  return heap ? info_of(*heap) : mallinfo2();
}
/// The older form, whose numbers are of 32 bits.
struct mallinfo rank_mallinfo() {
  const struct mallinfo2 wide = rank_mallinfo2();
  struct mallinfo info = {};
  info.arena = static_cast<int>(wide.arena);
  info.uordblks = static_cast<int>(wide.uordblks);
  info.fordblks = static_cast<int>(wide.fordblks);
  return info;
}
/// Returns 1 if memory may have gone back to the system: the heap has looked for some.
int rank_malloc_trim(std::size_t) {
  if (Heap* heap = skein::fiber::thread_block.heap) heap->trim();
  return 1;
}
/// Accepts the knobs of the C library's heap, which do not affect the rank's.
int rank_mallopt(int, int) { return 1; }
void rank_malloc_stats() {
  const struct mallinfo2 info = rank_mallinfo2();
  fprintf(stderr, "Arena 0:\nsystem bytes     = %10zu\nin use bytes     = %10zu\n", info.arena,
          info.uordblks);
}
int rank_malloc_info(int options, FILE* stream) {
  if (options != 0) {
    errno = EINVAL;
    return -1;
  }
  const struct mallinfo2 info = rank_mallinfo2();
  fprintf(stream,
          "<malloc version=\"1\">\n<heap nr=\"0\">\n<total type=\"rest\" count=\"0\" size=\"%zu\"/>\n"
          "<system type=\"current\" size=\"%zu\"/>\n</heap>\n</malloc>\n",
          info.fordblks, info.arena);
  return 0;
}

}  // namespace

#define SKEIN_EXPORT __attribute__((visibility("default")))
#define SKEIN_CALLER __builtin_return_address(0)

extern "C" {

SKEIN_EXPORT void* malloc(std::size_t bytes) {
  Heap* heap = heap_for(SKEIN_CALLER);
  if (!heap) return __libc_malloc(bytes);
  void* block = heap->allocate(bytes);
  return block ? block : no_memory(heap, bytes);
}

SKEIN_EXPORT void free(void* block) {
  if (in_arena(block)) return owner_of(block).heap.release(block);
  if (skein::libc::in_fault_memory(block)) [[unlikely]]
    return;
  __libc_free(block);
}

SKEIN_EXPORT void* calloc(std::size_t count, std::size_t each) {
  Heap* heap = heap_for(SKEIN_CALLER);
  if (!heap) return __libc_calloc(count, each);
  std::size_t bytes;
  if (__builtin_mul_overflow(count, each, &bytes)) return no_memory(heap, SIZE_MAX);
  void* block = heap->allocate_zeroed(bytes);
  return block ? block : no_memory(heap, bytes);
}

SKEIN_EXPORT void* realloc(void* block, std::size_t bytes) {
  if (in_arena(block)) return slot_realloc(block, bytes);
  if (skein::libc::in_fault_memory(block)) [[unlikely]]
    return skein::libc::fault_heap().reallocate(block, bytes);
  if (block) return __libc_realloc(block, bytes);
  Heap* heap = heap_for(SKEIN_CALLER);
  if (!heap) return __libc_malloc(bytes);
  void* fresh = heap->allocate(bytes);
  return fresh ? fresh : no_memory(heap, bytes);
}

SKEIN_EXPORT void* reallocarray(void* block, std::size_t count, std::size_t each) {
  std::size_t bytes;
  if (__builtin_mul_overflow(count, each, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(block, bytes);
}

SKEIN_EXPORT void* memalign(std::size_t alignment, std::size_t bytes) {
  return aligned_block(SKEIN_CALLER, alignment, bytes);
}

SKEIN_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return aligned_block(SKEIN_CALLER, alignment, bytes);
}

SKEIN_EXPORT int posix_memalign(void** out, std::size_t alignment, std::size_t bytes) {
  if (!std::has_single_bit(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  const int saved = errno;  // posix_memalign() returns its error and leaves errno alone
  void* block = aligned_block(SKEIN_CALLER, alignment, bytes);
  errno = saved;
  if (!block) return ENOMEM;
  *out = block;
  return 0;
}

SKEIN_EXPORT void* valloc(std::size_t bytes) {
  return aligned_block(SKEIN_CALLER, skein::arena::kPageBytes, bytes);
}

SKEIN_EXPORT void* pvalloc(std::size_t bytes) {
  constexpr std::size_t page = skein::arena::kPageBytes;
  if (bytes > PTRDIFF_MAX) {
    errno = ENOMEM;
    return nullptr;
  }
  return aligned_block(SKEIN_CALLER, page, (bytes + page - 1) / page * page);
}

SKEIN_EXPORT std::size_t malloc_usable_size(void* block) {
  if (!block) return 0;
  if (in_arena(block)) return owner_of(block).heap.usable_bytes(block);
  return c_library_usable_size(block);
}

}  // extern "C"

namespace skein::libc {

std::span<const Override> malloc_overrides() {
  static const Override table[] = {
      {"malloc", address_of(malloc)},
      {"free", address_of(free)},
      {"calloc", address_of(calloc)},
      {"realloc", address_of(realloc)},
      {"reallocarray", address_of(reallocarray)},
      {"memalign", address_of(memalign)},
      {"aligned_alloc", address_of(aligned_alloc)},
      {"posix_memalign", address_of(posix_memalign)},
      {"valloc", address_of(valloc)},
      {"pvalloc", address_of(pvalloc)},
      {"malloc_usable_size", address_of(malloc_usable_size)},
      {"mallinfo", address_of(rank_mallinfo)},
      {"mallinfo2", address_of(rank_mallinfo2)},
      {"malloc_trim", address_of(rank_malloc_trim)},
      {"mallopt", address_of(rank_mallopt)},
      {"malloc_stats", address_of(rank_malloc_stats)},
      {"malloc_info", address_of(rank_malloc_info)},
  };
  return table;
}

}  // namespace skein::libc
