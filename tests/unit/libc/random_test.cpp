// SPDX-License-Identifier: Apache-2.0
// Oracle: the C library, asked for the same numbers.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <array>
#include <vector>

#include "tests/unit/libc/ranks.hpp"

using namespace skein;
using namespace skein::test;

namespace {

template <class Number>
std::vector<long> take(Number number, int how_many) {
  std::vector<long> numbers;
  for (int i = 0; i < how_many; ++i) numbers.push_back(static_cast<long>(number()));
  return numbers;
}

}  // namespace

TEST_CASE("rand: the C library's sequence, without a seed and with one") {
  CHECK_CHILD_PASSED(run_in_child([] {
    const auto unseeded = take(rand, 1000);
    srand(4711);
    auto seeded = take(rand, 1000);
    const auto more = take(random, 1000);
    seeded.insert(seeded.end(), more.begin(), more.end());

    const AsRank program(make_rank(0));
    CHILD_CHECK(take(RANK(rand), 1000) == unseeded);
    RANK(srand)(4711);
    CHILD_CHECK(take(RANK(rand), 1000) == std::vector(seeded.begin(), seeded.begin() + 1000));
    CHILD_CHECK(take(RANK(random), 1000) == std::vector(seeded.begin() + 1000, seeded.end()));
  }));
}

TEST_CASE("rand: ranks do not disturb each other, however they take turns") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank* ranks[] = {&make_rank(0), &make_rank(1), &make_rank(2)};
    std::array<std::vector<long>, 3> got;
    for (int i = 0; i < 3; ++i) {
      const AsRank program(*ranks[i]);
      RANK(srand)(static_cast<unsigned>(100 + i));
    }
    for (int step = 0; step < 300; ++step) {
      const auto which = static_cast<std::size_t>(step * 7 % 3);
      const AsRank program(*ranks[which]);
      got[which].push_back(RANK(rand)());
    }
    for (unsigned i = 0; i < 3; ++i) {
      srand(100 + i);
      CHILD_CHECK(got[i] == take(rand, 100));
    }
  }));
}

TEST_CASE("initstate and setstate: every size of state, and back to the first one") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    for (const std::size_t bytes : {8, 32, 64, 128, 256}) {
      alignas(8) static char theirs[256], ours[256];
      char* their_first = initstate(99, theirs, bytes);
      const auto expected = take(random, 200);
      CHILD_CHECK(setstate(their_first) == theirs);
      const auto expected_after = take(random, 5);

      const AsRank program(rank);
      char* first = RANK(initstate)(99, ours, bytes);
      CHILD_CHECK(arena::slot_of(first) == 0);
      CHILD_CHECK(take(RANK(random), 200) == expected);
      CHILD_CHECK(RANK(setstate)(first) == ours);
      CHILD_CHECK(take(RANK(random), 5) == expected_after);
    }
    char small[4];
    const AsRank program(rank);
    errno = 0;
    CHILD_CHECK(RANK(initstate)(1, small, sizeof small) == nullptr && errno == EINVAL);
  }));
}

TEST_CASE("drand48: the whole family agrees with the C library, its parameters included") {
  CHECK_CHILD_PASSED(run_in_child([] {
    unsigned short parameters[7] = {1, 2, 3, 0xe66d, 0xdeec, 5, 11};
    const auto all = [&](auto of) {
      std::vector<double> numbers;
      unsigned short x[3] = {7, 8, 9}, seed[3] = {11, 12, 13};
      for (int i = 0; i < 50; ++i) {
        if (i == 10) of(RANK(srand48), srand48)(12345);
        if (i == 20) numbers.push_back(of(RANK(seed48), seed48)(seed)[1]);
        if (i == 30) of(RANK(lcong48), lcong48)(parameters);
        numbers.push_back(of(RANK(drand48), drand48)());
        numbers.push_back(of(RANK(erand48), erand48)(x));
        numbers.push_back(static_cast<double>(of(RANK(lrand48), lrand48)()));
        numbers.push_back(static_cast<double>(of(RANK(nrand48), nrand48)(x)));
        numbers.push_back(static_cast<double>(of(RANK(mrand48), mrand48)()));
        numbers.push_back(static_cast<double>(of(RANK(jrand48), jrand48)(x)));
      }
      return numbers;
    };
    const auto expected = all([](auto, auto theirs) { return theirs; });
    const AsRank program(make_rank(0));
    CHILD_CHECK(all([](auto ours, auto) { return ours; }) == expected);
  }));
}
