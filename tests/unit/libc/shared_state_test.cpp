// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/shared_state.hpp"

#include <doctest/doctest.h>
#include <errno.h>
#include <iconv.h>
#include <locale.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <locale>
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
      CHILD_CHECK(strcmp(RANK(getpwent)()->pw_name, "root") == 0);
      CHILD_CHECK(RANK(setvbuf)(stdout, nullptr, _IOFBF, 100000) == 0);
      RANK(setbuf)(stdout, text);
      puts("still there");
    }
    CHILD_CHECK(rank.heap.bytes_in_use() == before);
    CHILD_CHECK(strcmp(program_invocation_short_name, "program") == 0);
  }));
}

TEST_CASE("shared state: locales and conversions are the process's, so they pin the rank that holds one") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    const AsRank program(rank);
    CHILD_CHECK(RANK(newlocale)(LC_ALL_MASK, "C", nullptr) != nullptr && !rank.pinned_because);
    const locale_t first = RANK(newlocale)(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    CHILD_CHECK(first && strstr(rank.pinned_because, "locale"));
    const locale_t copy = RANK(duplocale)(first);
    const locale_t second = RANK(newlocale)(LC_TIME_MASK, "C.UTF-8", first);  // takes `first`
    RANK(freelocale)(copy);
    CHILD_CHECK(second && rank.pinned_because);
    RANK(freelocale)(second);
    CHILD_CHECK(!rank.pinned_because);
    const iconv_t conversion = RANK(iconv_open)("UTF-16LE", "UTF-8");
    CHILD_CHECK(strstr(rank.pinned_because, "iconv"));
    char from[] = "\xc3\xa9", to[4] = "";
    char *in = from, *out = to;
    std::size_t in_left = 2, out_left = sizeof to;
    CHILD_CHECK(RANK(iconv)(conversion, &in, &in_left, &out, &out_left) == 0 && to[0] == '\xe9');
    CHILD_CHECK(RANK(iconv_close)(conversion) == 0 && !rank.pinned_because);
  }));
}

TEST_CASE("shared state: a C++ locale made by name pins its rank, the classic one does not") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    const AsRank program(rank);
    using Make = void(std::locale*, const char*);
    Make* const make = rank_function("_ZNSt6localeC1EPKc", static_cast<Make*>(nullptr));
    alignas(std::locale) static std::byte memory[2][sizeof(std::locale)];
    auto* const classic = reinterpret_cast<std::locale*>(memory[0]);
    make(classic, "C");
    CHILD_CHECK(*classic == std::locale::classic() && !rank.pinned_because);
    auto* const named = reinterpret_cast<std::locale*>(memory[1]);
    make(named, "C.UTF-8");
    CHILD_CHECK(named->name() == "C.UTF-8" && strstr(rank.pinned_because, "C++ locale"));
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

TEST_CASE("shared state: one OpenMP thread, unless the user says otherwise") {
  CHECK_CHILD_PASSED(run_in_child([] {
    unsetenv("OMP_NUM_THREADS");
    libc::prepare_c_library("program");
    CHILD_CHECK(strcmp(getenv("OMP_NUM_THREADS"), "1") == 0);
    setenv("OMP_NUM_THREADS", "4", 1);
    libc::prepare_c_library("program");
    CHILD_CHECK(strcmp(getenv("OMP_NUM_THREADS"), "4") == 0);
  }));
}
