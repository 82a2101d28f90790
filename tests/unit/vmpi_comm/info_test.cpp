// SPDX-License-Identifier: Apache-2.0
// Info objects (MPI 4.1, chapter 10) through the functions that programs call.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "runtime/vmpi/comm/info.hpp"
#include "tests/unit/rank_here.hpp"

using namespace skein::vmpi;
using skein::test::RankHere;

namespace {

struct Found {
  bool there;
  std::string value;
};

Found get(MPI_Info info, const char* key) {
  char value[MPI_MAX_INFO_VAL] = "untouched";
  int length = sizeof value, there = 0;
  REQUIRE(MPI_Info_get_string(info, key, &length, value, &there) == MPI_SUCCESS);
  if (there) CHECK(length == static_cast<int>(std::strlen(value)) + 1);  // the null character counts
  return {there != 0, value};
}

}  // namespace

TEST_CASE("Info: keys keep the order of their first setting; a later value replaces") {
  RankHere rank;
  MPI_Info info = MPI_INFO_NULL;
  REQUIRE(MPI_Info_create(&info) == MPI_SUCCESS);
  for (const auto& [key, value] : {std::pair{"zeta", "1"}, {"alpha", "2"}, {"mid", "3"}, {"alpha", "4"}})
    REQUIRE(MPI_Info_set(info, key, value) == MPI_SUCCESS);
  int count = -1;
  REQUIRE(MPI_Info_get_nkeys(info, &count) == MPI_SUCCESS);
  REQUIRE(count == 3);
  const char* const order[] = {"zeta", "alpha", "mid"};
  for (int i = 0; i < count; ++i) {
    char key[MPI_MAX_INFO_KEY];
    REQUIRE(MPI_Info_get_nthkey(info, i, key) == MPI_SUCCESS);
    CHECK(std::string(key) == order[i]);
  }
  CHECK(get(info, "alpha").value == "4");
  MPI_Info_free(&info);
  CHECK(info == MPI_INFO_NULL);
}

TEST_CASE("Info: what is not there is said so, and nothing is written") {
  RankHere rank;
  MPI_Info info = MPI_INFO_NULL;
  REQUIRE(MPI_Info_create(&info) == MPI_SUCCESS);
  const Found none = get(info, "key");
  CHECK_FALSE(none.there);
  CHECK(none.value == "untouched");
  CHECK(MPI_Info_delete(info, "key") != MPI_SUCCESS);
  char key[MPI_MAX_INFO_KEY];
  CHECK(MPI_Info_get_nthkey(info, 0, key) != MPI_SUCCESS);
  MPI_Info_free(&info);
}

TEST_CASE("Info: a copy is its own") {
  RankHere rank;
  MPI_Info info = MPI_INFO_NULL, copy = MPI_INFO_NULL;
  REQUIRE(MPI_Info_create(&info) == MPI_SUCCESS);
  MPI_Info_set(info, "key", "before");
  REQUIRE(MPI_Info_dup(info, &copy) == MPI_SUCCESS);
  MPI_Info_set(info, "key", "after");
  CHECK(get(copy, "key").value == "before");
  MPI_Info_delete(copy, "key");
  CHECK(get(info, "key").value == "after");
  MPI_Info_free(&info);
  MPI_Info_free(&copy);
}

TEST_CASE("Info: a value longer than the room is cut, and the length that it takes is returned") {
  RankHere rank;
  MPI_Info info = MPI_INFO_NULL;
  REQUIRE(MPI_Info_create(&info) == MPI_SUCCESS);
  MPI_Info_set(info, "key", "0123456789");
  char value[5] = "....";
  int length = 5, there = 0;
  REQUIRE(MPI_Info_get_string(info, "key", &length, value, &there) == MPI_SUCCESS);
  CHECK(there == 1);
  CHECK(length == 11);
  CHECK(std::string(value) == "0123");
  length = 0;  // only asks for the length
  REQUIRE(MPI_Info_get_string(info, "key", &length, value, &there) == MPI_SUCCESS);
  CHECK(length == 11);
  CHECK(std::string(value) == "0123");
  MPI_Info_free(&info);
}
