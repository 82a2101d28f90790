// SPDX-License-Identifier: Apache-2.0
// Strategies that take their time. `sleepy:ms=N` sleeps, then deals the objects out to the PEs by turns;
// `lasting` sleeps for as long as the interval was, or for 50 ms where several PEs decide together, then
// deals the heavy ones first; `mute` never returns; `standing` stops its process (SIGSTOP) at its second
// decision; three end by faults. Several PEs can decide together by the first three, and by `broken`, which
// fails on the second of them.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "skein/lb/parallel.hpp"
#include "skein/lb/plugin.hpp"

namespace {

using namespace skein::lb;

constexpr Key kKeys[] = {integer_key("ms", "50", 0, 1e6, "milliseconds to sleep")};

Assignment assign_sleepy(const Snapshot& snapshot, const Options& options, std::uint64_t seed) {
  std::this_thread::sleep_for(std::chrono::milliseconds(options.integer("ms")));
  Assignment dealt(snapshot.object_count());
  for (std::size_t i = 0; i < dealt.size(); ++i)
    dealt[i] = snapshot.objects.migratable[i] ? static_cast<PeIndex>((i + seed) % snapshot.pe_count())
                                              : snapshot.objects.pe[i];
  return dealt;
}

Assignment assign_part_sleepy(const SnapshotPart& part, const Options& options, std::uint64_t seed, Team&) {
  std::this_thread::sleep_for(std::chrono::milliseconds(options.integer("ms")));
  Assignment dealt = part.objects.pe;
  for (std::size_t i = 0; i < dealt.size(); ++i)
    if (part.objects.migratable[i]) dealt[i] = static_cast<PeIndex>((i + seed) % part.pe_count());
  return dealt;
}

// Deals objects by turns from PE `first` on: objects of more than average load first, by number, then the
// others.
Assignment deal_heavy_first(const Objects& objects, PeIndex pes, PeIndex first) {
  std::vector<std::size_t> order(objects.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const double mean =
      std::reduce(objects.load.begin(), objects.load.end()) / static_cast<double>(objects.size());
  std::ranges::stable_partition(order, [&](std::size_t i) { return objects.load[i] > mean; });
  Assignment dealt = objects.pe;
  for (PeIndex next = first; const std::size_t i : order)
    if (objects.migratable[i]) dealt[i] = next++ % pes;
  return dealt;
}

Assignment assign_lasting(const Snapshot& snapshot, const Options&, std::uint64_t) {
  std::this_thread::sleep_for(std::chrono::duration<double>(snapshot.interval_s));
  return deal_heavy_first(snapshot.objects, static_cast<PeIndex>(snapshot.pe_count()), 0);
}

Assignment assign_part_lasting(const SnapshotPart& part, const Options&, std::uint64_t, Team& team) {
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return deal_heavy_first(part.objects, static_cast<PeIndex>(part.pe_count()),
                          static_cast<PeIndex>(team.rank()));
}

Assignment assign_mute(const Snapshot&, const Options&, std::uint64_t) {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

Assignment assign_part_mute(const SnapshotPart&, const Options&, std::uint64_t, Team&) {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

Assignment assign_standing(const Snapshot& snapshot, const Options&, std::uint64_t seed) {
  static int decisions = 0;
  if (decisions++ == 1) kill(getpid(), SIGSTOP);
  Assignment dealt = snapshot.objects.pe;
  for (std::size_t i = 0; i < dealt.size(); ++i)
    if (snapshot.objects.migratable[i]) dealt[i] = static_cast<PeIndex>((i + seed) % snapshot.pe_count());
  return dealt;
}

// Faults by a bad address, at the second decision; the first leaves all objects where they are.
volatile int* volatile nowhere = nullptr;
Assignment assign_crashing(const Snapshot& snapshot, const Options&, std::uint64_t) {
  static int decisions = 0;
  if (decisions++ > 0) *nowhere = 1;
  return snapshot.objects.pe;
}

volatile int deepest = -1;  // no depth has this value
int fall(int depth) {
  if (depth == deepest) return 0;
  volatile char frame[4096];
  frame[depth % 4096] = 1;
  return fall(depth + 1) + frame[0];
}
Assignment assign_falling(const Snapshot& snapshot, const Options&, std::uint64_t) {
  Assignment stays = snapshot.objects.pe;
  stays[0] = static_cast<PeIndex>(fall(0));
  return stays;
}

Assignment assign_aborting(const Snapshot&, const Options&, std::uint64_t) { abort(); }

Assignment assign_part_broken(const SnapshotPart& part, const Options&, std::uint64_t, Team& team) {
  if (team.rank() == 1) throw std::runtime_error("no luck");
  return part.objects.pe;
}

}  // namespace

SKEIN_LB_PLUGIN({"sleepy", "sleeps, then deals", kKeys, plain, assign_sleepy, nullptr, nullptr,
                 assign_part_sleepy},
                {"lasting",
                 "sleeps as long as the interval, then deals",
                 {},
                 plain,
                 assign_lasting,
                 nullptr,
                 nullptr,
                 assign_part_lasting},
                {"mute", "never comes back", {}, plain, assign_mute, nullptr, nullptr, assign_part_mute},
                {"standing", "stops its process", {}, plain, assign_standing},
                {"crashing", "writes to a bad address", {}, plain, assign_crashing},
                {"falling", "recurs without end", {}, plain, assign_falling},
                {"aborting", "calls abort()", {}, plain, assign_aborting},
                {"broken", "fails", {}, plain, assign_mute, nullptr, nullptr, assign_part_broken})
