// SPDX-License-Identifier: Apache-2.0
// The windows of a collective access: every byte is in one, and none is longer than requested.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "runtime/vmpi/io/windows.hpp"

using namespace skein::vmpi;

TEST_CASE("Windows: the rounds of all who collect cover the range once") {
  for (const int parts : {1, 2, 3, 7})
    for (const std::int64_t begin : {0, 5, 64, 1000})
      for (const std::int64_t bytes : {1, 63, 64, 65, 640, 12345})
        for (const std::int64_t length : {1, 50, 64, 1000, 100000}) {
          CAPTURE(parts);
          CAPTURE(begin);
          CAPTURE(bytes);
          CAPTURE(length);
          std::vector<int> members(static_cast<std::size_t>(parts));
          for (int i = 0; i < parts; ++i) members[static_cast<std::size_t>(i)] = 10 * i;
          const Windows windows(begin, begin + bytes, length, 64, members);
          REQUIRE(windows.collectors() == parts);
          CHECK(windows.member(parts - 1) == 10 * (parts - 1));
          std::vector<Windows::Window> all;
          for (int c = 0; c < parts; ++c)
            for (std::int64_t round = 0; round < windows.rounds(); ++round) {
              const Windows::Window window = windows.window(c, round);
              if (window.empty()) continue;
              CHECK(window.end - window.begin <= length);
              all.push_back(window);
            }
          std::ranges::sort(all, {}, &Windows::Window::begin);
          REQUIRE(!all.empty());
          CHECK(all.front().begin <= begin);
          CHECK(all.front().begin > begin - 64);
          CHECK(all.back().end == begin + bytes);
          for (std::size_t i = 1; i < all.size(); ++i) REQUIRE(all[i].begin == all[i - 1].end);
        }
}
