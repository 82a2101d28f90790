// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/pe_speeds.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "skein/lb/load_file.hpp"

using namespace skein::lb;

namespace {

std::vector<double> speeds(const std::string& text) {
  std::istringstream lines(text);
  return parse_pe_speeds(lines, "s.txt", 3);
}

std::string refusal(const std::string& text) {
  try {
    (void)speeds(text);
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("PE speeds: who is not named has 1") {
  CHECK(speeds("") == std::vector<double>{1, 1, 1});
  CHECK(speeds("# slow ones\n2 0.5 # half\n\n  0\t2\r\n") == std::vector<double>{2, 1, 0.5});
}

TEST_CASE("PE speeds: what is wrong is told with its line") {
  CHECK(refusal("0 1\n3 1\n") == "s.txt:2: PE 3 does not exist; objects are on PEs 0 to 2");
  CHECK(refusal("-1 1\n") == "s.txt:1: PE -1 does not exist; objects are on PEs 0 to 2");
  CHECK(refusal("1 1\n1 2\n") == "s.txt:2: PE 1 stands here for the second time");
  for (const char* text : {"1 0\n", "1 -2\n", "1 inf\n", "1 nan\n"}) {
    CAPTURE(text);
    CHECK(refusal(text).find("s.txt:1: ") == 0);
  }
  CHECK(refusal("1\n") == "s.txt:1: '1' is no PE and its speed, as in '3 0.5'");
  CHECK(refusal("one 1\n").find("is no PE and its speed") != std::string::npos);
  CHECK(refusal("1 1 1\n").find("is no PE and its speed") != std::string::npos);
  CHECK_THROWS_AS(read_pe_speeds("/nonexistent/s.txt", 2), FileError);
}

TEST_CASE("PE speeds: who clearly differs is told from who is disturbed") {
  const auto of = [](std::vector<double> seconds) { return speeds_where_they_differ(seconds); };
  CHECK(of({1}).empty());
  CHECK(of({1, 1.2, 1.1}).empty());  // 1 / 1.2 is 0.83
  CHECK(of({1, 1.25, 1.04}).empty());
  CHECK(of({2, 1, 1.04}) == std::vector<double>{0.5, 1, 1});
  CHECK(of({1, 1.6, 1.25}) == std::vector<double>{1, 0.625, 0.8});
}
