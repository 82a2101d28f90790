// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/shared_state.hpp"

#include <doctest/doctest.h>
#include <errno.h>
#include <locale.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <sstream>
#include <string>

#include "tests/unit/libc/ranks.hpp"

using namespace skein;
using namespace skein::test;

TEST_CASE("shared state: nothing that the libraries keep for the process lands in a rank's slot") {
  CHECK_CHILD_PASSED(run_in_child([] {
    libc::prepare_c_library("/some/where/program");
    Rank& rank = make_rank(0);
    const std::size_t before = rank.heap.bytes_in_use();
    {
      const AsRank program(rank);
      printf("%d %g\n", 1, 1.5);
      std::ostringstream narrow;
      narrow << 1 << 1.5 << true;
      std::wostringstream wide;
      wide << 1 << 1.5 << true;
      CHILD_CHECK(RANK(setlocale)(LC_ALL, "C.UTF-8") != nullptr);
      wchar_t letter;
      CHILD_CHECK(mbtowc(&letter, "\xc3\xa9", 2) == 2 && letter == 0xe9);
      CHILD_CHECK(RANK(newlocale)(LC_ALL_MASK, "C", nullptr) != nullptr);
      const time_t now = 1700000000;
      tm broken_down;
      char text[64];
      CHILD_CHECK(RANK(localtime_r)(&now, &broken_down) && RANK(mktime)(&broken_down) == now);
      CHILD_CHECK(RANK(strftime)(text, sizeof text, "%c %Z", &broken_down) > 0);
      passwd user, *found;
      char names[1024];
      CHILD_CHECK(RANK(getpwnam_r)("root", &user, names, sizeof names, &found) == 0 && found->pw_uid == 0);
      CHILD_CHECK(RANK(setvbuf)(stdout, nullptr, _IOFBF, 100000) == 0);
      RANK(setbuf)(stdout, text);
      puts("still there");
    }
    CHILD_CHECK(rank.heap.bytes_in_use() == before);
    CHILD_CHECK(strcmp(program_invocation_short_name, "program") == 0);
  }));
}

TEST_CASE("shared state: the C library's own setlocale() would have filled the slot") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    const std::size_t before = rank.heap.bytes_in_use();
    const AsRank program(rank);
    CHILD_CHECK(setlocale(LC_ALL, "C.UTF-8") != nullptr);
    CHILD_CHECK(rank.heap.bytes_in_use() > before);
  }));
}
