// SPDX-License-Identifier: Apache-2.0
// Oracle: the C library.
#include <doctest/doctest.h>
#include <search.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include <string>

#include "tests/unit/libc/ranks.hpp"

using namespace skein;
using namespace skein::test;

namespace {

std::string text_of(const tm& t) {
  char text[128];
  strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %j %u %z %Z", &t);
  return text;
}

}  // namespace

TEST_CASE("localtime, gmtime, asctime, ctime: the C library's results, in the rank's memory") {
  CHECK_CHILD_PASSED(run_in_child([] {
    setenv("TZ", "NZST-12NZDT,M9.5.0,M4.1.0/3", 1);
    tzset();
    Rank& rank = make_rank(0);
    for (const time_t time : {0L, 951782399L, 1718000000L, 4102444800L, -86400L}) {
      const std::string local = text_of(*localtime(&time)), utc = text_of(*gmtime(&time));
      const std::string line = ctime(&time), utc_line = asctime(gmtime(&time));
      const AsRank program(rank);
      const tm* result = RANK(localtime)(&time);
      CHILD_CHECK(arena::slot_of(result) == 0 && arena::in_arena(result->tm_zone));
      CHILD_CHECK(text_of(*result) == local);
      CHILD_CHECK(text_of(*RANK(gmtime)(&time)) == utc);
      CHILD_CHECK(RANK(ctime)(&time) == line);
      CHILD_CHECK(RANK(asctime)(RANK(gmtime)(&time)) == utc_line);
    }
  }));
}

TEST_CASE("strtok: two ranks cut two strings in turns") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank* ranks[] = {&make_rank(0), &make_rank(1)};
    char texts[2][16] = {"a b c", "1,2,3"};
    const char* const delimiters[] = {" ", ","};
    std::string parts[2];
    for (int step = 0; step < 4; ++step)
      for (int i = 0; i < 2; ++i) {
        const AsRank program(*ranks[i]);
        const char* part = RANK(strtok)(step == 0 ? texts[i] : nullptr, delimiters[i]);
        parts[i] += part ? part : "end";
      }
    CHILD_CHECK(parts[0] == "abcend" && parts[1] == "123end");
  }));
}

TEST_CASE("strerror and strsignal: known and unknown numbers") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    for (const int number : {0, 2, 22, 133, 134, 9999, -1}) {
      const std::string expected = strerror(number);
      const AsRank program(rank);
      CHILD_CHECK(expected == rank_function("strerror", &::strerror)(number));
    }
    for (const int number : {0, 1, 11, 15, SIGRTMIN, SIGRTMIN + 3, SIGRTMAX, 65, 500, -3}) {
      const std::string expected = strsignal(number);
      const AsRank program(rank);
      CHILD_CHECK(expected == RANK(strsignal)(number));
    }
  }));
}

TEST_CASE("hsearch: each rank has its own table") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank* ranks[] = {&make_rank(0), &make_rank(1)};
    static char key[] = "key";
    static int values[] = {10, 20};
    for (int i = 0; i < 2; ++i) {
      const AsRank program(*ranks[i]);
      CHILD_CHECK(RANK(hcreate)(8) != 0);
      CHILD_CHECK(RANK(hsearch)(ENTRY{key, &values[i]}, ENTER) != nullptr);
    }
    for (int i = 0; i < 2; ++i) {
      const AsRank program(*ranks[i]);
      CHILD_CHECK(RANK(hsearch)(ENTRY{key, nullptr}, FIND)->data == &values[i]);
      RANK(hdestroy)();
    }
  }));
}
