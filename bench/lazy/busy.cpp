// SPDX-License-Identifier: Apache-2.0
// Strategies for bench/lazy.sh. `busy:ms=N` keeps a core, and the caches by its reads, busy for N
// milliseconds, and leaves all objects where they are; `shift` moves every object to the next PE.
#include <chrono>
#include <cstdint>
#include <numeric>
#include <vector>

#include "skein/lb/plugin.hpp"

namespace {

using namespace skein::lb;

constexpr Key kKeys[] = {integer_key("ms", "1000", 0, 1e6, "milliseconds to be busy for")};

Assignment assign_busy(const Snapshot& snapshot, const Options& options, std::uint64_t seed) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(options.integer("ms"));
  std::vector<std::uint64_t> memory(1 << 18, seed);  // 2 MiB: more than a second-level cache
  volatile std::uint64_t sum = 0;
  while (std::chrono::steady_clock::now() < until)
    sum = sum + std::accumulate(memory.begin(), memory.end(), std::uint64_t{0});
  return snapshot.objects.pe;
}

Assignment assign_shift(const Snapshot& snapshot, const Options&, std::uint64_t) {
  Assignment next = snapshot.objects.pe;
  for (std::size_t i = 0; i < next.size(); ++i)
    if (snapshot.objects.migratable[i]) next[i] = static_cast<PeIndex>((next[i] + 1) % snapshot.pe_count());
  return next;
}

}  // namespace

SKEIN_LB_PLUGIN({"busy", "computes, then moves nothing", kKeys, plain, assign_busy},
                {"shift", "moves all objects to the next PE", {}, plain, assign_shift})
