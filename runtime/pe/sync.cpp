// SPDX-License-Identifier: Apache-2.0
#include "runtime/pe/sync.hpp"

#include "runtime/base/error.hpp"
#include "runtime/pe/pe_loop.hpp"
#include "runtime/rank/scheduler.hpp"

namespace skein::pe {

SyncCalls sync_calls;

std::string sync_hint(const SyncCalls& calls, int ranks) {
  if (calls.call.empty())
    return "call MPI_Migrate() in its time loop, or use --sync-at MPI_Allreduce:every=50";
  const char* const call = calls.call.c_str();
  const auto counted = calls.by_size.lower_bound(calls.least_ranks);
  if (counted != calls.by_size.end()) {
    std::uint64_t times = 0;
    for (auto each = counted; each != calls.by_size.end(); ++each) times += each->second;
    return format("the ranks of PE 0 called %s %llu times in all, every %llu of a rank being one (--sync-at)",
                  call, static_cast<unsigned long long>(times), static_cast<unsigned long long>(calls.every));
  }
  if (calls.by_size.empty()) return format("the ranks of PE 0 did not call %s (--sync-at)", call);
  std::string seen;
  for (const auto& [size, times] : calls.by_size)
    seen += format("%s%llu times on communicators of %d", seen.empty() ? "" : ", ",
                   static_cast<unsigned long long>(times), size);
  return format(
      "the ranks of PE 0 called %s %s of the %d ranks: if all ranks make as many such calls, --sync-at "
      "%s:ranks=%d "
      "counts them",
      call, seen.c_str(), ranks, call, calls.by_size.rbegin()->first);
}

void sync_point(std::uint64_t& passed) {
  const bool gather = balance::next_gathers(passed);
  ++passed;
  if (!gather) return;
  note_rank_at_sync();
  block({"at a sync point, for the other ranks", {}}, FiberState::at_sync);
}

}  // namespace skein::pe
