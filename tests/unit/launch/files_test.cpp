// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/files.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "runtime/base/error.hpp"

using namespace skein::launch;
namespace fs = std::filesystem;

namespace {

/// An empty folder that is the current folder as long as the object lives.
class Folder {
 public:
  Folder() : before_(fs::current_path()) {
    char name[] = "/tmp/skein-files-XXXXXX";
    REQUIRE(mkdtemp(name) != nullptr);
    path_ = name;
    fs::current_path(path_);
  }
  ~Folder() {
    fs::current_path(before_);
    fs::remove_all(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void add(const std::string& name, mode_t mode) {
    std::ofstream(path_ / name) << "x";
    REQUIRE(chmod((path_ / name).c_str(), mode) == 0);
  }

 private:
  fs::path before_, path_;
};

std::string refusal(const RunOptions& run) {
  try {
    check_files(run);
  } catch (const skein::Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("files: a program is found by its path, in PATH, in the current folder") {
  Folder folder;
  folder.add("app", 0755);
  CHECK(resolve_program("./app") == "./app");
  CHECK(resolve_program("app") == "./app");
  CHECK(resolve_program("sh").ends_with("/sh"));
  CHECK(resolve_program("sh") != "./sh");
}

TEST_CASE("files: a program that cannot be run is named with the cause") {
  Folder folder;
  folder.add("data", 0644);
  fs::create_directory("sub");
  CHECK_THROWS_WITH_AS(resolve_program("./missing"), doctest::Contains("'./missing': No such file"),
                       skein::Error);
  CHECK_THROWS_WITH_AS(resolve_program("missing"), doctest::Contains("'missing': neither in PATH"),
                       skein::Error);
  CHECK_THROWS_WITH_AS(resolve_program("./data"), doctest::Contains("chmod +x"), skein::Error);
  CHECK_THROWS_WITH_AS(resolve_program("./sub"), doctest::Contains("is a folder"), skein::Error);
}

TEST_CASE("files: map and report are checked before anything starts") {
  Folder folder;
  folder.add("map", 0644);
  RunOptions run;
  CHECK(refusal(run) == "accepted");
  run.map = Map::file;
  run.map_file = "map";
  run.lb_report = "steps.json";
  CHECK(refusal(run) == "accepted");
  CHECK_FALSE(fs::exists("steps.json"));
  run.given = {"--map=map", "--lb-report=steps.json"};
  run.lb_report = "no/such/folder/steps.json";
  CHECK(refusal(run).find("--lb-report no/such/folder/steps.json: cannot be written: No such file") !=
        std::string::npos);
  run.lb_report = "/proc";
  CHECK(refusal(run).find("Is a directory") != std::string::npos);
  run.map_file = "blokc";
  CHECK(refusal(run).find("--map blokc") != std::string::npos);
  run.given.clear();
  CHECK(refusal(run).find("SKEIN_MAP blokc") != std::string::npos);
}
