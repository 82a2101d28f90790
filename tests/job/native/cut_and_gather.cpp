// SPDX-License-Identifier: Apache-2.0
// A strategy for tests: in steps 0, 2, 4 ... it cuts every object that may be cut into three, with one part
// for the object's PE and one for the next PE; in steps between it moves all objects to PE 0.
#include <skein/lb/plugin.hpp>

namespace {

using namespace skein::lb;

Assignment assign(const Snapshot& snapshot, const Options&, std::uint64_t) { return snapshot.objects.pe; }

Decision decide(const Snapshot& snapshot, const Options&, std::uint64_t) {
  Decision decision{snapshot.objects.pe, {}};
  for (ObjectIndex i = 0; i < snapshot.object_count(); ++i) {
    if (snapshot.step % 2 == 1 && snapshot.objects.migratable[i]) decision.pe_of[i] = 0;
    if (snapshot.step % 2 == 1 || !snapshot.objects.splittable[i]) continue;
    const PeIndex pe = snapshot.objects.pe[i];
    decision.splits.push_back({i, pe, 0.25});
    decision.splits.push_back({i, static_cast<PeIndex>((pe + 1) % snapshot.pe_count()), 0.5});
  }
  return decision;
}

}  // namespace

SKEIN_LB_PLUGIN({"cut-and-gather", "cuts every object, then brings all together", {}, plain, assign, decide})
