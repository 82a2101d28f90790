// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/element_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <unordered_map>

namespace skein::chare {

namespace {

constexpr unsigned char kUnusedByte = 0xa5;

/// One of the latest freed objects; the memory of earlier ones is given back, and may be in use again.
struct Retired {
  std::uintptr_t begin = 0, end = 0;
  char fate[128] = {};
};
struct WatchedElements {
  std::unordered_map<const void*, std::size_t> watched;  // with their bytes, whole pages
  std::array<Retired, 4096> retired;
  std::size_t next_retired = 0;
};
WatchedElements of_elements;

std::size_t in_pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

}  // namespace

void* allocate_watched(std::size_t bytes) {
  const std::size_t whole = in_pages(bytes);
  void* const memory = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  set_unused(memory, bytes);
  of_elements.watched.emplace(memory, whole);
  return memory;
}

void set_unused(void* object, std::size_t bytes) { memset(object, kUnusedByte, bytes); }

bool is_watched(const void* object) { return of_elements.watched.contains(object); }

void free_watched(void* object, const std::string& fate) {
  const auto at = of_elements.watched.find(object);
  const std::size_t bytes = at->second;
  of_elements.watched.erase(at);
  Retired& slot = of_elements.retired[of_elements.next_retired++ % of_elements.retired.size()];
  if (slot.begin) munmap(reinterpret_cast<void*>(slot.begin), slot.end - slot.begin);
  // Maps anew, which gives the pages back but not the addresses.
  mmap(object, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  slot.begin = reinterpret_cast<std::uintptr_t>(object);
  slot.end = slot.begin + bytes;
  snprintf(slot.fate, sizeof slot.fate, "%s", fate.c_str());
}

const char* fate_of_object_at(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const Retired& each : of_elements.retired)
    if (at >= each.begin && at < each.end) return each.fate;
  return nullptr;
}

}  // namespace skein::chare
