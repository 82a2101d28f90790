// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/processor.hpp"

#include <cpuid.h>

#include "runtime/base/fnv.hpp"

namespace skein::image {
namespace {

/// Registers as in the Intel SDM, volume 2, CPUID. Excludes ebx of leaf 1: it holds the number of the core.
std::uint64_t take_signature() {
  constexpr unsigned has_xgetbv = 1u << 27;
  Fnv1a signature;
  const auto add = [&](unsigned value) { signature.add(&value, sizeof value); };
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d)) {
    add(a);
    add(c);
    add(d);
    if (c & has_xgetbv) {
      unsigned low, high;
      asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
      add(low);
    }
  }
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
    add(b);
    add(c);
    add(d);
  }
  return signature.value() | 1;
}

}  // namespace

std::uint64_t processor_signature() {
  static const std::uint64_t signature = take_signature();
  return signature;
}

}  // namespace skein::image
