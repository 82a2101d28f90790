// SPDX-License-Identifier: Apache-2.0
// A library of strategies: one that works, and one for each way to go wrong.
#include <stdexcept>

#include "skein/lb/plugin.hpp"

namespace {

using namespace skein::lb;

constexpr Key kKeys[] = {integer_key("to", "1", 0, 1000, "where all objects go")};

Assignment gather(const Snapshot& snapshot, const Options& options, std::uint64_t) {
  Assignment pe_of = snapshot.objects.pe;
  for (std::size_t i = 0; i < pe_of.size(); ++i) {
    if (snapshot.objects.migratable[i]) pe_of[i] = static_cast<PeIndex>(options.integer("to"));
  }
  return pe_of;
}
Assignment throws(const Snapshot&, const Options&, std::uint64_t) { throw std::runtime_error("no idea"); }
Assignment throws_number(const Snapshot&, const Options&, std::uint64_t) { throw 7; }
Assignment too_short(const Snapshot&, const Options&, std::uint64_t) { return {0}; }
Assignment unpins(const Snapshot& snapshot, const Options&, std::uint64_t) {
  return Assignment(snapshot.object_count(), 1);
}
Decision oversplits(const Snapshot& snapshot, const Options&, std::uint64_t) {
  return {snapshot.objects.pe, {{0, 1, 0.7}, {0, 2, 0.7}}};
}

}  // namespace

SKEIN_LB_PLUGIN({"gather", "all on one PE", kKeys, plain, gather},
                {"throws", "throws an exception", {}, plain, throws},
                {"throws-number", "throws something else", {}, plain, throws_number},
                {"too-short", "forgets objects", {}, plain, too_short},
                {"unpins", "moves what is pinned", {}, plain, unpins},
                {"oversplits", "splits off more than there is", {}, plain, gather, oversplits})
