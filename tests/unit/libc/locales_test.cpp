// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <iconv.h>
#include <locale.h>

#include <locale>

#include "tests/unit/libc/ranks.hpp"

using namespace skein;
using namespace skein::test;

TEST_CASE("locales: locales and conversions are the process's, so they pin the rank that holds one") {
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

TEST_CASE("locales: a C++ locale made by name pins its rank, the classic one does not") {
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
