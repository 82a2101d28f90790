// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

namespace {

// A file in the folder for temporary files, removed when the object ends.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_((std::filesystem::temp_directory_path() / "skein_offline_test").string() +
              std::to_string(::getpid())) {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Snapshot make_named() {
  Snapshot snapshot = test::make_snapshot(3, {1, 1, 1, 1}, {0, 0, 1, 1});
  snapshot.objects.id = {10, 20, 30, 40};
  snapshot.objects.migratable[3] = false;
  return snapshot;
}

Assignment assign(const std::string& text) {
  const TemporaryFile file(text);
  return parse_strategy("offline:file=" + file.path()).assign(make_named(), 1);
}

std::string error_of(const std::string& text) {
  try {
    assign(text);
  } catch (const StrategyError& error) {
    const std::string what = error.what();
    return what.substr(what.find("skein_offline_test"));
  }
  return {};
}

}  // namespace

TEST_CASE("offline: ids and PEs in any order, comments, blanks; the others and pinned ones stay") {
  CHECK(assign("# from a study\n30 2\n\n  10\t1  # the first\r\n40 0") == Assignment{1, 0, 2, 1});
  CHECK(assign("") == Assignment{0, 0, 1, 1});
}

TEST_CASE("offline: what is wrong is named with file and line") {
  const auto is = [](const std::string& error, const std::string& end) {
    CAPTURE(error);
    CHECK(error.ends_with(end));
  };
  is(error_of("10 1\n11 1\n"), ":2: there is no object 11");
  is(error_of("10 3\n"), ":1: PE 3 does not exist; there are 3");
  is(error_of("10 1\n\n10 2\n"), ":3: object 10 stands here for the second time");
  is(error_of("10 1 2\n"), ":1: '2' is left over behind object and PE");
  is(error_of("10\n"), ":1: '' does not begin with the number of a PE; a line is an object's id and its PE");
  is(error_of("ten 1\n"),
     ":1: 'ten 1' does not begin with the number of an object; a line is an object's id and its PE");
  is(error_of("-1 1\n").substr(0, 100).substr(error_of("-1 1\n").find(":1:")).substr(0, 9), ":1: '-1 1");
  is(error_of("99999999999999999999 1\n").substr(error_of("99999999999999999999 1\n").find(":1:"), 8),
     ":1: '999");
}

TEST_CASE("offline: no file, no name of one, a folder") {
  const Snapshot snapshot = make_named();
  CHECK_THROWS_WITH_AS(parse_strategy("offline:file=/no/such").assign(snapshot, 1),
                       "strategy 'offline': /no/such: No such file or directory", StrategyError);
  CHECK_THROWS_WITH_AS(parse_strategy("offline").assign(snapshot, 1),
                       "strategy 'offline' needs the key 'file'", MissingData);
  CHECK_THROWS_AS(parse_strategy("offline:file=/").assign(snapshot, 1), StrategyError);
}
