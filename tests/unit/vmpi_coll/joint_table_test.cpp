// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "runtime/vmpi/coll/joint/joint_operation.hpp"

using namespace skein::vmpi;

TEST_CASE("joint table: finds what is under way by tag and start, and nothing else") {
  constexpr std::size_t members = 3;
  JointTable table;
  CHECK(table.find(0, 1) == nullptr);
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  std::map<std::pair<int, std::uint32_t>, JointOperation*> known;
  std::set<JointOperation*> made;
  std::size_t most = 0;
  for (int i = 0; i < 20'000; ++i) {
    const int tag = below(300) | (below(2) ? 0x40000000 : 0);  // persistent, or not
    const auto start = static_cast<std::uint32_t>(1 + below(4));
    const auto found = known.find({tag, start});
    CHECK(table.find(tag, start) == (found == known.end() ? nullptr : found->second));
    if (found == known.end()) {
      JointOperation& added = table.add(tag, start, members);
      CHECK(added.tag == tag);
      CHECK(added.start == start);
      CHECK(added.parts.size() == members);
      known[{tag, start}] = &added;
      made.insert(&added);
    } else if (below(3) > 0) {
      table.remove(*found->second);
      known.erase(found);
    }
    most = std::max(most, known.size());
  }
  CHECK(most > 1000);
  // The table reuses room: it never made more entries than were under way at once.
  CHECK(made.size() == most);
}
