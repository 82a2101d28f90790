// SPDX-License-Identifier: Apache-2.0
#include "runtime/options/values.hpp"

#include <doctest/doctest.h>

#include "runtime/base/error.hpp"
#include "runtime/base/texts.hpp"

using namespace skein::options;

TEST_CASE("values: sizes are powers of 1024") {
  CHECK(parse_size("4096", 1, SIZE_MAX) == 4096);
  CHECK(parse_size("16K", 1, SIZE_MAX) == 16384);
  CHECK(parse_size("3MiB", 1, SIZE_MAX) == 3145728);
  CHECK(parse_size("2g", 1, SIZE_MAX) == 2147483648);
  CHECK(parse_size("1T", 1, SIZE_MAX) == 1099511627776);
}

TEST_CASE("values: what is no size is refused") {
  for (const char* text : {"", "M", "1.5M", "-1", "+1", "1 M", "1MB", "1X", "1KK", "99999999999999999999"})
    CHECK_THROWS_AS(parse_size(text, 0, SIZE_MAX), skein::Error);
}

TEST_CASE("values: a size that overflows 64 bits is refused, not wrapped") {
  // 2^24 T = 2^64.
  CHECK_THROWS_AS(parse_size("16777216T", 0, SIZE_MAX), skein::Error);
  CHECK(parse_size("16777215T", 0, SIZE_MAX) == SIZE_MAX - ((std::size_t{1} << 40) - 1));
}

TEST_CASE("values: a size out of range names the range") {
  CHECK_THROWS_WITH_AS(parse_size("1K", 16384, 1 << 20), "'1K' is not a size from 16K to 1M", skein::Error);
}

TEST_CASE("values: size_text is the inverse of parse_size") {
  for (std::size_t bytes : {std::size_t{1}, std::size_t{1023}, std::size_t{1024}, std::size_t{1536} << 10,
                            std::size_t{1} << 40, std::size_t{1} << 50})
    CHECK(parse_size(skein::size_text(bytes), 0, SIZE_MAX) == bytes);
  CHECK(skein::size_text(std::size_t{1536} << 10) == "1536K");
}

TEST_CASE("values: counts") {
  CHECK(parse_count("1", 1, 8) == 1);
  CHECK(parse_count("8", 1, 8) == 8);
  CHECK(parse_count("18446744073709551615", 0, UINT64_MAX) == UINT64_MAX);
  for (const char* text : {"", "0", "9", "-1", "1x", " 1", "0x1", "18446744073709551616", "one"})
    CHECK_THROWS_AS(parse_count(text, 1, 8), skein::Error);
}

TEST_CASE("values: amounts") {
  CHECK(parse_amount("0", 10) == 0);
  CHECK(parse_amount("1e-9", 10) == 1e-9);
  for (const char* text : {"", "-1", "11", "nan", "inf", "1 ", "0x1"})
    CHECK_THROWS_AS(parse_amount(text, 10), skein::Error);
}

TEST_CASE("values: seconds") {
  CHECK(parse_seconds("0.5", 10) == 0.5);
  CHECK(parse_seconds("10", 10) == 10);
  for (const char* text : {"", "0", "-1", "nan", "inf", "10.1", "1e400", "1,5"})
    CHECK_THROWS_AS(parse_seconds(text, 10), skein::Error);
}

TEST_CASE("values: a choice lists its words when refused") {
  CHECK(parse_choice("a", "a|bc|d") == 0);
  CHECK(parse_choice("bc", "a|bc|d") == 1);
  CHECK(parse_choice("d", "a|bc|d") == 2);
  for (const char* text : {"", "b", "a|bc", "D"})
    CHECK_THROWS_WITH_AS(parse_choice(text, "a|bc|d"), doctest::Contains("is not one of a|bc|d"),
                         skein::Error);
  CHECK_THROWS_WITH_AS(parse_choice("shraed", "auto|shared|private"),
                       "'shraed' is not one of auto|shared|private (did you mean shared?)", skein::Error);
}

TEST_CASE("values: switches and lists") {
  CHECK(parse_switch("on"));
  CHECK_FALSE(parse_switch("0"));
  CHECK_THROWS_AS(parse_switch("maybe"), skein::Error);
  CHECK(parse_list("a,b", ',') == std::vector<std::string>{"a", "b"});
  for (const char* text : {"", ",a", "a,", "a,,b"}) CHECK_THROWS_AS(parse_list(text, ','), skein::Error);
}
