// SPDX-License-Identifier: Apache-2.0
// A loop's body that captures a pointer to the memory of its PE would read something else on another, or
// nothing. C++ cannot tell what a lambda captures, so its bytes are looked at: a word that is an address of
// the process's memory is a pointer to it.
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "skein/chare/array_base.hpp"
#include "skein/parallel_for.hpp"

namespace skein::chare {
namespace {

struct Range {
  std::uint64_t begin, end;
};

/// What is mapped and can be read: code, data, heap, stacks, the node's memory.
std::vector<Range> mapped_ranges() {
  std::vector<Range> ranges;
  const std::unique_ptr<FILE, int (*)(FILE*)> maps(fopen("/proc/self/maps", "r"), fclose);
  char line[512];
  Range range;
  char readable;
  while (maps && fgets(line, sizeof line, maps.get()))
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %c", &range.begin, &range.end, &readable) == 3 &&
        readable == 'r')
      ranges.push_back(range);
  return ranges;
}

}  // namespace

void check_captures(const void* body, std::size_t bytes) {
  if (bytes < sizeof(std::uint64_t)) return;
  const std::vector<Range> ranges = mapped_ranges();
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes; at += sizeof(std::uint64_t)) {
    std::uint64_t word;
    memcpy(&word, static_cast<const std::byte*>(body) + at, sizeof word);
    for (const Range& range : ranges)
      if (range.begin <= word && word < range.end)
        fail(
            "the body of a parallel loop captures a reference, `this` or another pointer, which leads "
            "nowhere on other "
            "PEs: capture values by [=], and memory of the node by NodeVector::span()");
  }
}

}  // namespace skein::chare
