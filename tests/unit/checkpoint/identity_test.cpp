// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/identity.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <string>

using namespace skein::checkpoint;

namespace {

bool says(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

Identity one() {
  return {.program = 1,
          .addresses = 2,
          .thread_pointer = 3,
          .libraries = {{"", 0, "aa"}, {"/lib/liba.so", 0x1000, "bb"}, {"/lib/libb.so", 0x2000, ""}}};
}

}  // namespace

TEST_CASE(
    "identity: the C library of this process is found where it is, with the build id that readelf tells") {
  const std::vector<Library> here = libraries_here();
  const auto c = std::ranges::find_if(here, [](const Library& l) { return says(l.path, "/libc.so"); });
  REQUIRE(c != here.end());
  // The library's own data is at higher addresses than its base.
  CHECK(reinterpret_cast<std::uint64_t>(stdout) > c->address);
  CHECK(reinterpret_cast<std::uint64_t>(stdout) - c->address < std::uint64_t{64} << 20);
  FILE* const told =
      popen(("readelf -n " + c->path + " 2>/dev/null | sed -n 's/.*Build ID: //p'").c_str(), "r");
  REQUIRE(told);
  char line[128] = "";
  const bool any = fgets(line, sizeof line, told);
  pclose(told);
  if (any) CHECK(c->build + "\n" == line);
}

TEST_CASE("identity: what differs is named") {
  CHECK(difference(one(), one()) == "");
  Identity other = one();
  other.libraries[1].build = "cc";
  CHECK(says(difference(one(), other), "other builds than then of /lib/liba.so;"));
  other = one();
  other.libraries[0].build = "cc";
  CHECK(says(difference(one(), other), "Skein itself"));
  other = one();
  other.libraries[2].address = 0x3000;
  CHECK(says(difference(one(), other), "at other addresses than then: /lib/libb.so;"));
  other = one();
  other.libraries.pop_back();
  CHECK(says(difference(one(), other), "not loaded that were then: /lib/libb.so;"));
  CHECK(says(difference(other, one()), "loaded that were not then: /lib/libb.so;"));
  other = one();
  other.program = 9;
  CHECK(says(difference(one(), other), "another program"));
  other = one();
  other.thread_pointer = 9;
  CHECK(says(difference(one(), other), "not all addresses"));
}
