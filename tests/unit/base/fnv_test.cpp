// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/fnv.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

std::uint64_t digest(std::string_view text) {
  skein::Fnv1a fnv;
  fnv.add(text.data(), text.size());
  return fnv.value();
}

}  // namespace

// The test vectors of the Internet draft draft-eastlake-fnv.
TEST_CASE("fnv: the published values of FNV-1a of 64 bits") {
  CHECK(digest("") == 0xcbf29ce484222325u);
  CHECK(digest("a") == 0xaf63dc4c8601ec8cu);
  CHECK(digest("foobar") == 0x85944171f73967e8u);
}

TEST_CASE("fnv: pieces add up, and salts differ") {
  skein::Fnv1a pieces, salted(7);
  pieces.add("foo", 3);
  pieces.add("bar", 3);
  salted.add("foobar", 6);
  CHECK(pieces.value() == digest("foobar"));
  CHECK(salted.value() != digest("foobar"));
}
