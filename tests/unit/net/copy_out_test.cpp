// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/copy_out.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>
#include <vector>

using namespace skein::net;

namespace {

constexpr std::size_t most = 400, around = 64;

struct Room {
  std::vector<std::byte> bytes = std::vector<std::byte>(most + 2 * around, std::byte{0xee});
  std::byte* at(std::size_t offset) { return bytes.data() + around + offset; }
};

/// Checks that each length copies every byte and none before or behind, at places that lie differently to
/// cache lines.
template <class Copy>
void check_copies(std::size_t least, const Copy& copy) {
  Room from;
  for (std::size_t i = 0; i < from.bytes.size(); ++i) from.bytes[i] = static_cast<std::byte>(i * 7 + i / 256);
  for (std::size_t bytes = least; bytes <= most - 32; ++bytes) {
    for (const std::size_t offset : {0, 1, 8, 31}) {
      Room to, expected;
      memcpy(expected.at(offset), from.at(32 - offset), bytes);
      copy(to.at(offset), from.at(32 - offset), bytes);
      REQUIRE(to.bytes == expected.bytes);
    }
  }
}

}  // namespace

TEST_CASE("copy_out: copies what memcpy() copies") {
  check_copies(0, [](std::byte* to, const std::byte* from, std::size_t bytes) { copy_out(to, from, bytes); });
}

TEST_CASE("copy_out: so it does on machines that copy less at once") {
  check_copies(64, [](std::byte* to, const std::byte* from, std::size_t bytes) {
    copy_lines_out(to, from, bytes, false);
  });
}
