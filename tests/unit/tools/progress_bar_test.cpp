// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/progress_bar.hpp"

#include <doctest/doctest.h>

using skein::tools::progress_line;

TEST_CASE("progress: the part done, and what is left of the time at the same pace") {
  CHECK(progress_line(0, 0, "begun", 100) == "[....................] 0 %, begun");
  // A quarter in 10 s: 30 s for the rest.
  CHECK(progress_line(0.25, 10, "1 of 4", 100) == "[#####...............] 25 %, 1 of 4, about 30 s left");
  CHECK(progress_line(0.5, 600, "x", 100) == "[##########..........] 50 %, x, about 10 min left");
  CHECK(progress_line(0.5, 7200, "x", 100) == "[##########..........] 50 %, x, about 2.0 h left");
  CHECK(progress_line(1, 10, "all", 100) == "[####################] 100 %, all");
}

TEST_CASE("progress: nothing is said of the time left before anything is known, and lines are not too long") {
  CHECK(progress_line(0.5, 0.1, "x", 100).find("left") == std::string::npos);
  CHECK(progress_line(0.001, 5, "x", 100).find("left") == std::string::npos);
  CHECK(progress_line(0.25, 10, "1 of 4", 30).size() == 30);
}
