// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/error.hpp"

#include <doctest/doctest.h>

TEST_CASE("format: as printf, of any length") {
  CHECK(skein::format("%d of %s", 3, "four") == "3 of four");
  CHECK(skein::format("%s", "").empty());
  const std::string longer(100'000, 'x');
  CHECK(skein::format("<%s>", longer.c_str()) == "<" + longer + ">");
}
